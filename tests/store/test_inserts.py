import asyncio

from server.store.database import Database
from server.store.inserts import insert_unless_there
from server.store.tables import secrets
from tests.store.builders import rows


async def insert(database: Database, value: str) -> bool:
    async with database.write() as connection:
        return await insert_unless_there(connection, secrets, {"name": "one", "value": value})


async def test_a_row_is_written_once_and_stays_as_it_was(database: Database) -> None:
    assert await insert(database, "first")
    assert not await insert(database, "second")

    assert await rows(database, "SELECT value FROM secrets") == [("first",)]


async def test_of_many_who_write_a_row_at_once_exactly_one_does(database: Database) -> None:
    written = await asyncio.gather(*(insert(database, str(number)) for number in range(6)))

    assert sorted(written) == [False] * 5 + [True]
