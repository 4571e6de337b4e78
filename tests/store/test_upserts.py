import asyncio

import pytest
from sqlalchemy import Integer, literal, select

from server.store.database import Database
from server.store.tables import secrets
from server.store.upserts import greater, insert_into, insert_unless_there, lesser
from tests.store.builders import rows


@pytest.mark.parametrize(
    ("old", "new", "less", "more"),
    [(1, 2, 1, 2), (2, 1, 1, 2), (1, 1, 1, 1), (None, 1, 1, 1), (1, None, 1, 1), (None,) * 4],
)
async def test_the_value_that_is_there_is_the_lesser_and_the_greater(
    database: Database, old: int | None, new: int | None, less: int | None, more: int | None
) -> None:
    one, two = literal(old, Integer), literal(new, Integer)

    async with database.read() as connection:
        found = (await connection.execute(select(lesser(one, two), greater(one, two)))).one()

    assert tuple(found) == (less, more)


async def test_an_insert_can_mend_the_row_that_is_there(database: Database) -> None:
    async with database.write() as connection:
        insert = insert_into(connection.dialect.name, secrets)
        value = secrets.c.value + insert.excluded.value
        mending = insert.on_conflict_do_update(index_elements=["name"], set_={"value": value})
        await connection.execute(mending, [{"name": "n", "value": text} for text in "abc"])

    assert await rows(database, "SELECT * FROM secrets") == [("n", "abc")]


async def insert_one(database: Database, value: str) -> bool:
    async with database.write() as connection:
        return await insert_unless_there(connection, secrets, {"name": "one", "value": value})


async def test_a_row_is_written_once_and_stays_as_it_was(database: Database) -> None:
    assert await insert_one(database, "first")
    assert not await insert_one(database, "second")

    assert await rows(database, "SELECT value FROM secrets") == [("first",)]


async def test_of_many_who_write_a_row_at_once_exactly_one_does(database: Database) -> None:
    written = await asyncio.gather(*(insert_one(database, str(number)) for number in range(6)))

    assert sorted(written) == [False] * 5 + [True]
