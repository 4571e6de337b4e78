"""What docker-compose.yml runs, as plain processes: only addresses are others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.deploy.files import command_of, elsewhere, entry_point, environment_of, seconds, services
from tests.deploy.processes import LOCAL, SCRIPTS, Daemon, Proxy, free_port, hints

GIVEN = {"POSTGRES_PASSWORD": "not asked for here"}


class Node:
    """One of the two servers, as its container runs it."""

    def __init__(self, name: str, addresses: dict[str, str], folder: Path) -> None:
        port = free_port()
        self.address = f"{LOCAL}:{port}"
        self._stops_within_s = seconds(services()[name]["stop_grace_period"])
        self._daemon = Daemon(
            name,
            [str(SCRIPTS / entry_point()), *elsewhere(command_of(name, GIVEN), LOCAL, port)],
            folder=folder,
            environment=environment_of(name, GIVEN) | addresses,
        )

    async def start(self) -> None:
        await self._daemon.start(ready=f"http://{self.address}/readyz")

    async def stop(self) -> None:
        """Stop as `docker compose stop` does, within the time it gives."""
        await self._daemon.stop(within_s=self._stops_within_s)


class Deployment:
    """Proxy, two servers, and what they share; migrated once before the servers start."""

    def __init__(self, folder: Path, database_url: str, **settings: str) -> None:
        port = free_port()
        addresses = {"DATABASE_URL": database_url, "REDIS_URL": f"redis://{LOCAL}:{port}"}
        self._folder = folder
        self._environment = environment_of("migrate", GIVEN) | addresses
        self.nodes = [Node(name, addresses | settings, folder) for name in ("server-1", "server-2")]
        self.hints = hints(command_of("hints", GIVEN), port=port, folder=folder)
        self.proxy = Proxy(
            folder,
            [node.address for node in self.nodes],
            **environment_of("proxy", GIVEN),
        )

    async def start(self) -> None:
        """Start everything in the order of the compose file."""
        await self.hints.start(ready=self._environment["REDIS_URL"].replace("redis", "http"))
        migration = await asyncio.create_subprocess_exec(
            SCRIPTS / entry_point(),
            *command_of("migrate", GIVEN),
            env=self._environment,
        )
        assert await migration.wait() == 0
        await asyncio.gather(*(node.start() for node in self.nodes))
        await self.proxy.start(ready=f"{self.proxy.url}/readyz")

    async def stop(self) -> None:
        """Stop everything, whatever has been started."""
        await self.proxy.stop()
        await asyncio.gather(*(node.stop() for node in self.nodes))
        await self.hints.stop()


@asynccontextmanager
async def deployed(folder: Path, database_url: str, **settings: str) -> AsyncIterator[Deployment]:
    """The whole place, until the block ends; `settings` are further ones of the servers."""
    deployment = Deployment(folder, database_url, **settings)
    try:
        await deployment.start()
        yield deployment
    finally:
        await deployment.stop()
