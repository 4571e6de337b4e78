"""A real server in a process of its own, which can be killed and started again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys
from pathlib import Path

import httpx2

PATIENCE_S = 60.0
LOCAL = "127.0.0.1"
BANNER = "Canfield Race listens"


class ServerProcess:
    """`canfield-race serve` on a free port of this machine and a database of its own.

    `workers` is how many processes serve, `skew_s` how far the machine's clock is ahead, `days` for
    how many, today the first, a daily is planned before it serves; `settings` are further ones for
    its environment, like `RACE_FRAMES_BURST="20"`.
    """

    def __init__(
        self,
        folder: Path,
        database_url: str | None = None,
        *,
        workers: int = 1,
        skew_s: int = 0,
        days: int = 0,
        **settings: str,
    ) -> None:
        with socket.socket() as free:
            free.bind((LOCAL, 0))
            self._port: int = free.getsockname()[1]
        self.url = f"http://{LOCAL}:{self._port}"
        self._log = folder / f"server-{self._port}.log"
        self._command = ("tests.skewed", str(skew_s)) if skew_s else ("server",)
        self._workers = workers
        self._days = days
        self._environment = os.environ | {
            "DATABASE_URL": database_url or f"sqlite+aiosqlite:///{folder}/race.db",
            "RACE_PLAYERS_PER_HOUR": "100000",
            "RACE_ROOMS_PER_MINUTE": "100000",
            **settings,
        }
        self._process: asyncio.subprocess.Process | None = None

    @property
    def log(self) -> str:
        """Everything it has written."""
        return self._log.read_text()

    @property
    def pid(self) -> int:
        """The process that was started last; of several workers, their parent."""
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Migrate, serve, and wait until it answers; several workers, until all of them do."""
        migration = await self._run("migrate")
        assert await migration.wait() == 0, self.log
        if self._days:
            planning = await self._run("daily", "plan", "--days", str(self._days))
            assert await planning.wait() == 0, self.log
        options = ("--port", str(self._port), "--workers", str(self._workers))
        told_before = self.log.count(BANNER)
        self._process = await self._run("serve", *options)
        async with asyncio.timeout(PATIENCE_S), httpx2.AsyncClient(trust_env=False) as http:
            while self.log.count(BANNER) == told_before or not await self._answers(http):
                assert self._process.returncode is None, self.log
                await asyncio.sleep(0.05)

    async def kill(self) -> None:
        """End it as a power cut would."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    def sigterm(self) -> None:
        """Ask it to end; `stop` waits until it has."""
        assert self._process is not None
        self._process.terminate()

    async def stop(self) -> int | None:
        """End it as an administrator would; gives its exit code, None if it was never started."""
        if self._process is None:
            return None
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()
        async with asyncio.timeout(PATIENCE_S):
            return await self._process.wait()

    async def _run(self, *arguments: str) -> asyncio.subprocess.Process:
        with self._log.open("ab") as log:
            return await asyncio.create_subprocess_exec(
                sys.executable, "-m", *self._command, *arguments,
                env=self._environment, stdout=log, stderr=log,
            )  # fmt: skip

    async def _answers(self, http: httpx2.AsyncClient) -> bool:
        try:
            return (await http.get(f"{self.url}/api/v1/limits")).is_success
        except httpx2.TransportError:
            return False
