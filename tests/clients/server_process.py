"""A real server in a process of its own, which can be killed and started again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys
from pathlib import Path

import httpx2

PATIENCE_S = 20.0
LOCAL = "127.0.0.1"


class ServerProcess:
    """`canfield-race serve` on a free port of this machine and a database of its own.

    `settings` are further ones for its environment, like `RACE_FRAMES_BURST="20"`.
    """

    def __init__(self, folder: Path, database_url: str | None = None, **settings: str) -> None:
        with socket.socket() as free:
            free.bind((LOCAL, 0))
            self._port: int = free.getsockname()[1]
        self.url = f"http://{LOCAL}:{self._port}"
        self._log = folder / "server.log"
        self._environment = os.environ | {
            "DATABASE_URL": database_url or f"sqlite+aiosqlite:///{folder}/race.db",
            "RACE_PLAYERS_PER_HOUR": "100000",
            "RACE_ROOMS_PER_MINUTE": "100000",
            **settings,
        }
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Migrate, serve, and wait until it answers."""
        migration = await self._run("migrate")
        assert await migration.wait() == 0, self._log.read_text()
        self._process = await self._run("serve", "--port", str(self._port))
        async with asyncio.timeout(PATIENCE_S), httpx2.AsyncClient(trust_env=False) as http:
            while not await self._answers(http):
                assert self._process.returncode is None, self._log.read_text()

    async def kill(self) -> None:
        """End it as a power cut would."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    async def stop(self) -> None:
        """End it as an administrator would."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
            async with asyncio.timeout(PATIENCE_S):
                await self._process.wait()

    async def _run(self, *arguments: str) -> asyncio.subprocess.Process:
        with self._log.open("ab") as log:
            return await asyncio.create_subprocess_exec(
                sys.executable, "-m", "server", *arguments,
                env=self._environment, stdout=log, stderr=log,
            )  # fmt: skip

    async def _answers(self, http: httpx2.AsyncClient) -> bool:
        try:
            return (await http.get(f"{self.url}/api/v1/limits")).is_success
        except httpx2.TransportError:
            await asyncio.sleep(0.05)
            return False
