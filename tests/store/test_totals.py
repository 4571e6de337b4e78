"""What is added to totals is tested with what has them added: counting and recounting."""

from datetime import date, timedelta

from server.race.periods import FIRST_DAY
from server.store.counting import Counting
from server.store.database import Database
from server.store.totals import count
from tests.store.builders import rows
from tests.store.finished import Finished, Result, a_daily, keep, somebody
from tests.store.plain import is_counted_once

A, B = somebody(0), somebody(1)


async def test_counting_notes_the_day_that_each_game_has_counted_for(database: Database) -> None:
    days = [date(2027, 12, 30) + timedelta(days=number) for number in range(5)]
    await keep(database, *(a_daily(day, Result(A, won=True)) for day in days))
    async with database.write() as connection:
        await connection.exec_driver_sql("UPDATE rooms SET settled = TRUE")
        await count(connection, "settled", behind="", up_to=A.id)

    noted = await rows(database, "SELECT counted_on FROM games ORDER BY 1")
    assert [str(day) for (day,) in noted] == [str(day) for day in days]
    weeks = "SELECT start, wins FROM player_totals WHERE period = 'week' ORDER BY 1"
    assert [(str(start), wins) for start, wins in await rows(database, weeks)] == [
        ("2027-12-27", 4),
        ("2028-01-03", 1),
    ]
    [(start, wins)] = await rows(
        database, "SELECT start, wins FROM player_totals WHERE period = 'all'"
    )
    assert (str(start), wins) == (str(FIRST_DAY), 5)


async def test_counting_up_to_a_player_leaves_the_others_for_later(database: Database) -> None:
    await keep(database, Finished("r_1", [Result(B, won=True), Result(A)]))
    async with database.write() as connection:
        await count(connection, "room", in_room="r_1", up_to=A.id)
        await count(connection, "room", in_room="r_1", up_to=A.id)

    assert await rows(database, "SELECT DISTINCT player_id FROM player_totals") == [(A.id,)]
    assert await Counting(database).settle("r_1")
    await is_counted_once(database)
