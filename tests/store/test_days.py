from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import select

from server.race.periods import Entry, calendar, day_number
from server.store.database import Database
from server.store.days import DAY_NUMBER, OWN_TIME_MS, day_counted, days_table, days_text
from server.store.tables import games, rooms
from tests.store.finished import Finished, Result, a_daily, keep, somebody

A = somebody(1)


async def test_a_table_of_days_can_be_read_as_any_other(database: Database) -> None:
    async with database.read() as connection:
        days = select(days_table(connection.dialect.name))
        found = (await connection.execute(days, {"days": days_text([0, 21_243])})).all()

    assert [Entry(*row) for row in found] == calendar([0, 21_243])
    assert Entry(21_243, date(2028, 2, 29), "month", date(2028, 2, 1)) in [Entry(*r) for r in found]


@pytest.mark.parametrize(
    ("ended_at", "day"),
    [
        (datetime(2028, 2, 29, 23, 59, 59, 999_000, tzinfo=UTC), date(2028, 2, 29)),
        (datetime(2028, 3, 1, tzinfo=UTC), date(2028, 3, 1)),
    ],
)
async def test_a_game_belongs_to_the_day_on_which_it_ended(
    database: Database, ended_at: datetime, day: date
) -> None:
    started_at = ended_at - timedelta(seconds=300)
    await keep(database, Finished("r_1", [Result(A, took_s=300)], started_at=started_at))

    assert await day_and_time(database) == (day_number(day), 300_000)


async def test_a_game_of_a_daily_belongs_to_its_day_and_goes_by_its_own_clock(
    database: Database,
) -> None:
    day = date(2028, 2, 29)
    await keep(database, a_daily(day, Result(A, joined_s=86_399, took_s=2)))

    assert await day_and_time(database) == (day_number(day), 2000)


async def day_and_time(database: Database) -> tuple[int, int]:
    async with database.read() as connection:
        which = (DAY_NUMBER, day_counted(connection.dialect.name), OWN_TIME_MS)
        query = select(*which).join_from(games, rooms, rooms.c.id == games.c.room_id)
        number, day, took_ms = (await connection.execute(query)).one()
    assert day_number(day) == number
    return number, took_ms
