"""Reading dailies again every second: how often, which, and who is let in by it."""

import asyncio
from collections.abc import Collection
from datetime import timedelta

import pytest

from server.clock import ManualClock
from server.live import pulse
from server.race.daily import Daily
from server.race.errors import Unavailable
from server.race.room import Room
from server.store.database import Database
from server.store.rooms import Rooms
from tests.live.builders import Frame, Node, a_node, until
from tests.live.conftest import Logs
from tests.race.builders import ANA, BO, CY, a_daily
from tests.store.builders import a_kept_daily, a_kept_room, register

NOON = a_daily().opens_at + timedelta(hours=12)


class Reading(Rooms):
    """Real rooms that note what is read to be shown, and can be away.

    Attributes:
        shown: the rooms, each with the players asked for.
        away: whether nothing can be read.
    """

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.shown: list[tuple[str, set[str]]] = []
        self.away = False

    async def load_shown(self, room_id: str, *, asked_for: Collection[str] = ()) -> Room:
        if self.away:
            raise Unavailable("away")
        self.shown.append((room_id, set(asked_for)))
        return await super().load_shown(room_id, asked_for=asked_for)


def watch(node: Node) -> Reading:
    """Have what the pulse reads noted."""
    reading = Reading(node.database)
    node.pulse._rooms = reading
    return reading


def of_kind(frames: list[Frame], kind: str) -> list[Frame]:
    return [frame for frame in frames if frame["type"] == kind]


async def a_day(database: Database) -> Daily:
    await register(database, ANA, BO, CY)
    return await a_kept_daily(database, racing=True)


async def test_a_beat_reads_each_daily_under_way_once_for_all_its_sockets(lite: Database) -> None:
    daily = await a_day(lite)
    planned = await a_kept_daily(lite, day=daily.closes_at.date(), room_id="r_tomorrow")
    async with a_node(lite, clock=ManualClock(NOON)) as node:
        await node.join(daily.id, ANA)
        with (
            node.socket(daily.id) as ana,
            node.socket(daily.id) as bo,
            node.socket(daily.id) as watcher,
            node.socket(planned.id) as early,
        ):
            for socket, player in ((ana, ANA), (bo, BO), (watcher, None), (early, CY)):
                await socket.hello(player)
            reading = watch(node)

            await node.pulse.beat()

            assert [room_id for room_id, _ in reading.shown] == [daily.id]
            assert reading.shown[0][1] >= {ANA.id, BO.id}
            assert CY.id not in reading.shown[0][1]


async def test_races_and_finished_days_are_not_read(lite: Database) -> None:
    daily = await a_day(lite)
    race = await a_kept_room(lite, players=0, racing=False)
    async with a_node(lite, clock=ManualClock(daily.closes_at + timedelta(days=1))) as node:
        with node.socket(daily.id) as one, node.socket(race.id) as other:
            await one.hello()
            await other.hello()
            reading = watch(node)

            await node.pulse.beat()

            assert reading.shown == []


async def test_nobody_is_read_when_nobody_watches(lite: Database) -> None:
    daily = await a_day(lite)
    async with a_node(lite, clock=ManualClock(NOON)) as node:
        with node.socket(daily.id) as socket:
            await socket.hello()
        reading = watch(node)

        await node.pulse.beat()

        assert reading.shown == []


async def test_only_those_who_race_are_told_how_they_stand_at_each_beat(lite: Database) -> None:
    daily = await a_day(lite)
    async with a_node(lite, clock=ManualClock(NOON)) as node:
        await node.join(daily.id, ANA)
        await node.join(daily.id, BO)
        await node.referee.resign(daily.id, player=BO)
        with (
            node.socket(daily.id) as racing,
            node.socket(daily.id) as resigned,
            node.socket(daily.id) as watching,
        ):
            for socket, player in ((racing, ANA), (resigned, BO), (watching, CY)):
                await socket.hello(player)
                assert len(of_kind(socket.listen(), "you")) == (player is not CY)

            await node.pulse.beat()
            await node.pulse.beat()
            await node.at_rest()

            assert len(of_kind(racing.listen(), "you")) == 2
            assert of_kind(resigned.listen(), "you") == []
            assert of_kind(watching.listen(), "you") == []


async def test_who_joins_and_waits_here_is_let_in_without_a_beat(lite: Database) -> None:
    daily = await a_day(lite)
    async with a_node(lite, clock=ManualClock(NOON)) as node:
        with node.socket(daily.id) as socket, node.socket(daily.id) as other:
            await socket.hello(ANA)
            await other.hello(BO)
            socket.listen()

            await node.join(daily.id, ANA)
            await node.at_rest()

            kinds = [frame["type"] for frame in socket.listen() if frame["type"] != "standings"]
            assert kinds == ["you", "game"]
            assert of_kind(other.listen(), "you") == []
            assert set(node.channel_of(daily.id).players) == {ANA.id}


async def test_nothing_is_read_for_someone_who_joins_without_a_socket(lite: Database) -> None:
    daily = await a_day(lite)
    async with a_node(lite, clock=ManualClock(NOON)) as node:
        with node.socket(daily.id) as socket:
            await socket.hello(BO)
            reading = watch(node)

            await node.join(daily.id, ANA)
            await node.at_rest()

            assert reading.shown == []


async def test_a_beat_lets_in_who_was_not_heard_of(lite: Database) -> None:
    daily = await a_day(lite)
    async with a_node(lite, clock=ManualClock(NOON)) as node, a_node(lite) as unheard:
        with node.socket(daily.id) as socket:
            await socket.hello(ANA)
            socket.listen()
            seat = daily.admit(ANA, game_id="g_ana", at=NOON)
            assert await unheard.attempts_kept.enter(daily, seat)

            await node.pulse.beat()
            await node.at_rest()

            frames = socket.listen()
            assert [frame["state"] for frame in of_kind(frames, "game")] == ["racing"]
            assert of_kind(frames, "you")[0]["entry"]["rank"] == 1


async def test_who_asks_for_a_daily_at_the_same_time_shares_a_reading(lite: Database) -> None:
    daily = await a_day(lite)
    async with a_node(lite, clock=ManualClock(NOON)) as node:
        reading = watch(node)

        rooms = await asyncio.gather(*(node.pulse.read(daily.id) for _ in range(20)))

        assert {room.id for room in rooms} == {daily.id}
        assert len(reading.shown) == 1


async def test_a_version_that_was_not_told_is_caught_up_with(lite: Database) -> None:
    daily = await a_kept_daily(lite)
    await register(lite, ANA)
    async with a_node(lite, clock=ManualClock(daily.opens_at - timedelta(seconds=1))) as node:
        with node.socket(daily.id) as socket:
            await socket.hello()
            assert socket.listen()[0]["room"]["state"] == "open"
            assert await Rooms(lite).save(daily, daily.advance(at=daily.opens_at))

            room = await node.pulse.refresh(daily.id, socket.channel)

            assert room.state == "racing"
            assert [frame["type"] for frame in socket.listen()] == ["countdown", "started"]
            assert socket.channel.room is not None
            assert socket.channel.room.version == room.version


async def test_what_is_older_than_known_changes_nothing(lite: Database) -> None:
    daily = await a_day(lite)
    async with a_node(lite, clock=ManualClock(NOON)) as node:
        await node.join(daily.id, ANA)
        with node.socket(daily.id) as socket:
            await socket.hello()
            socket.listen()
            known = socket.channel.room
            assert known is not None
            known.version += 1  # as if this node had just been told a change that it reads too late

            await node.pulse.refresh(daily.id, socket.channel)
            await node.at_rest()

            assert socket.channel.room is known
            assert socket.listen() == []


async def test_a_beat_that_fails_is_made_up_for_by_the_next(
    lite: Database, logs: Logs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pulse, "EVERY_S", 0)
    daily = await a_day(lite)
    async with a_node(lite, clock=ManualClock(NOON)) as node:
        await node.join(daily.id, ANA)
        with node.socket(daily.id) as socket:
            await socket.hello(ANA)
            socket.listen()
            reading = watch(node)
            reading.away = True
            node.tasks.start(node.pulse.run(), name="pulse")
            await until(lambda: any(entry["event"] == "pulse.skipped" for entry in logs))
            assert of_kind(socket.listen(), "you") == []

            reading.away = False

            assert (await socket.expect("you"))["state"] == "racing"
