import msgspec

from server.live.channel import Channel
from server.live.greeting import welcome_back, welcome_to
from server.live.offsets import STEP
from server.live.resuming import Missed
from server.race.events import Renamed
from server.race.instants import to_epoch_ms
from server.race.room import Room
from server.race.views import view_room
from tests.race.builders import ANA, BO, a_room, after

NOW_MS = to_epoch_ms(after(15))


def a_channel(room: Room) -> Channel:
    channel = Channel()
    channel.open(room)
    return channel


def test_a_newcomer_is_told_the_room_at_the_offset_of_what_was_told() -> None:
    room = a_room(players=2)

    frame = welcome_to(view_room(room), a_channel(room), epoch="e_1", now_ms=NOW_MS)

    told = msgspec.json.decode(frame)
    assert (told["type"], told["epoch"], told["recovered"]) == ("welcome", "e_1", False)
    assert told["offset"] == room.version * STEP
    assert told["room"]["id"] == room.id
    assert told["server_time"] == "2026-11-29T19:00:15.000Z"


def test_who_comes_back_is_told_what_was_missed_and_all_standings_in_one() -> None:
    room = a_room(players=2, racing=True)
    missed = Missed(after=7, events=[Renamed(player=ANA, offset=9)])

    frames = welcome_back(missed, a_channel(room), epoch="e_1", now_ms=NOW_MS)

    welcome, renamed, standings = map(msgspec.json.decode, frames)
    assert (welcome["offset"], welcome["recovered"], welcome["room"]) == (7, True, None)
    assert (renamed["type"], renamed["offset"]) == ("renamed", 9)
    assert [entry["player"]["id"] for entry in standings["entries"]] == [ANA.id, BO.id]


def test_before_the_race_there_are_no_standings_to_tell() -> None:
    room = a_room(players=2)

    frames = welcome_back(Missed(7, []), a_channel(room), epoch="e_1", now_ms=NOW_MS)

    assert len(list(frames)) == 1
