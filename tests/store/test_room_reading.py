import pytest
from sqlalchemy import select

from server.race.daily import Daily
from server.race.errors import NotFound
from server.store.attempts import Attempts
from server.store.database import Database
from server.store.room_reading import read_room, read_rooms, show_seats
from server.store.tables import rooms
from tests.race.builders import ANA, BO
from tests.store.builders import a_kept_daily, a_kept_room, register


async def test_a_race_is_read_whole_and_a_daily_without_its_seats(database: Database) -> None:
    race = await a_kept_room(database, players=2)
    daily = await a_kept_daily(database, racing=True)
    seat = daily.admit(ANA, game_id="g_daily", at=daily.opens_at)
    assert await Attempts(database).enter(daily, seat)

    async with database.read() as connection:
        read = {room.id: room for room in await read_rooms(connection, select(rooms))}

    assert [seat.player for seat in read[race.id].seats] == [ANA, BO]
    assert read[daily.id].seats == []
    assert (read[daily.id].player_count, read[daily.id].nobody_races) == (1, False)


async def test_what_is_shown_of_a_daily_is_read_when_it_is_wanted(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    await register(database, ANA)
    seat = daily.admit(ANA, game_id="g_daily", at=daily.opens_at)
    assert await Attempts(database).enter(daily, seat)

    async with database.read() as connection:
        bare = await read_room(connection, daily.id)
        shown = await show_seats(connection, bare, [])

    assert isinstance(shown, Daily)
    assert [(seat.player, seat.rank) for seat in shown.seats] == [(ANA, 1)]
    assert bare.seats == [], "what was read before is left as it was"


async def test_a_room_that_is_not_there_is_not_found(database: Database) -> None:
    async with database.read() as connection:
        with pytest.raises(NotFound):
            await read_room(connection, "r_none")
