"""A real server for the tests of what goes over a network."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.clients.server_process import ServerProcess


@pytest.fixture(scope="session")
async def server_url(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """A server for all tests that leave it alive; it has dailies, should it turn midnight too."""
    server = ServerProcess(tmp_path_factory.mktemp("server"), days=2)
    await server.start()
    yield server.url
    await server.kill()


@pytest.fixture
async def mortal_server(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    """A server of one's own, to be killed."""
    server = ServerProcess(tmp_path)
    await server.start()
    yield server
    await server.kill()
