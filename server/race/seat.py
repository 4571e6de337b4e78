"""One player's place in a room, and how the player's game stands."""

from datetime import datetime

from msgspec import Struct

from server.race.player import Player
from server.race.standings import Entry
from server.race.states import ENDED, PlayerState


class Seat(Struct, kw_only=True):
    """A player's place in a room; its game carries the seat's id.

    Attributes:
        ply: accepted actions so far.
        started_at, ends_at: of the player's own clock, in a daily; None where the room's counts.
        ended_at: when the player's game ended, by the race clock; None while it has not.
        rank: written when the room finishes; before that None, or as it stands in a daily.
    """

    game_id: str
    player: Player
    joined_at: datetime
    state: PlayerState = "joined"
    ply: int = 0
    placed: int = 0
    score: int = 0
    at_ms: int = 0
    started_at: datetime | None = None
    ends_at: datetime | None = None
    ended_at: datetime | None = None
    rank: int | None = None

    @property
    def own_clock(self) -> dict[str, datetime]:
        """When the player's own clock began and when it runs out, by name; empty in a race."""
        if self.started_at is None or self.ends_at is None:
            return {}
        return {"started_at": self.started_at, "ends_at": self.ends_at}

    @property
    def ended(self) -> bool:
        """Whether the player's game takes no further action."""
        return self.state in ENDED

    @property
    def entry(self) -> Entry:
        """The seat as a line of the standings."""
        return Entry(
            player=self.player,
            state=self.state,
            placed=self.placed,
            score=self.score,
            actions=self.ply,
            at_ms=self.at_ms,
        )
