"""What is written of a game while it is played."""

from datetime import datetime
from enum import Enum
from typing import Protocol

from msgspec import Struct

from server.race.states import PlayerState


class Action(Struct, frozen=True):
    """One accepted action as the log keeps it.

    Attributes:
        move: the move as made, never a tap; `u` for an undo.
        elapsed_ms: on the player's race clock, when its frame arrived.
    """

    move: str
    elapsed_ms: int


class Log(Struct, frozen=True):
    """Everything that was written of a game.

    Attributes:
        state: of its player, as written.
        ended_at: when the game ended, by the race clock; None while it has not.
        actions: every action, in order.
    """

    state: PlayerState
    ended_at: datetime | None
    actions: list[Action]


class Play(Struct, frozen=True):
    """One action to be logged, with the progress of its game after it.

    Attributes:
        game_id: the game it belongs to.
        ply: its number, from 0; the game must stand exactly there.
        move, elapsed_ms: as in `Action`.
        at_ms: when `placed` last changed, on the same clock.
        state: `racing`, or `won` by this action.
    """

    game_id: str
    ply: int
    move: str
    elapsed_ms: int
    placed: int
    score: int
    at_ms: int
    state: PlayerState


class Outcome(Enum):
    """What became of a play that was to be written."""

    WRITTEN = "written"
    """On disk: it counts, whatever happens now."""
    REFUSED = "refused"
    """The game stood at another ply, or had ended: somebody else wrote it."""
    UNKNOWN = "unknown"
    """Storage did not answer: perhaps on disk, perhaps not."""


class Settler(Protocol):
    """Whoever waits for the outcome of plays."""

    def settle(self, play: Play, outcome: Outcome) -> None:
        """Learn what became of a play."""
