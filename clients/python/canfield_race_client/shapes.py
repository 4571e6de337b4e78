"""The shapes of the contract: what the server answers, as immutable structs.

Fields that a newer server adds are ignored. Instants are aware UTC datetimes, times end in `_ms`
or `_s`, cards are texts like `"7H"`, and piles are lists with the oldest card first.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec

T = TypeVar("T")

Day: TypeAlias = date
"""A day of UTC: where a field is called `date`, its type has to go by another name."""


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """Something the server says."""


class Player(Shape, frozen=True, kw_only=True):
    """A player; `id` is for good, `name` may change; `kind` is `human` or `bot`.

    Who has left for good has no name any more.
    """

    id: str
    name: str
    kind: str = "human"

    @property
    def shown_name(self) -> str:
        """What to call the player: the name, or that there is none any more."""
        return self.name or "(gone)"


class Registered(Shape, frozen=True, kw_only=True):
    """A new player with the token that is shown this once."""

    player: Player
    token: str


class Token(Shape, frozen=True, kw_only=True):
    """One of the caller's tokens; `token` itself is there only when it has just been made."""

    id: str
    label: str | None = None
    created_at: datetime | None = None
    current: bool = False
    token: str | None = None

    def __repr__(self) -> str:
        """Tell which token it is, without the secret: logs print representations."""
        return f"Token(id={self.id!r}, label={self.label!r}, current={self.current})"


class Profile(Shape, frozen=True, kw_only=True):
    """What everybody may know of a player; `best_ms` is None without a win."""

    player: Player
    games: int = 0
    wins: int = 0
    best_ms: int | None = None
    streak: int = 0
    ratings: list[dict[str, Any]] = []
    recent_games: list[dict[str, Any]] = []


class Standing(Shape, frozen=True, kw_only=True):
    """How one player stands: `placed` cards on the foundations after `actions` actions.

    `state` is `joined`, `ready`, `racing`, `won`, `resigned` or `out_of_time`; `at_ms` is when
    `placed` last changed, on the player's own race clock. `rank` is None until it is computed.
    """

    player: Player
    state: str
    placed: int = 0
    score: int = 0
    actions: int = 0
    at_ms: int = 0
    rank: int | None = None


class Room(Shape, frozen=True, kw_only=True):
    """One race: one deal, its players and its result.

    `state` goes `open`, `countdown`, `racing`, `finished`, or to `cancelled` before it races.
    `code` and `nonce` are None until they may be known.
    """

    id: str
    state: str
    ruleset: str
    draw: int
    host: Player | None = None
    kind: str = "race"
    version: int = 0
    sealed: bool = False
    seats: int = 8
    visibility: str = "public"
    time_limit_s: int = 900
    start: str = "host"
    start_at: datetime | None = None
    countdown_s: int = 5
    undo: bool = True
    ranked: bool = True
    title: str | None = None
    commitment: str | None = None
    code: str | None = None
    nonce: str | None = None
    created_at: datetime | None = None
    starts_at: datetime | None = None
    started_at: datetime | None = None
    ends_at: datetime | None = None
    finished_at: datetime | None = None
    standings: list[Standing] = []
    player_count: int = 0
    spectators: int = 0
    rematch: str | None = None


class Daily(Room, frozen=True, kw_only=True):
    """The race of one day: the same deal for everyone, each with a clock of their own.

    Nobody joins after `closes_at`; the last attempt ends at `ends_at` at the latest. `winning_line`
    is None until the room has finished.
    """

    date: Day
    closes_at: datetime | None = None
    winning_line: list[str] | None = None


class Foundations(Shape, frozen=True, kw_only=True):
    """How many cards lie on each foundation, counted from the base rank up, 0 to 13."""

    C: int = 0
    D: int = 0
    H: int = 0
    S: int = 0


class Game(Shape, frozen=True, kw_only=True):
    """The caller's own game as far as its player may see it.

    `ply` is the number of actions so far and the `ply` of the next one. `legal_moves` is None
    where a view was brought up to date from acks alone: ask for a fresh game to have them.
    """

    room: str
    state: str
    ply: int
    base: str
    stock_count: int
    waste: list[str]
    reserve_count: int
    reserve_top: str | None
    columns: list[list[str]]
    foundations: Foundations
    position: str
    hash: str
    legal_moves: list[str] | None = None
    undo_left: int = 0
    score: int = 0
    placed: int = 0
    at_ms: int = 0
    elapsed_ms: int = 0
    started_at: datetime | None = None
    ends_at: datetime | None = None


class Ack(Shape, frozen=True, kw_only=True):
    """A move that is validated and on disk; `move` is what was made of a tap.

    `revealed` are the cards turned up by it, in order. For an undo, `game` is the whole view.
    """

    ply: int
    move: str
    revealed: list[str] = []
    score: int = 0
    placed: int = 0
    at_ms: int = 0
    elapsed_ms: int = 0
    hash: str = ""
    state: str = "racing"
    game: Game | None = None


class Reject(Shape, frozen=True, kw_only=True):
    """A move that changed nothing; the next one is expected at `next_ply`."""

    ply: int
    code: str
    detail: str = ""
    next_ply: int | None = None


class Played(Shape, frozen=True, kw_only=True):
    """What became of a list of moves; `reject` is what ended the list early, if anything did."""

    acks: list[Ack]
    reject: Reject | None = None


class FinishedGame(Shape, frozen=True, kw_only=True):
    """One game of a finished room; complete enough for a replay when asked for by its id."""

    id: str
    player: Player
    room: str | None = None
    code: str | None = None
    nonce: str | None = None
    commitment: str | None = None
    ruleset: str | None = None
    draw: int | None = None
    started_at: datetime | None = None
    moves: list[str] = []
    times_ms: list[int] = []
    result: Standing | None = None


class Curve(Shape, frozen=True, kw_only=True):
    """A player's progress: points of `(elapsed_ms, placed)`."""

    player: Player
    points: list[tuple[int, int]]


class LeaderboardInfo(Shape, frozen=True, kw_only=True):
    """A leaderboard that there is: `board` is what to ask for it by.

    `unit` is what its values count, `variants` which rulesets and draws it is kept for, the default
    first.
    """

    board: str
    title: str = ""
    description: str = ""
    unit: str = ""
    variants: list[dict[str, Any]] = []


class LeaderboardRow(Shape, frozen=True, kw_only=True):
    """One player on a leaderboard; `value` is in the board's unit."""

    rank: int
    player: Player
    value: float
    games: int = 0


class Leaderboard(Shape, frozen=True, kw_only=True):
    """A page of a leaderboard as it was at `as_of`, and the cursor of what comes after it."""

    board: str
    period: str
    items: list[LeaderboardRow]
    as_of: datetime | None = None
    next: str | None = None


class Deal(Shape, frozen=True, kw_only=True):
    """The start position and the whole deck of a code, in dealing order."""

    code: str
    deck: list[str]
    ruleset: str | None = None
    draw: int | None = None
    base: str | None = None
    reserve: list[str] = []
    columns: list[list[str]] = []
    stock: list[str] = []
    foundations: Foundations | None = None
    position: str | None = None
    hash: str | None = None
    legal_moves: list[str] = []


class Page(Shape, Generic[T], frozen=True, kw_only=True):
    """Some items of a list, and the cursor of what comes after them (None: nothing does)."""

    items: list[T]
    next: str | None = None
