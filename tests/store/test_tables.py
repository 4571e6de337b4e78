from datetime import datetime, timedelta, timezone

import pytest
from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from server.store.database import Database
from server.store.tables import actions, games, metadata, players
from tests.race.builders import OPENED
from tests.store.builders import a_kept_room, rows

PLAYER = {"id": "p_1", "name": "Ana", "name_key": "ana", "kind": "human"}


async def test_a_moment_is_kept_to_the_millisecond_in_utc(database: Database) -> None:
    paris = timezone(timedelta(hours=1))
    at = datetime(2026, 11, 29, 20, 0, 0, 123_999, tzinfo=paris)
    async with database.write() as connection:
        await connection.execute(insert(players).values(**PLAYER, created_at=at))

    async with database.read() as connection:
        kept = (await connection.execute(select(players.c.created_at, players.c.left_at))).one()

    assert tuple(kept) == (OPENED + timedelta(milliseconds=123), None)
    assert await rows(database, "SELECT created_at FROM players") == [(1795978800123,)]


@pytest.mark.parametrize(
    "bad", [{"placed": 53}, {"placed": -1}, {"ply": -1}], ids=["placed 53", "placed -1", "ply -1"]
)
async def test_a_game_that_cannot_be_is_not_kept(database: Database, bad: dict[str, int]) -> None:
    await a_kept_room(database)

    with pytest.raises(IntegrityError):
        async with database.write() as connection:
            await connection.execute(games.update().values(**bad))


async def test_an_action_belongs_to_a_game_and_has_its_number_to_itself(
    database: Database,
) -> None:
    await a_kept_room(database)
    action = {"game_id": "g_ana", "ply": 0, "move": "d", "elapsed_ms": 1}

    with pytest.raises(IntegrityError):
        async with database.write() as connection:
            await connection.execute(insert(actions).values(action | {"game_id": "g_none"}))
    with pytest.raises(IntegrityError):
        async with database.write() as connection:
            await connection.execute(insert(actions), [action, action])
    assert await rows(database, "SELECT * FROM actions") == []


def test_every_constraint_has_a_name_that_a_migration_can_call_it_by() -> None:
    for table in metadata.tables.values():
        assert all(constraint.name for constraint in table.constraints)
        assert all(index.name for index in table.indexes)
