"""The migrations themselves: there and back, and ending at the tables of the code."""

from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import BigInteger, Connection, inspect
from sqlalchemy.exc import DBAPIError

from server.store.database import Database
from server.store.migrations import FOLDER, check_migrated, migrate, newest_revision
from server.store.tables import Moment, metadata
from tests.store.builders import ON_POSTGRESQL, a_kept_room


def same_type(
    _context: object, _column: object, _meta: object, database_type: object, own_type: object
) -> bool | None:
    """A `Moment` is a big integer in the database; anything else Alembic compares itself."""
    if isinstance(own_type, Moment):
        return not isinstance(database_type, BigInteger)
    return None


def differences(connection: Connection) -> list[Any]:
    context = MigrationContext.configure(connection, opts={"compare_type": same_type})
    return list(compare_metadata(context, metadata))


def tables(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names()) - {"alembic_version"}


async def test_migrations_lead_to_the_tables_of_the_code(database: Database) -> None:
    async with database.read() as connection:
        assert await connection.run_sync(differences) == []


async def test_a_difference_would_be_found(database: Database) -> None:
    async with database.write() as connection:
        await connection.exec_driver_sql("DROP INDEX ix_rooms_due_at")
        await connection.exec_driver_sql("ALTER TABLE players ADD COLUMN shoe_size INTEGER")

    async with database.read() as connection:
        found = await connection.run_sync(differences)

    assert sorted(difference[0] for difference in found) == ["add_index", "remove_column"]


async def test_down_there_is_nothing_and_up_again_everything(database: Database) -> None:
    await migrate(database, to="base")
    async with database.read() as connection:
        assert await connection.run_sync(tables) == set()

    await migrate(database)

    await check_migrated(database)
    async with database.read() as connection:
        assert await connection.run_sync(tables) == set(metadata.tables)
        assert await connection.run_sync(differences) == []
    assert (await a_kept_room(database)).seats


@ON_POSTGRESQL
async def test_a_migration_that_fails_leaves_no_half_of_it(database: Database) -> None:
    async with database.write() as connection:
        await connection.exec_driver_sql("CREATE VIEW spoiler AS SELECT * FROM players")

    with pytest.raises(DBAPIError, match="other objects depend on it"):
        await migrate(database, to="base")

    await check_migrated(database)
    async with database.read() as connection:
        assert await connection.run_sync(tables) == set(metadata.tables)


def test_migrations_are_one_line_of_revisions_each_in_a_file_of_its_number() -> None:
    revisions = list(ScriptDirectory(str(FOLDER)).walk_revisions())

    assert revisions[0].revision == newest_revision()
    assert revisions[-1].down_revision is None
    for script in revisions:
        assert Path(script.path).name.startswith(f"{script.revision}_")
        assert script.doc
