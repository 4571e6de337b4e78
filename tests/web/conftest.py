"""A browser for the session, and for each test a site of its own with today's daily."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser

from server.clock import SystemClock, now
from server.race.daily import DAY, day_of
from server.store.database import Database
from tests.api.driver import Api, serving
from tests.faults.network import Network
from tests.live.days import plan
from tests.web.browsing import Visits, chromium, running_browser
from tests.web.life import Life, some_life


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One browser, which many people use."""
    async with running_browser(chromium()) as browser:
        yield browser


@pytest.fixture(scope="session")
async def life(
    sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Life]:
    """A server with days and races behind it, whose pages are looked at and not changed."""
    path = tmp_path_factory.mktemp("life") / "race.db"
    shutil.copy(sqlite_template, path)
    async with some_life(f"sqlite:///{path}") as life:
        yield life


@pytest.fixture
async def api(sqlite_url: str) -> AsyncIterator[Api]:
    """A server on SQLite without limits, with the example's deal as the daily, to be called."""
    database = Database(sqlite_url)
    await database.open()
    today = day_of(now(SystemClock()))
    await plan(database, today, today + DAY)  # should midnight come meanwhile
    await database.close()
    async with serving(sqlite_url) as api:
        yield api


@pytest.fixture
def site(api: Api) -> str:
    """The address that people type."""
    return str(api.client.base_url).rstrip("/")


@pytest.fixture
async def network(api: Api) -> AsyncIterator[Network]:
    """What is between a browser and the server, for who goes by its address."""
    network = Network([api.client.base_url.port or 0])
    await network.open()
    yield network
    await network.close()


@pytest.fixture
async def visit(browser: Browser, site: str) -> AsyncIterator[Visits]:
    """Bring people to the site; at the end, none of their pages may have failed unseen."""
    visits = Visits(browser, site)
    yield visits
    await visits.end()
