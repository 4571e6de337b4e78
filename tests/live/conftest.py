"""Databases for tests to which it is all the same whose they are, and silence."""

from collections.abc import AsyncIterator, Iterator, MutableMapping
from typing import Any

import pytest
from structlog.testing import capture_logs

from server.store.database import Database

Logs = list[MutableMapping[str, Any]]


@pytest.fixture
async def lite(sqlite_url: str) -> AsyncIterator[Database]:
    """A fresh SQLite database, open."""
    database = Database(sqlite_url)
    await database.open()
    yield database
    await database.close()


@pytest.fixture(autouse=True)
def logs() -> Iterator[Logs]:
    """What is logged, as data: writing out every failure that a test provokes takes long."""
    with capture_logs() as entries:
        yield entries
