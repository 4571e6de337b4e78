import asyncio
from datetime import datetime, timedelta

import pytest

from server.clock import ManualClock, SystemClock, now
from server.live import upkeep as upkeep_module
from server.live.upkeep import EVENTS_KEPT, Upkeep
from server.race.errors import Unavailable
from server.store.database import Database
from server.store.rooms import Rooms
from tests.live.builders import until
from tests.live.conftest import Logs
from tests.race.builders import ANA, BO, CY, OPENED, after
from tests.store.builders import a_kept_room, another_room, register, rows

KEPT = "SELECT room_id, version FROM room_events ORDER BY at"


async def test_events_are_forgotten_an_hour_after_they_happened(database: Database) -> None:
    rooms, clock = Rooms(database), ManualClock(OPENED)
    await register(database, ANA, BO, CY)
    room = await rooms.create(another_room())
    for second, player in ((0, BO), (60, CY)):
        events = room.join(player, game_id=f"g{second}", at=after(second))
        assert await rooms.save(room, events)
    upkeep = Upkeep(rooms, clock=clock)

    clock.advance(seconds=EVENTS_KEPT // timedelta(seconds=1))
    await upkeep.tidy()
    assert await rows(database, KEPT) == [(room.id, 2), (room.id, 3)]

    clock.advance(ms=1)
    await upkeep.tidy()
    assert await rows(database, KEPT) == [(room.id, 3)]

    clock.advance(seconds=60)
    await upkeep.tidy()
    assert await rows(database, KEPT) == []
    assert (await rooms.load(room.id)).version == 3, "only the way there is forgotten"


async def test_it_is_logged_how_much_was_forgotten_and_nothing_for_nothing(
    lite: Database, logs: Logs
) -> None:
    rooms, clock = Rooms(lite), ManualClock(after(10**6))
    room = await a_kept_room(lite, players=1)
    assert await rooms.save(room, room.cancel(ANA, at=after(1)))
    upkeep = Upkeep(rooms, clock=clock)

    await upkeep.tidy()
    await upkeep.tidy()

    told = [entry["count"] for entry in logs if entry["event"] == "events.forgotten"]
    assert told == [1]


class Failing(Rooms):
    """Rooms whose storage fails in one way after the other, and then works."""

    def __init__(self, database: Database, *failures: Exception) -> None:
        super().__init__(database)
        self._failures = [*failures]
        self.asked: list[datetime] = []

    async def forget_events(self, *, before: datetime) -> int:
        self.asked.append(before)
        if self._failures:
            raise self._failures.pop(0)
        return await super().forget_events(before=before)


async def test_it_goes_on_after_an_outage_and_after_a_fault(
    lite: Database, monkeypatch: pytest.MonkeyPatch, logs: Logs
) -> None:
    monkeypatch.setattr(upkeep_module, "EVERY_S", 0)
    rooms = Failing(lite, Unavailable("the database is away"), RuntimeError("a fault"))
    clock = SystemClock()
    running = asyncio.create_task(Upkeep(rooms, clock=clock).run())

    await until(lambda: len(rooms.asked) > 2)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)

    events = [entry["event"] for entry in logs]
    assert events[:2] == ["upkeep.skipped", "upkeep.failed"]
    assert now(clock) - rooms.asked[-1] >= EVENTS_KEPT
