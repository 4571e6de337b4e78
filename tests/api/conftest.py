"""Servers that serve a whole test session: one on each database."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import pytest

from server.clock import SystemClock, now
from server.race.daily import DAY, day_of
from server.race.proof import Proof
from server.store.dailies import Dailies
from server.store.database import Database
from tests.api.driver import Api, serving
from tests.conftest import run_sql, with_database
from tests.race.builders import a_daily


async def plan_the_daily(url: str) -> None:
    """Have a daily there for today, and for tomorrow should midnight come meanwhile."""
    database = Database(url)
    await database.open()
    try:
        today = day_of(now(SystemClock()))
        for day in (today, today + DAY):
            daily = a_daily(day=day, room_id=f"d{day:%Y%m%d}")
            proof = Proof(line=("d",), positions=1)
            await Dailies(database).plan(daily, proof, number=0, at=daily.created_at)
    finally:
        await database.close()


@pytest.fixture(scope="session")
async def sqlite_api(
    sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Api]:
    """A server on SQLite, for tests to which the database is all the same."""
    path = tmp_path_factory.mktemp("api") / "race.db"
    shutil.copy(sqlite_template, path)
    await plan_the_daily(f"sqlite:///{path}")
    async with serving(f"sqlite:///{path}") as api:
        yield api


@pytest.fixture(scope="session")
async def postgres_api(postgres_url: str, postgres_template: str) -> AsyncIterator[Api]:
    """A server on PostgreSQL."""
    name = f"api_{uuid4().hex}"
    await run_sql(postgres_url, f"CREATE DATABASE {name} TEMPLATE {postgres_template}")
    await plan_the_daily(with_database(postgres_url, name))
    async with serving(with_database(postgres_url, name)) as api:
        yield api
    await run_sql(postgres_url, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", "postgresql"])
def api(request: pytest.FixtureRequest, sqlite_api: Api, postgres_api: Api) -> Api:
    """A server that other tests use as well: the test runs once on each database."""
    return sqlite_api if request.param == "sqlite" else postgres_api
