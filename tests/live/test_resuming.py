from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from server.clock import now
from server.live import resuming
from server.live.channel import MOST_AHEAD_MS, Channel
from server.live.messages import Since
from server.live.offsets import STEP, Place
from server.live.resuming import Missed, find_missed
from server.race.errors import Unavailable
from server.race.room import Change, Room
from server.store.database import Database
from server.store.rooms import Rooms
from tests.live.builders import Node, a_node
from tests.race.builders import ANA, BO, CY, after
from tests.store.builders import a_kept_room, register


class Stream:
    """A room with a history, watched on a node."""

    def __init__(self, node: Node, channel: Channel, room: Room) -> None:
        self.node = node
        self.channel = channel
        self.room = room

    @property
    def version(self) -> int:
        return self.channel.place.version

    async def missed(self, version: int, tick: int = 0) -> Missed | None:
        """What somebody has missed who knows up to a place."""
        return await self.missed_since(Place(version, tick).offset)

    async def missed_since(self, offset: int) -> Missed | None:
        since = Since(epoch=self.node.hub.epoch, offset=offset)
        now_ms = self.node.clock.now_ms()
        return await find_missed(self.node.rooms, self.channel, since, now_ms=now_ms)


@asynccontextmanager
async def a_stream(database: Database) -> AsyncIterator[Stream]:
    """A room of two that came to version 6, its race on, and a node that has told all of it."""
    async with a_node(database) as node:
        room = await a_kept_room(database, players=2, countdown_s=0)
        await register(database, CY)
        with node.socket(room.id) as eye:
            await eye.hello()
            await node.join(room.id, CY)
            await node.change(room.id, "leave", CY)
            await node.change(room.id, "start", ANA)
            yield Stream(node, eye.channel, room)


def told(missed: Missed | None) -> list[tuple[str, int]]:
    """The events of what was missed, with the versions their offsets say."""
    assert missed is not None
    assert all(event.offset % STEP == 0 for event in missed.events)
    return [(str(event.__struct_config__.tag), event.offset // STEP) for event in missed.events]


HISTORY = [("joined", 3), ("left", 4), ("countdown", 5), ("started", 6)]


@pytest.mark.parametrize("known", [2, 3, 4, 5])
async def test_every_event_after_the_place_is_found_in_order(
    database: Database, known: int
) -> None:
    async with a_stream(database) as stream:
        missed = await stream.missed(known)

        assert told(missed) == HISTORY[known - 2 :]
        assert missed is not None
        assert missed.after == Place(known, 0).offset


async def test_it_is_no_matter_how_late_in_an_older_version_the_place_lies(lite: Database) -> None:
    async with a_stream(lite) as stream:
        missed = await stream.missed(4, tick=STEP - 1)

        assert told(missed) == HISTORY[2:]


async def test_who_knows_the_newest_version_has_missed_no_event_and_asks_nobody(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_stream(lite) as stream:

        async def asked(*_: object) -> Change:
            raise AssertionError("the database was asked")

        monkeypatch.setattr(stream.node.rooms, "change_since", asked)
        tick = stream.channel.place.tick + 500

        missed = await stream.missed(stream.version, tick)

        assert missed == Missed(Place(stream.version, tick).offset, [])
        assert stream.channel.place.tick >= tick, "what comes next has a greater offset"


async def test_a_place_that_no_node_can_have_come_to_is_not_gone_on_from(lite: Database) -> None:
    async with a_stream(lite) as stream:
        assert stream.channel.room is not None
        assert stream.channel.room.started_at is not None
        race_ms = (now(stream.node.clock) - stream.channel.room.started_at).total_seconds() * 1000
        furthest = int(race_ms) + MOST_AHEAD_MS

        for version, tick in [
            (stream.version, furthest + 1),
            (stream.version, STEP - 1),
            (stream.version + 1, 0),
            (stream.version + 10**6, 0),
        ]:
            assert await stream.missed(version, tick) is None
        assert await stream.missed(stream.version, furthest) is not None


@pytest.mark.parametrize("offset", [0, -1, -STEP, STEP - 1, -(10**30), 10**30])
async def test_an_offset_that_says_nothing_is_not_gone_on_from(lite: Database, offset: int) -> None:
    async with a_stream(lite) as stream:
        assert await stream.missed_since(offset) is None


async def test_where_events_have_been_forgotten_there_is_no_way_on(database: Database) -> None:
    async with a_stream(database) as stream:
        async with database.write() as connection:
            await connection.exec_driver_sql("DELETE FROM room_events WHERE version <= 4")

        assert await stream.missed(3) is None
        assert told(await stream.missed(4)) == HISTORY[2:]


async def test_a_room_that_has_not_been_read_cannot_be_gone_on_from(lite: Database) -> None:
    async with a_node(lite) as node:
        since = Since(epoch=node.hub.epoch, offset=Place(1, 0).offset)

        assert await find_missed(node.rooms, Channel(), since, now_ms=0) is None


async def test_storage_that_does_not_answer_is_told(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_stream(lite) as stream:

        async def away(*_: object) -> Change:
            raise Unavailable("the database is away")

        monkeypatch.setattr(stream.node.rooms, "change_since", away)

        with pytest.raises(Unavailable):
            await stream.missed(3)


# While it is read


async def change_meanwhile(stream: Stream, times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the room change on this node after it has been read, so many times."""
    real_change_since = Rooms.change_since
    left = times

    async def change_since(room_id: str, version: int) -> Change:
        nonlocal left
        change = await real_change_since(stream.node.rooms, room_id, version)
        if left:
            left -= 1
            renamed = stream.node.seat(change.room, BO).player
            await stream.node.change(room_id, "rename", renamed)
        return change

    monkeypatch.setattr(stream.node.rooms, "change_since", change_since)


async def test_what_happens_while_it_is_read_is_in_it(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_stream(lite) as stream:
        await change_meanwhile(stream, resuming.MOST_TRIES - 1, monkeypatch)

        missed = await stream.missed(4)

        renamed = [("renamed", 7), ("renamed", 8)]
        assert told(missed) == HISTORY[2:] + renamed
        assert stream.version == 8


async def test_a_room_that_changes_all_the_time_is_told_whole(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_stream(lite) as stream:
        await change_meanwhile(stream, resuming.MOST_TRIES, monkeypatch)

        assert await stream.missed(4) is None


async def test_what_has_not_been_told_here_yet_is_left_to_the_channel(lite: Database) -> None:
    async with a_stream(lite) as stream, a_node(lite) as other:
        await other.change(stream.room.id, "rename", BO)

        assert told(await stream.missed(4)) == HISTORY[2:]


# From hello on


async def test_a_client_that_comes_back_hears_what_it_missed_and_goes_on(
    database: Database,
) -> None:
    async with a_stream(database) as stream:
        node = stream.node
        with node.socket(stream.room.id) as eye:
            known = {"epoch": node.hub.epoch, "offset": Place(3, 0).offset}
            await eye.say("hello", since=known)
            await node.change(stream.room.id, "rename", BO)

            frames = eye.listen()
            kinds = [frame["type"] for frame in frames if frame["type"] != "standings"]
            assert kinds == ["welcome", "left", "countdown", "started", "renamed"]
            assert frames[0]["recovered"] is True
            assert (frames[0]["room"], frames[0]["offset"]) == (None, known["offset"])
            offsets = [frame["offset"] for frame in frames]
            assert offsets == sorted(set(offsets))


@pytest.mark.parametrize(
    "known",
    [{"epoch": "other"}, {"offset": 0}, {"offset": -5}, {"offset": 10**18}],
    ids=["another epoch", "zero", "negative", "absurd"],
)
async def test_a_client_whose_place_leads_nowhere_is_told_the_room_whole(
    lite: Database, known: dict[str, Any]
) -> None:
    async with a_stream(lite) as stream:
        node = stream.node
        with node.socket(stream.room.id) as eye:
            since = {"epoch": node.hub.epoch, "offset": Place(3, 0).offset}
            await eye.say("hello", since=since | known)

            [welcome] = eye.listen()
            assert welcome["recovered"] is False
            assert welcome["room"]["state"] == "racing"
            assert welcome["offset"] >= Place(6, 0).offset


async def test_the_race_goes_on_for_who_knew_the_newest_version(lite: Database) -> None:
    async with a_stream(lite) as stream:
        node = stream.node
        with node.socket(stream.room.id) as eye:
            offset = Place(stream.version, 900).offset
            await eye.say("hello", since={"epoch": node.hub.epoch, "offset": offset})

            welcome, standings = eye.listen()
            assert (welcome["recovered"], welcome["offset"]) == (True, offset)
            assert [entry["player"]["id"] for entry in standings["entries"]] == [ANA.id, BO.id]
            assert standings["offset"] > offset


async def test_events_are_found_after_a_restart(database: Database) -> None:
    async with a_stream(database) as stream:
        room_id, epoch = stream.room.id, stream.node.hub.epoch
    async with a_node(database) as node:
        with node.socket(room_id) as eye:
            await eye.say("hello", since={"epoch": epoch, "offset": Place(4, 0).offset})

            kinds = [frame["type"] for frame in eye.listen()]
            assert kinds == ["welcome", "countdown", "started", "standings"]


async def test_events_of_a_long_ago_are_gone_and_the_room_is_told_whole(lite: Database) -> None:
    async with a_stream(lite) as stream:
        await stream.node.rooms.forget_events(before=after(10**6))
        with stream.node.socket(stream.room.id) as eye:
            offset = Place(3, 0).offset
            await eye.say("hello", since={"epoch": stream.node.hub.epoch, "offset": offset})

            assert eye.listen()[0]["recovered"] is False
