"""The frames of the live socket, both ways.

What the server sends is a tagged union by `type`; a type that this client does not know decodes to
None, so that a newer server may send more.
"""

from __future__ import annotations

from datetime import datetime
from typing import TypeAlias

import msgspec

from canfield_race_client import shapes
from canfield_race_client.errors import BadFrame


class Frame(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """A frame from the server."""


class Ack(shapes.Ack, frozen=True, kw_only=True, tag_field="type", tag="ack"):
    """A move of mine is validated and on disk."""


class Reject(shapes.Reject, frozen=True, kw_only=True, tag_field="type", tag="reject"):
    """A move of mine was refused and changed nothing."""


class GameFrame(shapes.Game, frozen=True, kw_only=True, tag_field="type", tag="game"):
    """My game as it is now."""


class You(Frame, frozen=True, kw_only=True, tag="you"):
    """Who I am in the room, and how I stand.

    `started_at` and `ends_at` are there where my clock is not the room's: in a daily.
    """

    player: shapes.Player | None = None
    host: bool = False
    state: str | None = None
    entry: shapes.Standing | None = None
    started_at: datetime | None = None
    ends_at: datetime | None = None


class Welcome(Frame, frozen=True, kw_only=True, tag="welcome"):
    """The room as it is at `offset`; `room` is None when the missed events follow instead."""

    epoch: str
    offset: int
    recovered: bool = False
    server_time: datetime | None = None
    room: shapes.Room | None = None


class RoomEvent(Frame, frozen=True, kw_only=True):
    """Something that happened to the room; `offset` rises and may skip."""

    offset: int


class Joined(RoomEvent, frozen=True, kw_only=True, tag="joined"):
    """A player joined."""

    player: shapes.Player


class Left(RoomEvent, frozen=True, kw_only=True, tag="left"):
    """A player left; `host` is the room's host from now on."""

    player: shapes.Player
    host: shapes.Player | None = None


class Kicked(RoomEvent, frozen=True, kw_only=True, tag="kicked"):
    """A player was removed by the host and cannot come back."""

    player: shapes.Player


class ReadyChanged(RoomEvent, frozen=True, kw_only=True, tag="ready"):
    """A player became ready, or no longer is."""

    player: shapes.Player
    ready: bool = True


class Renamed(RoomEvent, frozen=True, kw_only=True, tag="renamed"):
    """A player has another name."""

    player: shapes.Player


class CountdownStarted(RoomEvent, frozen=True, kw_only=True, tag="countdown"):
    """The race starts at `starts_at`."""

    starts_at: datetime


class Started(RoomEvent, frozen=True, kw_only=True, tag="started"):
    """The race is on; `code` and `nonce` are None in a sealed room."""

    started_at: datetime
    ends_at: datetime | None = None
    code: str | None = None
    nonce: str | None = None


class Finished(RoomEvent, frozen=True, kw_only=True, tag="finished"):
    """The race is over, with its final standings and the deal's code."""

    finished_at: datetime
    code: str | None = None
    nonce: str | None = None
    standings: list[shapes.Standing] = []


class Cancelled(RoomEvent, frozen=True, kw_only=True, tag="cancelled"):
    """The room will not race."""

    reason: str | None = None


class RematchOffered(RoomEvent, frozen=True, kw_only=True, tag="rematch"):
    """The next room, by its id, for everyone who asks."""

    room: str


class StandingsChanged(RoomEvent, frozen=True, kw_only=True, tag="standings"):
    """The standings that changed, without ranks."""

    entries: list[shapes.Standing]
    at: datetime | None = None


class Pong(Frame, frozen=True, kw_only=True, tag="pong"):
    """The answer to a ping, with what the ping carried."""

    t: int | float | str | None = None
    server_time: datetime | None = None


class Fault(Frame, frozen=True, kw_only=True, tag="error"):
    """A frame of mine was refused, or the socket is about to close."""

    code: str
    detail: str = ""
    pointer: str | None = None
    state: str | None = None
    retry_after_ms: int | None = None


ServerFrame: TypeAlias = (
    Ack
    | Reject
    | GameFrame
    | You
    | Welcome
    | Joined
    | Left
    | Kicked
    | ReadyChanged
    | Renamed
    | CountdownStarted
    | Started
    | Finished
    | Cancelled
    | RematchOffered
    | StandingsChanged
    | Pong
    | Fault
)


class _Tagged(msgspec.Struct):
    type: str


KNOWN_TYPES = frozenset(str(frame.__struct_config__.tag) for frame in ServerFrame.__args__)
_frames = msgspec.json.Decoder(ServerFrame)
_tags = msgspec.json.Decoder(_Tagged)


def decode(data: str | bytes) -> ServerFrame | None:
    """One frame from the server, or None if its type is not known here.

    Raises:
        BadFrame: if it is no frame at all, or a known one with wrong fields.

    >>> decode('{"type": "pong", "t": 5, "colour": "new here"}')
    Pong(t=5, server_time=None)
    >>> decode('{"type": "fireworks"}') is None
    True
    """
    try:
        return _frames.decode(data)
    except msgspec.DecodeError as error:
        if _has_unknown_type(data):
            return None
        raise BadFrame(str(error)) from error


def encode(kind: str, **fields: object) -> str:
    """A frame for the server, without the fields that are None.

    >>> encode("move", ply=3, move="r1")
    '{"type":"move","ply":3,"move":"r1"}'
    """
    said = {name: value for name, value in fields.items() if value is not None}
    return msgspec.json.encode({"type": kind, **said}).decode()


def _has_unknown_type(data: str | bytes) -> bool:
    try:
        return _tags.decode(data).type not in KNOWN_TYPES
    except msgspec.DecodeError:
        return False
