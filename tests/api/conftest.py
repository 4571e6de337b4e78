"""Servers that serve a whole test session: one on each database."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import pytest

from tests.api.driver import Api, serving
from tests.conftest import run_sql, with_database


@pytest.fixture(scope="session")
async def sqlite_api(
    sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Api]:
    """A server on SQLite, for tests to which the database is all the same."""
    path = tmp_path_factory.mktemp("api") / "race.db"
    shutil.copy(sqlite_template, path)
    async with serving(f"sqlite:///{path}") as api:
        yield api


@pytest.fixture(scope="session")
async def postgres_api(postgres_url: str, postgres_template: str) -> AsyncIterator[Api]:
    """A server on PostgreSQL."""
    name = f"api_{uuid4().hex}"
    await run_sql(postgres_url, f"CREATE DATABASE {name} TEMPLATE {postgres_template}")
    async with serving(with_database(postgres_url, name)) as api:
        yield api
    await run_sql(postgres_url, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", "postgresql"])
def api(request: pytest.FixtureRequest, sqlite_api: Api, postgres_api: Api) -> Api:
    """A server that other tests use as well: the test runs once on each database."""
    return sqlite_api if request.param == "sqlite" else postgres_api
