import asyncio
from datetime import date
from typing import Any

import pytest
from sqlalchemy import text, update

from server.store import recounting
from server.store.counting import Counting
from server.store.database import Database
from server.store.recounting import recount
from server.store.tables import rooms
from tests.store.builders import ON_POSTGRESQL, rows
from tests.store.finished import Finished, Result, a_daily, at_random, keep, somebody

A, B = somebody(0), somebody(1)
PATIENCE_S = 60

MADE = {
    "player_totals": "SELECT * FROM player_totals ORDER BY player_id, ruleset, draw, period, start",
    "player_days": "SELECT * FROM player_days ORDER BY player_id, day",
    "ratings": "SELECT * FROM ratings ORDER BY player_id, ruleset, draw",
    "rating_changes": """SELECT room_id, player_id, ruleset, draw, mu_before, sigma_before, mu,
        sigma, rating FROM rating_changes ORDER BY id""",
    "games": "SELECT id, counted_on FROM games ORDER BY id",
    "rooms": "SELECT id, settled FROM rooms ORDER BY id",
}


async def everything(database: Database) -> dict[str, list[Any]]:
    """All that is made from games."""
    return {name: await rows(database, query) for name, query in MADE.items()}


async def settle_all(database: Database) -> None:
    kept = Counting(database)
    for room_id in await kept.unsettled(10_000):
        assert await kept.settle(room_id)


async def test_a_recount_gives_what_counting_room_by_room_has_given(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recounting, "AT_ONCE", 7)
    monkeypatch.setattr(recounting, "RACES_AT_ONCE", 3)
    made = at_random(9, rooms=30, dailies=5)
    await keep(database, *made)
    await settle_all(database)
    before = await everything(database)
    assert all(before.values())

    assert await recount(database) == len(made)

    assert await everything(database) == before


async def test_a_recount_mends_what_is_wrong_and_counts_what_never_was(
    database: Database,
) -> None:
    await keep(database, *at_random(10, rooms=15, dailies=3))
    await settle_all(database)
    right = await everything(database)
    async with database.write() as connection:
        for wrong in (
            "UPDATE player_totals SET wins = wins + 7, rating = 1",
            "DELETE FROM player_days",
            "UPDATE ratings SET mu = 3",
            "UPDATE games SET counted_on = '2020-01-01' WHERE counted_on IS NOT NULL",
            "UPDATE rooms SET settled = FALSE WHERE kind = 'race'",
        ):
            await connection.execute(text(wrong))

    await recount(database)

    assert await everything(database) == right
    assert await Counting(database).unsettled() == []


async def test_a_daily_after_one_that_still_races_is_left_for_later(database: Database) -> None:
    first, second = (a_daily(date(2026, 11, day), Result(A, won=True)) for day in (1, 2))
    await keep(database, first, second)
    racing = update(rooms).where(rooms.c.id == first.id)
    async with database.write() as connection:
        await connection.execute(racing.values(state="racing"))

    assert await recount(database) == 0

    async with database.write() as connection:
        await connection.execute(racing.values(state="finished"))
    await settle_all(database)
    assert await rows(database, "SELECT run FROM player_days ORDER BY day") == [(1,), (2,)]


async def test_a_recount_of_nothing_makes_nothing(database: Database) -> None:
    assert await recount(database) == 0
    assert not any((await everything(database)).values())


@ON_POSTGRESQL
async def test_a_recount_waits_for_who_counts(database: Database) -> None:
    await keep(database, Finished("r_1", [Result(A), Result(B)]))
    async with database.write() as connection:
        await connection.execute(text("SELECT pg_advisory_xact_lock_shared(454787519)"))
        recounting_ = asyncio.create_task(recount(database))
        async with asyncio.timeout(PATIENCE_S):
            waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            while await rows(database, waiting) != [(1,)]:
                assert not recounting_.done()

    assert await recounting_ == 1
