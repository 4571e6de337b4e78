"""What a socket is told first: the room as it is, or what it has missed of it."""

from collections.abc import Iterator

from server.live.channel import Channel
from server.live.messages import Welcome, encode
from server.live.resuming import Missed
from server.race.instants import from_epoch_ms, instant
from server.race.views import RoomView


def welcome_to(room: RoomView, channel: Channel, *, epoch: str, now_ms: int) -> bytes:
    """Give the frame that tells the room whole, as its channel has been told it."""
    welcome = Welcome(
        epoch=epoch,
        offset=channel.place.offset,
        recovered=False,
        server_time=instant(from_epoch_ms(now_ms)),
        room=room,
    )
    return encode(welcome)


def welcome_back(missed: Missed, channel: Channel, *, epoch: str, now_ms: int) -> Iterator[bytes]:
    """Give the frames that lead on from what a client knows, all standings as one."""
    welcome = Welcome(
        epoch=epoch,
        offset=missed.after,
        recovered=True,
        server_time=instant(from_epoch_ms(now_ms)),
        room=None,
    )
    yield encode(welcome)
    for event in missed.events:
        yield encode(event)
    standings = channel.standings_frame(now_ms=now_ms, everyone=True)
    if standings is not None:
        yield encode(standings)
