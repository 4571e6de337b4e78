"""A finished game as a server exports it, read strictly: what is missing or odd is a flaw."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from canfield_race_client.errors import CanfieldError
from canfield_race_client.shapes import Player, Standing

Count: TypeAlias = Annotated[int, Meta(ge=0)]
Instant: TypeAlias = Annotated[datetime, Meta(tz=True)]


class Racer(Player, frozen=True, kw_only=True):
    """The player of a game; nothing is taken for granted."""

    kind: str


class Result(Standing, frozen=True, kw_only=True):
    """The standing at the end; nothing is taken for granted."""

    player: Racer
    state: Literal["won", "resigned", "out_of_time"]
    placed: Count
    score: int
    actions: Count
    at_ms: Count
    rank: Annotated[int, Meta(ge=1)]


class ExportedGame(msgspec.Struct, frozen=True, kw_only=True):
    """One line of an export, and what `GET /games/{id}` answers.

    Attributes:
        times_ms: when each of the `moves` was made, on the player's own race clock.
        undo: whether undo was allowed; None where the server does not say.
        time_limit_s: how long the player had; None where the server does not say.
        ended_at: when the game ended; None where the server does not say.
        players: how many games the room has; None where the server does not say.
    """

    id: str
    room: str
    player: Racer
    code: str
    nonce: str
    commitment: str
    ruleset: str
    draw: int
    started_at: Instant
    moves: list[str]
    times_ms: list[int]
    result: Result
    undo: bool | None = None
    time_limit_s: Annotated[int, Meta(gt=0)] | None = None
    ended_at: Instant | None = None
    players: Annotated[int, Meta(gt=0)] | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where in an export something is; None where that cannot be said.

    Attributes:
        line: counted from 1.
        game: the game's id.
        move: counted from 1.

    >>> print(Place(line=3, game="g_1", player=Player(id="p_1", name="Ana"), move=17))
    line 3, game g_1, player Ana, move 17
    """

    line: int | None = None
    game: str | None = None
    player: Player | None = None
    move: int | None = None

    def __str__(self) -> str:
        parts = {
            "line": self.line,
            "game": self.game,
            "player": self.player and self.player.shown_name,
            "move": self.move,
        }
        return ", ".join(f"{name} {part}" for name, part in parts.items() if part is not None)


class Flaw(CanfieldError):
    """The first thing in an export that does not hold.

    Attributes:
        code: a stable word for what it is: `unreadable`, `commitment`, `deal`, `other_room`,
            `twice`, `move`, `time`, `result`, `rank` or `missing`.
        detail: what was found, and what should be there.
        place: where it is.
    """

    def __init__(self, code: str, detail: str, place: Place) -> None:
        super().__init__(f"{place}: {detail}" if str(place) else detail)
        self.code = code
        self.detail = detail
        self.place = place


_games = msgspec.json.Decoder(ExportedGame)


def read_game(text: bytes | str, *, line: int) -> ExportedGame:
    """The game that a line of an export holds; `line` is its number.

    Raises:
        Flaw: if it is no JSON, or not the shape of a game.
    """
    if not text.strip():
        raise Flaw("unreadable", "there is no game in this line", Place(line=line))
    try:
        return _games.decode(text)
    except msgspec.ValidationError as error:
        raise Flaw("unreadable", f"this is no exported game: {error}", Place(line=line)) from error
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        why = f"a whole game as JSON should be in this one line: {error}"
        raise Flaw("unreadable", why, Place(line=line)) from error
