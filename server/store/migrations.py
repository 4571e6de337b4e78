"""Bringing the database to the tables that this server works with."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection

from server.store.connecting import BadDatabase
from server.store.database import Database

FOLDER = Path(__file__).parents[2] / "migrations"

LOCK = 454787518  # ours among the advisory locks of a database; any number would do


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(FOLDER))
    config.attributes["connection"] = connection
    return config


def newest_revision() -> str | None:
    """Name the revision that this server's tables are."""
    return ScriptDirectory.from_config(_config()).get_current_head()


async def migrate(database: Database, *, to: str = "head") -> None:
    """Run every migration that is missing, in one transaction; `to` names another revision.

    Raises:
        BadDatabase: there is no such revision, or the database is at one that is not known here.
    """

    def run(connection: Connection) -> None:
        if connection.dialect.name == "postgresql":  # one at a time; the second finds it done
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
        present = MigrationContext.configure(connection).get_current_revision()
        down = to == "base" or (present is not None and to != "head" and to < present)
        (command.downgrade if down else command.upgrade)(_config(connection), to)

    try:
        async with database.write() as connection:
            await connection.run_sync(run)
    except CommandError as error:
        raise BadDatabase(
            f"cannot migrate to {to}: {error}. `--to` takes `head`, `base` or a revision of this "
            "server; a database that is newer than the server needs the newer server"
        ) from error


async def check_migrated(database: Database) -> None:
    """Make sure that the database has the tables that this server works with.

    Raises:
        BadDatabase: it has older or newer ones.
    """

    def read(connection: Connection) -> str | None:
        return MigrationContext.configure(connection).get_current_revision()

    async with database.read() as connection:
        present, needed = await connection.run_sync(read), newest_revision()
    if present != needed:
        raise BadDatabase(
            f"the database is at revision {present}, this server needs {needed}: run "
            "`canfield-race migrate` first (with the newer server, if the database is newer)"
        )
