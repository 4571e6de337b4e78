"""The frames of the live socket: one decoder for what clients send, structs for what they get."""

from typing import Annotated, get_args

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from server.race.events import RoomEvent
from server.race.faults import invalid
from server.race.instants import Instant
from server.race.player import Player
from server.race.standings import Entry, Standing
from server.race.states import PlayerState
from server.race.views import RoomView

Ply = Annotated[int, Meta(ge=0, le=2**31 - 1, description="number of actions before this one")]

MOST_PRECISE = 2**53  # whole numbers up to here are the same in every JSON reader
Echoed = Annotated[int, Meta(ge=-MOST_PRECISE, le=MOST_PRECISE)] | float | str | None


# From the client


class ClientFrame(Struct, tag_field="type", forbid_unknown_fields=True, frozen=True):
    """A frame that a client sends."""


class Since(Struct, forbid_unknown_fields=True, frozen=True):
    """Where a client's knowledge of the room ends: the newest offset it has heard."""

    epoch: str
    offset: int


class Hello(ClientFrame, tag="hello", frozen=True):
    """The first frame; without a token, or before one has joined, the socket is a spectator's."""

    token: str | None = None
    since: Since | None = None


class MoveFrame(ClientFrame, tag="move", frozen=True):
    """A move, tap or undo, to be the action of number `ply`; may be sent before earlier answers."""

    ply: Ply
    move: str


class ReadyFrame(ClientFrame, tag="ready", frozen=True):
    """Ready, or not any more."""

    ready: bool


class StartFrame(ClientFrame, tag="start", frozen=True):
    """Start the race, as its host."""


class ResignFrame(ClientFrame, tag="resign", frozen=True):
    """Stop; what was placed counts."""


class SyncFrame(ClientFrame, tag="sync", frozen=True):
    """Ask for a fresh `game`."""


class PingFrame(ClientFrame, tag="ping", frozen=True):
    """Ask for a `pong` with the same `t`."""

    t: Echoed = None


AnyClientFrame = Hello | MoveFrame | ReadyFrame | StartFrame | ResignFrame | SyncFrame | PingFrame


# To the client


class GameView(Struct, frozen=True, kw_only=True):
    """One's own game: what its player may see, and no more.

    Attributes:
        ply: accepted actions so far, hence the `ply` of the next one.
        base: the rank that starts every foundation.
        foundations: cards on each suit's foundation.
        position, hash: the position as one line, and its CRC-32 in hex.
        undo_left: how many actions an undo can take back now.
        at_ms: when `placed` last changed, on the player's race clock; 0 if never.
        elapsed_ms: the race clock now, or when the game ended.
    """

    room: str
    state: PlayerState
    ply: int
    base: str
    stock_count: int
    waste: list[str]
    reserve_count: int
    reserve_top: str | None
    columns: list[list[str]]
    foundations: dict[str, int]
    position: str
    hash: str
    legal_moves: list[str]
    undo_left: int
    score: int
    placed: int
    at_ms: int
    elapsed_ms: int
    started_at: Instant
    ends_at: Instant


class GameFrame(GameView, tag_field="type", tag="game", frozen=True, kw_only=True):
    """One's own game, at the start, after `hello` and on `sync`."""


class Ack(Struct, tag_field="type", tag="ack", frozen=True, kw_only=True):
    """The move is validated and on disk.

    Attributes:
        move: what was made of it: a tap's move, `u` for an undo.
        revealed: the cards it turned up, in order: drawn ones, then a new reserve top.
        game: the whole view, for an undo only.
    """

    ply: int
    move: str
    revealed: tuple[str, ...]
    score: int
    placed: int
    at_ms: int
    elapsed_ms: int
    hash: str
    state: PlayerState
    game: GameView | UnsetType = UNSET


class Reject(Struct, tag_field="type", tag="reject", frozen=True, kw_only=True):
    """The move changes nothing.

    Attributes:
        code: `bad_move`, `illegal_move`, `undo_off`, `nothing_to_undo`, `ply_gap`,
            `ply_conflict`, `not_racing`, or `unavailable`: perhaps played, resend it.
        next_ply: the `ply` that the server takes next.
    """

    ply: int
    code: str
    detail: str
    next_ply: int


class You(Struct, tag_field="type", tag="you", frozen=True, kw_only=True):
    """Who one is in this room, and how one stands.

    Attributes:
        started_at, ends_at: in a daily, when one's own clock began and when it runs out.
    """

    player: Player
    host: bool
    state: PlayerState
    entry: Standing
    started_at: Instant | UnsetType = UNSET
    ends_at: Instant | UnsetType = UNSET


class Welcome(Struct, tag_field="type", tag="welcome", frozen=True, kw_only=True):
    """The first frame; it comes again whenever another epoch begins.

    Attributes:
        epoch: names the history that offsets belong to.
        offset: with `room`, where in its stream that is; else the one that `hello` gave.
        recovered: whether what came after `since` follows, event by event, instead of `room`.
        room: the room as it is at `offset`; null when `recovered`.
    """

    epoch: str
    offset: int
    recovered: bool
    server_time: Instant
    room: RoomView | None


class StandingsFrame(RoomEvent, tag="standings"):
    """The entries that changed, at most ten frames a second; readers sort."""

    at: Instant
    entries: list[Entry]


class Pong(Struct, tag_field="type", tag="pong", frozen=True, kw_only=True):
    """The answer to a `ping`."""

    t: Echoed
    server_time: Instant


class Error(Struct, tag_field="type", tag="error", frozen=True, kw_only=True):
    """A frame that could not be done; the socket stays unless a close follows."""

    code: str
    detail: str
    pointer: str | UnsetType = UNSET
    state: str | UnsetType = UNSET
    retry_after_ms: int | UnsetType = UNSET


class UnknownFrame(Exception):
    """Not JSON, or of no known `type`: the socket is closed with 4400."""


class _Typed(Struct):
    type: str


_frame_decoder = msgspec.json.Decoder(AnyClientFrame)
_type_decoder = msgspec.json.Decoder(_Typed)
encode = msgspec.json.Encoder().encode

FRAMES: dict[str, type[ClientFrame]] = {
    str(frame.__struct_config__.tag): frame for frame in get_args(AnyClientFrame)
}
"""Every frame that a client may send, by its type."""


def decode(text: str) -> AnyClientFrame:
    """Read a client's frame.

    Raises:
        UnknownFrame: it is not JSON or of no known type.
        Invalid: its fields are wrong; `pointer` names the one.
    """
    try:
        return _frame_decoder.decode(text)
    except msgspec.ValidationError as error:
        raise _why_not(text, error) from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise UnknownFrame("send JSON objects as text frames") from error


def _why_not(text: str, error: msgspec.ValidationError) -> Exception:
    try:
        frame = FRAMES.get(_type_decoder.decode(text).type)
    except (msgspec.DecodeError, RecursionError):
        frame = None
    if frame is not None:
        return invalid(error, frame)
    return UnknownFrame("send frames with a type: " + ", ".join(sorted(FRAMES)))
