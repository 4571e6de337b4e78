import asyncio

import pytest
from sqlalchemy import text

from server.store.connecting import BadDatabase
from server.store.database import Database
from server.store.migrations import check_migrated, migrate, newest_revision
from tests.store.builders import ON_POSTGRESQL


async def set_revision(database: Database, revision: str) -> None:
    async with database.write() as connection:
        await connection.execute(
            text("UPDATE alembic_version SET version_num = :r"), {"r": revision}
        )


async def test_a_database_with_the_tables_of_this_server_is_taken(database: Database) -> None:
    await check_migrated(database)


@pytest.mark.parametrize("revision", ["0000", "9999"])
async def test_a_database_at_another_revision_is_refused_saying_how_to_mend_it(
    database: Database, revision: str
) -> None:
    await set_revision(database, revision)

    with pytest.raises(BadDatabase) as refused:
        await check_migrated(database)

    said = str(refused.value)
    assert f"revision {revision}" in said
    assert f"needs {newest_revision()}" in said
    assert "canfield-race migrate" in said


async def test_an_empty_database_is_refused_saying_how_to_mend_it(database: Database) -> None:
    await migrate(database, to="base")

    with pytest.raises(BadDatabase, match="canfield-race migrate"):
        await check_migrated(database)


async def test_a_revision_that_is_not_there_is_refused_and_nothing_changes(
    database: Database,
) -> None:
    with pytest.raises(BadDatabase, match="cannot migrate to 4711"):
        await migrate(database, to="4711")

    await check_migrated(database)


async def test_a_database_newer_than_the_server_is_not_migrated(database: Database) -> None:
    await set_revision(database, "9999")

    with pytest.raises(BadDatabase, match="newer server"):
        await migrate(database)


async def test_migrating_again_changes_nothing(database: Database) -> None:
    await migrate(database)

    await check_migrated(database)


@ON_POSTGRESQL
async def test_two_servers_may_migrate_at_once(database: Database) -> None:
    await migrate(database, to="base")
    others = [Database(database.url.render_as_string(hide_password=False)) for _ in range(2)]
    for other in others:
        await other.open()
    try:
        await asyncio.gather(*(migrate(other) for other in others))
    finally:
        for other in others:
            await other.close()

    await check_migrated(database)
