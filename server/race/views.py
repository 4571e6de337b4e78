"""A room as the contract shows it: nothing in it that may not be known yet."""

from collections.abc import Sequence

from msgspec import Struct

from server.race.instants import Instant, instant, instant_or_none
from server.race.player import Player
from server.race.room import Room
from server.race.settings import RulesetName, StartMode, Visibility
from server.race.standings import Standing
from server.race.states import OVER, STARTED, RoomState


class RoomView(Struct, frozen=True, kw_only=True):
    """One race: one deal, its players, its result.

    Attributes:
        version: rises with every change.
        code: the deal; null until it may be known: at the start in an open room, at the end in
            a sealed one, never in one that was cancelled (`cancelled` events do not tell it).
        nonce: 32 hex digits, known together with the code.
        commitment: SHA-256 hex of `<code>:<nonce>`, there from the beginning.
        rematch: the id of the next room, once someone has asked for it.
    """

    id: str
    kind: str
    state: RoomState
    version: int
    ruleset: RulesetName
    draw: int
    sealed: bool
    seats: int
    visibility: Visibility
    time_limit_s: int
    start: StartMode
    start_at: Instant | None
    countdown_s: int
    undo: bool
    ranked: bool
    title: str
    host: Player | None
    commitment: str
    code: str | None
    nonce: str | None
    created_at: Instant
    starts_at: Instant | None
    started_at: Instant | None
    ends_at: Instant | None
    finished_at: Instant | None
    standings: list[Standing]
    player_count: int
    spectators: int
    rematch: str | None


def view_room(
    room: Room, *, spectators: int = 0, standings: Sequence[Standing] | None = None
) -> RoomView:
    """Show a room; `standings` replaces the stored ones where fresher ones are at hand."""
    settings = room.settings
    revealed = room.state in STARTED and (room.state in OVER or not settings.sealed)
    return RoomView(
        id=room.id,
        kind=room.kind,
        state=room.state,
        version=room.version,
        ruleset=settings.ruleset,
        draw=settings.draw,
        sealed=settings.sealed,
        seats=settings.seats,
        visibility=settings.visibility,
        time_limit_s=settings.time_limit_s,
        start=settings.start,
        start_at=instant_or_none(settings.start_at),
        countdown_s=settings.countdown_s,
        undo=settings.undo,
        ranked=settings.ranked,
        title=settings.title,
        host=room.host,
        commitment=room.deal.commitment,
        code=str(room.deal.code) if revealed or room.code_is_known else None,
        nonce=room.deal.nonce if revealed else None,
        created_at=instant(room.created_at),
        starts_at=instant_or_none(room.starts_at),
        started_at=instant_or_none(room.started_at),
        ends_at=instant_or_none(room.ends_at),
        finished_at=instant_or_none(room.finished_at),
        standings=list(room.standings() if standings is None else standings),
        player_count=room.player_count,
        spectators=spectators,
        rematch=room.rematch,
    )
