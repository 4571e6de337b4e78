import asyncio
from datetime import date, timedelta

import pytest

from server.clock import ManualClock
from server.live.ports import Prover
from server.live.winnable.planner import DAYS_AHEAD, MOST_CANDIDATES, Planner
from server.race.daily import DAY, Daily, day_of, start_of
from server.race.daily_deals import candidate
from server.race.deals import Chance
from server.race.errors import Unavailable, WrongState
from server.store.dailies import Dailies, PlannedDay
from server.store.database import Database
from server.store.rooms import Rooms
from tests.live.builders import a_node, until
from tests.live.conftest import Logs
from tests.live.provers import Hopeless, Lying, Solving
from tests.race.builders import OPENED
from tests.store.builders import rows

TODAY = day_of(OPENED)
TOMORROW = TODAY + DAY
SECRET = "06c0" * 16
"""With it, today's first candidate cannot be won, and the first ones of the next days can."""


async def a_planner(
    database: Database, *, prover: Prover | None = None, clock: ManualClock | None = None
) -> Planner:
    await Dailies(database).secret(fresh=SECRET)
    return Planner(
        Dailies(database),
        prover or Solving(),
        clock=clock or ManualClock(OPENED),
        chance=Chance(),
    )


async def planned(database: Database, since: date = TODAY) -> list[PlannedDay]:
    return await Dailies(database).planned(since=since, limit=20)


async def the_daily(database: Database, day: date) -> Daily:
    """A day's room as a node reads it."""
    room_id = await Dailies(database).room_of(day)
    room = await Rooms(database).load(str(room_id))
    assert isinstance(room, Daily)
    return room


async def test_today_and_the_next_days_are_planned_with_deals_that_can_be_won(
    database: Database,
) -> None:
    planner = await a_planner(database)

    await planner.plan_ahead()

    days = await planned(database)
    assert [one.day for one in days] == [TODAY + ahead * DAY for ahead in range(DAYS_AHEAD + 1)]
    for one in days:
        assert one.deal == candidate(SECRET, one.day, one.number)
        assert one.proof is not None
        assert one.proof.holds_for(one.deal.code)
        assert one.state == "open"


async def test_the_first_candidate_that_is_won_is_taken(lite: Database) -> None:
    prover = Solving()
    planner = await a_planner(lite, prover=prover)

    await planner.plan(TODAY)

    assert prover.asked == [candidate(SECRET, TODAY, number).code for number in (0, 1)]
    assert prover.short == [True, True]
    assert [one.number for one in await planned(lite)] == [1]


async def test_a_day_that_is_planned_is_left_alone(lite: Database) -> None:
    prover = Solving()
    planner = await a_planner(lite, prover=prover)
    await planner.plan_ahead()
    before, asked = await planned(lite), len(prover.asked)

    await planner.plan_ahead()

    assert await planned(lite) == before
    assert len(prover.asked) == asked


async def test_as_days_go_by_the_next_ones_are_planned(lite: Database) -> None:
    clock = ManualClock(OPENED)
    planner = await a_planner(lite, clock=clock)
    await planner.plan_ahead()
    before = await planned(lite)

    clock.advance(seconds=int(DAY.total_seconds()))
    await planner.plan_ahead()

    days = await planned(lite)
    assert days[:-1] == before
    assert days[-1].day == TOMORROW + DAYS_AHEAD * DAY


async def test_a_leap_day_has_its_daily(lite: Database) -> None:
    planner = await a_planner(lite, clock=ManualClock(start_of(date(2028, 2, 27))))

    await planner.plan_ahead()

    days = [one.day for one in await planned(lite)]
    assert days == [date(2028, 2, 27), date(2028, 2, 28), date(2028, 2, 29)]


async def test_a_day_that_nobody_planned_before_it_began_has_begun_on_time(
    lite: Database,
) -> None:
    late = start_of(TOMORROW) + timedelta(minutes=7)
    planner = await a_planner(lite, clock=ManualClock(late))

    await planner.plan(TOMORROW)

    room = await the_daily(lite, TOMORROW)
    assert room.is_due(late)
    room.advance(at=late)
    assert (room.state, room.started_at) == ("racing", start_of(TOMORROW))


async def test_two_nodes_that_plan_at_once_come_to_the_same_rooms(database: Database) -> None:
    one, other = await a_planner(database), await a_planner(database)

    await asyncio.gather(one.plan_ahead(), other.plan_ahead())

    days = await planned(database)
    kept = await rows(database, "SELECT id FROM rooms")
    assert sorted(kept) == sorted((day.room_id,) for day in days)
    assert len(days) == DAYS_AHEAD + 1
    assert await one.plan(TODAY) == await other.plan(TODAY) == days[0].room_id


async def test_nodes_without_a_secret_yet_agree_on_one(database: Database) -> None:
    planners = [
        Planner(Dailies(database), Solving(), clock=ManualClock(OPENED), chance=Chance())
        for _ in range(2)
    ]

    await asyncio.gather(*(planner.plan(TODAY) for planner in planners))

    [day] = await planned(database)
    secret = await Dailies(database).secret(fresh="another")
    assert day.deal == candidate(secret, TODAY, day.number)


async def test_a_line_that_does_not_win_is_never_kept(lite: Database, logs: Logs) -> None:
    prover = Lying(2)
    planner = await a_planner(lite, prover=prover)

    await planner.plan(TOMORROW)

    [day] = await planned(lite)
    assert day.number >= 2
    assert day.proof is not None
    assert day.proof.holds_for(day.deal.code)
    assert [entry["event"] for entry in logs][:2] == ["proof.does_not_hold"] * 2


async def test_what_is_planned_is_told_without_the_deal(lite: Database, logs: Logs) -> None:
    planner = await a_planner(lite)

    room_id = await planner.plan(TOMORROW)

    [entry] = logs
    assert (entry["event"], entry["day"], entry["room"]) == ("daily.planned", "2026-11-30", room_id)
    [day] = await planned(lite)
    assert day.deal.code.letters not in str(entry)
    assert day.deal.nonce not in str(entry)


async def test_a_day_without_a_deal_that_can_be_won_is_not_tried_for_ever(lite: Database) -> None:
    prover = Hopeless()
    planner = await a_planner(lite, prover=prover)

    with pytest.raises(Unavailable, match=str(TODAY)):
        await planner.plan(TODAY)

    assert len(prover.asked) == MOST_CANDIDATES
    assert await planned(lite) == []


async def test_a_running_planner_plans_at_once(lite: Database) -> None:
    planner = await a_planner(lite, prover=Solving())
    running = asyncio.create_task(planner.run())

    while len(await planned(lite)) <= DAYS_AHEAD:
        assert not running.done()
    running.cancel()

    await until(running.done)


# Replacing


async def test_a_replaced_day_deals_its_next_candidate(database: Database) -> None:
    planner = await a_planner(database)
    await planner.plan_ahead()
    old = await the_daily(database, TOMORROW)

    new = await planner.replace(old, number=0)

    day = (await planned(database, TOMORROW))[0]
    assert day.room_id == new.id != old.id
    assert day.number > 0
    assert day.deal == new.deal == candidate(SECRET, TOMORROW, day.number)
    assert (await Rooms(database).load(old.id)).state == "cancelled"


@pytest.mark.parametrize("late_ms", [0, 1])
async def test_a_day_that_has_begun_is_not_replaced(lite: Database, late_ms: int) -> None:
    clock = ManualClock(OPENED)
    prover = Solving()
    planner = await a_planner(lite, clock=clock, prover=prover)
    await planner.plan(TOMORROW)
    room, asked = await the_daily(lite, TOMORROW), len(prover.asked)
    clock.advance(ms=(start_of(TOMORROW) - OPENED) // timedelta(milliseconds=1) + late_ms)

    with pytest.raises(WrongState):
        await planner.replace(room, number=0)

    assert (await the_daily(lite, TOMORROW)).id == room.id
    assert (await Rooms(lite).load(room.id)).state == "open"
    assert len(prover.asked) == asked


async def test_a_day_that_begins_while_a_deal_is_sought_is_not_replaced(lite: Database) -> None:
    clock = ManualClock(start_of(TOMORROW) - timedelta(milliseconds=1))
    prover = Solving()
    planner = await a_planner(lite, clock=clock, prover=prover)
    await planner.plan(TOMORROW)
    room = await the_daily(lite, TOMORROW)
    prover.meanwhile = lambda: clock.advance(ms=1)

    with pytest.raises(WrongState):
        await planner.replace(room, number=0)

    assert (await the_daily(lite, TOMORROW)).id == room.id


async def test_a_day_that_somebody_else_replaces_first_is_replaced_once(
    database: Database,
) -> None:
    planner = await a_planner(database)
    await planner.plan(TOMORROW)
    read = await the_daily(database, TOMORROW), await the_daily(database, TOMORROW)
    new = await planner.replace(read[0], number=0)

    with pytest.raises(Unavailable, match=str(TOMORROW)):
        await planner.replace(read[1], number=0)

    assert (await the_daily(database, TOMORROW)).id == new.id
    assert await rows(database, "SELECT count(*) FROM rooms") == [(2,)]


async def test_who_watches_a_day_that_is_replaced_is_told(database: Database) -> None:
    planner = await a_planner(database)
    await planner.plan(TOMORROW)
    room = await the_daily(database, TOMORROW)
    async with a_node(database, clock=ManualClock(OPENED)) as node:
        with node.socket(room.id) as socket:
            await socket.hello()
            await planner.replace(room, number=0)

            for _ in range(2):  # by the second one knows that no hint is under way
                await node.reconciler.compare()

            told = await socket.expect("cancelled")
            assert told["reason"] == "replaced"
