import asyncio
from datetime import datetime, timedelta

import pytest

from server.clock import ManualClock, SystemClock, now
from server.live import deadlines as deadlines_module
from server.live.deadlines import Deadlines
from server.race.errors import Unavailable
from server.race.room import Room
from server.store.database import Database
from tests.live.builders import Node, a_node, until
from tests.live.conftest import Logs
from tests.race.builders import ANA, a_room, after
from tests.store.builders import another_room, register


class Bell:
    """Remembers which rooms were to be looked at."""

    def __init__(self, deadlines: Deadlines) -> None:
        self.rung: list[str] = []
        deadlines.on_due = self.look

    async def look(self, room_id: str) -> None:
        self.rung.append(room_id)


def a_room_that_starts(at: datetime) -> Room:
    room = a_room(countdown_s=0)
    room.start(ANA, at=after(1))
    room.state, room.starts_at = "countdown", at
    return room


async def test_a_timer_rings_when_its_room_is_due(lite: Database) -> None:
    async with a_node(lite, clock=SystemClock()) as node:
        bell = Bell(node.deadlines)
        due_at = now(node.clock) + timedelta(milliseconds=60)

        node.deadlines.arm(a_room_that_starts(due_at))
        await until(lambda: bell.rung)

        assert bell.rung == ["r_1"]
        assert abs(now(node.clock) - due_at) < timedelta(milliseconds=50)
        assert node.deadlines._timers == {}


async def test_what_is_overdue_rings_at_once(lite: Database) -> None:
    async with a_node(lite) as node:
        bell = Bell(node.deadlines)

        node.deadlines.arm(a_room_that_starts(after(1)))

        await until(lambda: bell.rung)


async def test_what_is_far_ahead_is_left_to_the_sweep(lite: Database) -> None:
    async with a_node(lite) as node:
        node.deadlines.arm(a_room_that_starts(after(20 + 5)))

        assert node.deadlines._timers == {}


async def test_a_room_has_one_timer_and_none_when_nothing_is_due_any_more(lite: Database) -> None:
    async with a_node(lite) as node:
        bell = Bell(node.deadlines)
        room = a_room_that_starts(after(22))
        node.deadlines.arm(room)
        node.deadlines.arm(room)
        [timer] = node.deadlines._timers.values()

        room.cancel(ANA, at=after(21))
        node.deadlines.arm(room)

        assert (timer.cancelled(), node.deadlines._timers) == (True, {})
        assert bell.rung == []


async def a_kept_race(node: Node, *, starts_at: datetime) -> Room:
    await register(node.database, ANA)
    room = another_room(countdown_s=0)
    room.starts_at, room.state = starts_at, "countdown"
    return await node.rooms.create(room)


async def test_the_sweep_finds_what_no_timer_knows_of(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_race(node, starts_at=after(3))
        bell = Bell(node.deadlines)

        await node.deadlines.sweep_once()
        await until(lambda: bell.rung)

        assert bell.rung == [room.id]


async def test_the_sweep_leaves_alone_what_has_a_timer(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_race(node, starts_at=after(24))
        bell = Bell(node.deadlines)
        node.deadlines.arm(room)

        await node.deadlines.sweep_once()
        await asyncio.sleep(0)

        assert bell.rung == []


async def test_the_sweep_has_what_comes_soon_armed_so_that_it_is_punctual(lite: Database) -> None:
    clock = ManualClock(after(20))
    async with a_node(lite, clock=clock) as node:
        room = await a_kept_race(node, starts_at=after(24))

        await node.deadlines.sweep_once()
        await until(lambda: node.deadlines._timers)

        assert [*node.deadlines._timers] == [room.id]
        assert (await node.rooms.load(room.id)).state == "countdown"


async def test_the_sweep_goes_on_whatever_happens(
    lite: Database, monkeypatch: pytest.MonkeyPatch, logs: Logs
) -> None:
    monkeypatch.setattr(deadlines_module, "SWEEP_S", 0.001)
    async with a_node(lite) as node:
        faults: list[Exception] = [Unavailable("away"), RuntimeError("a fault")]
        rounds: list[datetime] = []
        real_due = node.rooms.due

        async def due(at: datetime) -> list[str]:
            rounds.append(at)
            if faults:
                raise faults.pop(0)
            return await real_due(at)

        monkeypatch.setattr(node.rooms, "due", due)
        node.tasks.start(node.deadlines.sweep(), name="sweep")
        await until(lambda: len(rounds) > 3)

        assert [entry["event"] for entry in logs] == ["sweep.skipped", "sweep.failed"]
        assert rounds[0] == after(20) + deadlines_module.LOOKAHEAD


async def test_a_room_that_cannot_be_looked_at_is_left_to_the_next_sweep(
    lite: Database, logs: Logs
) -> None:
    async with a_node(lite) as node:

        async def away(_room_id: str) -> None:
            raise Unavailable("away")

        node.deadlines.on_due = away
        node.deadlines.ring("r_1")
        await until(lambda: logs)

        assert [(e["event"], e["room"]) for e in logs] == [("room.left_to_the_next_sweep", "r_1")]


async def test_a_bell_that_nobody_hears_is_no_fault(lite: Database, logs: Logs) -> None:
    async with a_node(lite) as node:
        node.deadlines.on_due = None
        node.deadlines.ring("r_1")
        await until(lambda: not node.tasks._running)

        assert logs == []
