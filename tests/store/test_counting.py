import asyncio
import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import event, func, update

from server.race.player import Player
from server.store import counting
from server.store.counting import Counting, settle_race
from server.store.database import Database
from server.store.tables import rooms
from tests.store.builders import ON_POSTGRESQL, rows
from tests.store.finished import NOON, Finished, Result, a_daily, at_random, keep, somebody
from tests.store.plain import is_counted_once

A, B = somebody(0), somebody(1)
BOT = somebody(7, "bot")
PATIENCE_S = 100

FIGURES = ("games", "wins", "placed", "fastest_ms", "winnings", "streak")
TOTALS = "SELECT * FROM player_totals ORDER BY player_id, ruleset, draw, period, start"


async def totals(database: Database, player: Player, period: str, *columns: str) -> list[Any]:
    """A player's totals of one kind of period, each with its start, oldest first."""
    read = await rows(
        database,
        f"SELECT {', '.join(('start', *columns))} FROM player_totals "  # noqa: S608 — names of this file
        "WHERE player_id = :id AND period = :period ORDER BY start, ruleset",
        id=player.id,
        period=period,
    )
    return [(str(start), *values) for start, *values in read]


async def settle_all(database: Database) -> None:
    kept = Counting(database)
    for room_id in await kept.unsettled(10_000):
        assert await kept.settle(room_id)
    assert await kept.unsettled() == []


async def set_state(database: Database, room: Finished, state: str) -> None:
    async with database.write() as connection:
        await connection.execute(update(rooms).where(rooms.c.id == room.id).values(state=state))


# What counts


async def test_a_race_is_counted_for_everyone_in_every_period_it_belongs_to(
    database: Database,
) -> None:
    won, lost = Result(A, won=True, took_s=90), Result(B, placed=7, rank=2)
    await keep(database, Finished("r_1", [won, lost]))

    async with database.write() as connection:
        await settle_race(connection, "r_1")

    for period, start in {
        "day": "2026-11-29",
        "week": "2026-11-23",
        "month": "2026-11-01",
        "all": "1970-01-01",
    }.items():
        of_a = (start, 1, 1, 52, 90_000, None, None)
        assert await totals(database, A, period, *FIGURES) == [of_a]
        assert await totals(database, B, period, *FIGURES) == [(start, 1, 0, 7, None, None, None)]
    assert await rows(database, "SELECT DISTINCT settled FROM rooms") == [(True,)]


async def test_what_does_not_count_is_settled_without_a_trace(database: Database) -> None:
    two = [Result(A, won=True), Result(B)]
    await keep(
        database,
        Finished("r_unranked", two, ranked=False),
        Finished("r_alone", [Result(A, won=True)]),
    )

    await settle_all(database)

    for table in ("player_totals", "player_days", "ratings", "rating_changes"):
        assert await rows(database, f"SELECT * FROM {table}") == []  # noqa: S608 — names of this file
    assert await rows(database, "SELECT * FROM games WHERE counted_on IS NOT NULL") == []


@pytest.mark.parametrize("state", ["racing", "cancelled"])
async def test_a_room_that_has_not_finished_is_left_alone(database: Database, state: str) -> None:
    room = Finished("r_1", [Result(A), Result(B)])
    await keep(database, room)
    await set_state(database, room, state)

    async with database.write() as connection:
        await settle_race(connection, room.id)

    assert await Counting(database).unsettled() == []
    assert not await Counting(database).settle(room.id)
    assert await rows(database, "SELECT * FROM player_totals") == []
    assert await rows(database, "SELECT settled FROM rooms") == [(False,)]


async def test_a_daily_counts_however_few_play_it(database: Database) -> None:
    await keep(database, a_daily(NOON.date(), Result(A, won=True, took_s=61)))

    await settle_all(database)

    today = ("2026-11-29", 1, 1, 52, 61_000, None, 1)
    assert await totals(database, A, "day", *FIGURES) == [today]
    assert await rows(database, "SELECT * FROM ratings") == [], "there is nobody to compare with"


async def test_the_fastest_win_is_of_sealed_rooms_and_the_winnings_are_of_ch1(
    database: Database,
) -> None:
    def race(number: int, *, ruleset: str = "CF1", sealed: bool = True) -> Finished:
        results = [Result(A, won=True, took_s=100 + number, score=-number), Result(B)]
        return Finished(f"r_{number}", results, ruleset=ruleset, sealed=sealed)

    await keep(database, race(1, sealed=False), race(3), race(2), race(4, ruleset="CH1"))
    await keep(database, race(5, ruleset="CH1", sealed=False))

    await settle_all(database)

    assert await totals(database, A, "all", "ruleset", *FIGURES) == [
        ("1970-01-01", "CF1", 3, 3, 156, 102_000, None, None),
        ("1970-01-01", "CH1", 2, 2, 104, 104_000, -9, None),
    ]


async def test_bots_are_counted_as_bots(database: Database) -> None:
    await keep(database, Finished("r_1", [Result(A), Result(BOT, won=True)]))

    await settle_all(database)

    kinds = await rows(database, "SELECT DISTINCT player_id, kind FROM player_totals ORDER BY 1")
    assert kinds == [(A.id, "human"), (BOT.id, "bot")]


# Periods


async def test_a_game_of_a_race_belongs_to_the_day_of_its_own_end(database: Database) -> None:
    before_midnight = NOON + timedelta(hours=11, minutes=58)
    results = [Result(A, took_s=120), Result(B, took_s=119.999)]
    await keep(database, Finished("r_1", results, started_at=before_midnight))

    await settle_all(database)

    assert await totals(database, A, "day") == [("2026-11-30",)]
    assert await totals(database, A, "week") == [("2026-11-30",)]
    assert await totals(database, B, "day") == [("2026-11-29",)]
    assert await totals(database, B, "week") == [("2026-11-23",)]


async def test_a_daily_belongs_to_its_own_day_also_where_it_ended_on_the_next(
    database: Database,
) -> None:
    last = Result(A, won=True, joined_s=86_399, took_s=1800)
    await keep(database, a_daily(date(2026, 11, 30), last))

    await settle_all(database)

    own_day = ("2026-11-30", 1, 1_800_000)
    assert await totals(database, A, "day", "streak", "fastest_ms") == [own_day]
    assert await totals(database, A, "month") == [("2026-11-01",)]


async def test_a_week_may_lie_in_two_years(database: Database) -> None:
    days = [date(2026, 12, 27) + timedelta(days=number) for number in range(9)]
    await keep(database, *(a_daily(day, Result(A)) for day in days))

    await settle_all(database)

    assert await totals(database, A, "week", "games") == [
        ("2026-12-21", 1),
        ("2026-12-28", 7),
        ("2027-01-04", 1),
    ]
    assert await totals(database, A, "month", "games") == [("2026-12-01", 5), ("2027-01-01", 4)]


# Runs of days


def days_of(*texts: str) -> list[date]:
    return [date.fromisoformat(text) for text in texts]


@pytest.mark.parametrize(
    ("won", "runs"),
    [
        (days_of("2028-02-28", "2028-02-29", "2028-03-01"), [1, 2, 3]),
        (days_of("2027-02-28", "2027-03-01"), [1, 2]),
        (days_of("2026-12-30", "2026-12-31", "2027-01-01"), [1, 2, 3]),
        (days_of("2026-11-01", "2026-11-02", "2026-11-04", "2026-11-05"), [1, 2, 1, 2]),
    ],
    ids=["leap day", "no leap day", "new year", "a day missed"],
)
async def test_a_run_grows_day_by_day_and_a_missed_day_ends_it(
    database: Database, won: list[date], runs: list[int]
) -> None:
    every = [won[0] + timedelta(days=n) for n in range((won[-1] - won[0]).days + 1)]
    await keep(database, *(a_daily(day, Result(A, won=day in won), Result(B)) for day in every))

    await settle_all(database)

    assert await rows(database, "SELECT run FROM player_days ORDER BY day") == [(n,) for n in runs]
    streaks = await totals(database, A, "day", "streak")
    assert streaks == [(str(d), runs[won.index(d)] if d in won else None) for d in every]
    assert await totals(database, A, "all", "streak") == [("1970-01-01", max(runs))]


async def test_a_daily_waits_for_the_one_before_it(database: Database) -> None:
    days = [date(2026, 11, 1) + timedelta(days=number) for number in range(3)]
    first, second, third = (a_daily(day, Result(A, won=True)) for day in days)
    await keep(database, third, first, second)
    kept = Counting(database)

    assert not await kept.settle(third.id)
    assert await kept.unsettled() == [first.id, second.id, third.id]
    await set_state(database, first, "racing")
    assert not await kept.settle(second.id), "the day before may still be won"
    assert await rows(database, "SELECT * FROM player_totals") == []
    await set_state(database, first, "finished")

    await settle_all(database)

    assert await rows(database, "SELECT run FROM player_days ORDER BY day") == [(1,), (2,), (3,)]


# Once


async def test_settling_again_changes_nothing(database: Database) -> None:
    await keep(database, *at_random(3, rooms=10, dailies=3))
    await settle_all(database)
    before = await rows(database, TOTALS)
    ids = [room_id for (room_id,) in await rows(database, "SELECT id FROM rooms")]

    for room_id in ids:
        assert await Counting(database).settle(room_id)
        async with database.write() as connection:
            await settle_race(connection, room_id)

    assert await rows(database, TOTALS) == before


class Killed(Exception):
    """The process is no more."""


@contextmanager
def killed_at(database: Database, statement: int) -> Iterator[None]:
    """Kill whoever writes at the statement of this number, counted over all transactions."""
    left = [statement]

    def on_execute(*_: Any) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Killed

    assert database._writer is not None
    engine = database._writer.sync_engine
    event.listen(engine, "before_cursor_execute", on_execute)
    try:
        yield
    finally:
        event.remove(engine, "before_cursor_execute", on_execute)


async def test_a_daily_is_counted_once_wherever_the_process_was_killed(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "CHUNK", 3)
    chance, field = random.Random(5), [somebody(number) for number in range(8)]
    kept, day, deaths, done = Counting(database), date(2026, 11, 1), 0, False
    while not done:
        results = [Result(o, won=chance.random() < 0.7, rank=chance.randint(1, 4)) for o in field]
        daily = a_daily(day, *results)
        await keep(database, daily)
        try:
            with killed_at(database, deaths):
                done = await kept.settle(daily.id)
        except Killed:
            assert await kept.unsettled() == [daily.id]
            assert await kept.settle(daily.id)
            day, deaths = day + timedelta(days=1), deaths + 1

    assert deaths > 20, "several transactions have been killed at each of their statements"
    await is_counted_once(database)
    rated = await rows(database, "SELECT room_id, count(*) FROM rating_changes GROUP BY 1")
    assert [count for _, count in rated] == [8] * (deaths + 1)


async def settle_as_a_node(database: Database, seed: int) -> None:
    """Settle whatever is unsettled, in an order of the node's own, until nothing is."""
    kept, chance = Counting(database), random.Random(seed)
    while room_ids := await kept.unsettled(1000):
        chance.shuffle(room_ids)
        for room_id in room_ids:
            await kept.settle(room_id)


async def test_two_nodes_that_settle_at_once_count_nothing_twice(
    database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "CHUNK", 3)
    await keep(database, *at_random(4, rooms=40, dailies=5))
    other = database if database.is_sqlite else Database(database_url)
    if other is not database:
        await other.open()
    try:
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(settle_as_a_node(database, 1), settle_as_a_node(other, 2))
    finally:
        if other is not database:
            await other.close()

    await is_counted_once(database)


@ON_POSTGRESQL
async def test_during_a_recount_nothing_is_counted_and_nothing_lost(database: Database) -> None:
    await keep(database, Finished("r_1", [Result(A), Result(B)]))
    kept = Counting(database)
    async with database.write() as recount:
        await recount.execute(func.pg_advisory_xact_lock(counting.RECOUNT_LOCK).select())

        async with database.write() as connection:
            await settle_race(connection, "r_1")
        assert not await kept.settle("r_1")
        assert await kept.unsettled() == ["r_1"]

    assert await kept.settle("r_1")
    await is_counted_once(database)
