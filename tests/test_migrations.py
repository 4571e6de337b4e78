"""The migrations themselves: there and back, and ending at the tables of the code."""

from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import BigInteger, Connection, inspect, text
from sqlalchemy.exc import DBAPIError

from server.race.marks import Claim
from server.race.room import Room
from server.store.batches import batches_for
from server.store.database import Database
from server.store.migrations import FOLDER, check_migrated, migrate, newest_revision
from server.store.rooms import Rooms
from server.store.tables import Moment, metadata
from server.store.truth import Truth
from tests.race.builders import ANA, after
from tests.store.builders import ON_POSTGRESQL, a_kept_room, a_play, rows


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


FIRST_TABLES = ("players", "tokens", "rooms", "games", "actions")

LATER = {"claim", "curve", "started_at", "ends_at", "placed", "counted_on", "settled"}
"""Columns that later revisions added to the first tables."""


async def contents(database: Database) -> dict[str, list[dict[str, Any]]]:
    """Every row of the first tables, without what later revisions added to them."""
    found = {}
    async with database.read() as connection:
        for table in FIRST_TABLES:
            read = await connection.execute(text(f"SELECT * FROM {table} ORDER BY 1, 2"))  # noqa: S608 — names of this file
            found[table] = [
                {name: value for name, value in row.items() if name not in LATER}
                for row in read.mappings()
            ]
    return found


async def a_race_with_everything(database: Database) -> Room:
    """A race under way, with moves, kept events and a claim."""
    rooms, writer = Rooms(database), batches_for(database)
    room = await a_kept_room(database, players=2, countdown_s=0)
    assert await rooms.save(room, room.start(ANA, at=after(5)))
    await writer.write([a_play(room.seats[0], ply) for ply in range(3)])
    await writer.close()
    await Truth(database).claim([Claim(room.id, ANA.id, "c_1")])
    return room


async def test_kept_events_epochs_and_claims_come_and_go_without_touching_anything_else(
    database: Database,
) -> None:
    room = await a_race_with_everything(database)
    before, epoch = await contents(database), await Truth(database).epoch()
    assert all(before[table] for table in FIRST_TABLES)

    await migrate(database, to="0001")
    async with database.read() as connection:
        assert await connection.run_sync(tables) == set(FIRST_TABLES)
        columns = await connection.run_sync(lambda sync: inspect(sync).get_columns("games"))
    assert "claim" not in [column["name"] for column in columns]
    assert await contents(database) == before

    await migrate(database)
    assert await contents(database) == before
    assert await rows(database, "SELECT DISTINCT claim FROM games") == [(None,)]
    assert await rows(database, "SELECT * FROM room_events") == []
    assert await rows(database, "SELECT count(*) FROM epochs") == [(1,)]
    assert await Truth(database).epoch() != epoch, "what clients knew leads nowhere now"
    change = await Rooms(database).change_since(room.id, room.version)
    assert (change.room.state, change.since(room.version - 1)) == ("racing", None)


async def test_each_database_begins_a_history_of_its_own(
    database: Database, tmp_path: Path
) -> None:
    other = Database(f"sqlite:///{tmp_path / 'other.db'}")
    await other.open()
    try:
        await migrate(other)
        assert await Truth(other).epoch() != await Truth(database).epoch()
    finally:
        await other.close()


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
