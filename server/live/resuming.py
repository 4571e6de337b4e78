"""What a client has missed, from the offset up to which it knows."""

from msgspec import Struct

from server.live.channel import Channel
from server.live.messages import Since
from server.live.offsets import Place, place_of
from server.live.ports import Rooms
from server.race.events import RoomEvent

MOST_TRIES = 3  # readings of a room that changes all the time; then it is told whole


class Missed(Struct, frozen=True):
    """The way from what a client knows to what the room's sockets have been told.

    Attributes:
        after: the offset up to which the client knows.
        events: every event after that, in order, with its offset.
    """

    after: int
    events: list[RoomEvent]


async def find_missed(
    rooms: Rooms, channel: Channel, since: Since, *, now_ms: int
) -> Missed | None:
    """Find the events that a client has missed; None where it has to be told the room whole.

    When this returns, nothing has been told on the channel that is not in it.

    Raises:
        Unavailable: storage did not answer.
    """
    known = place_of(since.offset)
    for _ in range(MOST_TRIES):
        room = channel.room
        if room is None or not 0 < known.version <= room.version:
            return None
        if room.player_count > len(room.seats):
            return None  # who has fallen out of those shown is told to nobody who was away
        if known.version == room.version:
            resumes = channel.go_on_from(known, now_ms=now_ms)
            return Missed(since.offset, []) if resumes else None
        change = await rooms.change_since(room.id, known.version)
        missed = change.since(known.version)
        if missed is None:
            return None
        told = channel.place.version  # it may have moved on meanwhile
        if told <= change.room.version:
            return Missed(since.offset, _placed(missed, upto=told))
    return None


def _placed(missed: list[tuple[int, RoomEvent]], *, upto: int) -> list[RoomEvent]:
    events = []
    for version, event in missed:
        if version <= upto:
            event.offset = Place(version, 0).offset
            events.append(event)
    return events
