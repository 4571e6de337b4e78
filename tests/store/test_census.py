from typing import Any

import pytest
from sqlalchemy import Select
from sqlalchemy.dialects import sqlite

from server.race.errors import Unavailable
from server.store.census import RACING_GAMES, ROOMS_BY_STATE, Census, take_census
from server.store.database import Database
from server.store.games import Games
from server.store.rooms import Rooms
from tests.race.builders import ANA, after
from tests.store.builders import ON_SQLITE, a_kept_room, another_room, finish, rows


async def test_an_empty_database_has_none_of_each(database: Database) -> None:
    nothing = Census(rooms={"open": 0, "countdown": 0, "racing": 0}, racing_games=0)

    assert await take_census(database) == nothing


async def test_live_rooms_are_counted_by_state_and_games_while_they_are_played(
    database: Database,
) -> None:
    race = await a_kept_room(database, players=3, racing=True)
    rooms = Rooms(database)
    for _ in range(2):
        await rooms.create(another_room())
    starting = another_room(countdown_s=60)
    starting.start(ANA, at=after(10))
    await rooms.create(starting)
    await Games(database).end("g_ana", state="resigned", at=after(20))

    before = await take_census(database)
    await finish(database, race.id)
    afterwards = await take_census(database)

    assert before == Census({"open": 2, "countdown": 1, "racing": 1}, racing_games=2)
    assert afterwards == Census({"open": 2, "countdown": 1, "racing": 0}, racing_games=0)


@ON_SQLITE
@pytest.mark.parametrize("query", [ROOMS_BY_STATE, RACING_GAMES], ids=["rooms", "games"])
async def test_no_table_is_read_through(database: Database, query: Select[Any]) -> None:
    statement = query.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True})

    plan = await rows(database, f"EXPLAIN QUERY PLAN {statement}")

    steps = [str(step[-1]) for step in plan]
    assert all("SEARCH" in step and "INDEX" in step for step in steps), steps


async def test_a_database_that_is_not_there_is_unavailable(sqlite_url: str) -> None:
    with pytest.raises(Unavailable):
        await take_census(Database(sqlite_url))
