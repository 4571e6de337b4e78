"""What happens in a room, as the contract's room events.

`offset` is the event's place in the room's stream; `live` gives it, here it is 0.
"""

from typing import Literal

import msgspec
from msgspec import Struct

from server.race.instants import Instant
from server.race.player import Player
from server.race.standings import Standing

CancelReason = Literal["host", "empty", "idle", "replaced"]


class RoomEvent(Struct, tag_field="type", kw_only=True):
    """Something that happened in a room, told to everyone who watches it."""

    offset: int = 0


class Joined(RoomEvent, tag="joined"):
    """A player took a seat."""

    player: Player


class Left(RoomEvent, tag="left"):
    """A player gave up the seat; `host` is the room's host from now on."""

    player: Player
    host: Player | None


class PlayerKicked(RoomEvent, tag="kicked"):
    """The host removed a player for good."""

    player: Player


class ReadyChanged(RoomEvent, tag="ready"):
    """A player is ready, or is not any more."""

    player: Player
    ready: bool


class Renamed(RoomEvent, tag="renamed"):
    """A player of this room has a new name."""

    player: Player


class Countdown(RoomEvent, tag="countdown"):
    """The race starts at this instant."""

    starts_at: Instant


class Started(RoomEvent, tag="started"):
    """The race is on. Code and nonce are there in an open room, null in a sealed one."""

    started_at: Instant
    ends_at: Instant
    code: str | None
    nonce: str | None


class Finished(RoomEvent, tag="finished"):
    """The race is over; code and nonce can be held against the commitment now."""

    finished_at: Instant
    code: str
    nonce: str
    standings: list[Standing]


class Cancelled(RoomEvent, tag="cancelled"):
    """There will be no race here: the host said so, everyone left, or nobody started it."""

    reason: CancelReason


class RematchOpened(RoomEvent, tag="rematch"):
    """The next room of this company; join it by its id."""

    room: str


AnyRoomEvent = (
    Joined
    | Left
    | PlayerKicked
    | ReadyChanged
    | Renamed
    | Countdown
    | Started
    | Finished
    | Cancelled
    | RematchOpened
)

_decoder = msgspec.json.Decoder(AnyRoomEvent)


def write_event(event: RoomEvent) -> str:
    """Write an event as text, to be kept."""
    return msgspec.json.encode(event).decode()


def read_event(text: str) -> RoomEvent:
    """Read an event that `write_event` wrote.

    >>> read_event(write_event(Cancelled(reason="idle")))
    Cancelled(reason='idle', offset=0)
    """
    return _decoder.decode(text)
