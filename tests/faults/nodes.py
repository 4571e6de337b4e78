"""A node: one `canfield-race serve` in a process group of its own, to be killed and stopped."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from random import Random

import httpx2

from tests.faults.network import LOCAL, free_port

PATIENCE_S = 60.0
ENDS_WITHIN_S = 20.0  # it has promised 10; the rest is for a loaded machine
ROOMY_LIMITS = {
    "RACE_PLAYERS_PER_HOUR": "1000000",
    "RACE_ROOMS_PER_MINUTE": "1000000",
    "RACE_CALLS_PER_MINUTE": "1000000",
    "RACE_FRAMES_PER_S": "1000",
    "RACE_FRAMES_BURST": "2000",
    "RACE_SOLVER_PROCESSES": "0",
}


class Node:
    """A server process on a port that it keeps through its restarts.

    `skew_s` sets its system clock off by so much; `workers` as in `serve --workers`.
    """

    def __init__(
        self,
        log: Path,
        environment: Mapping[str, str],
        *,
        skew_s: int = 0,
        workers: int = 1,
    ) -> None:
        self.port = free_port()
        self.url = f"http://{LOCAL}:{self.port}"
        self._log = log
        self._environment = {**os.environ, **ROOMY_LIMITS, **environment}
        self._module = ["server"] if skew_s == 0 else ["tests.skewed", str(skew_s)]
        self._options = [] if workers == 1 else ["--workers", str(workers)]
        self._process: asyncio.subprocess.Process | None = None

    async def migrate(self) -> None:
        """Bring the database to the newest tables."""
        migration = await self._run(["server"], "migrate")
        if await migration.wait() != 0:
            raise RuntimeError(self.log)

    async def start(self) -> None:
        """Serve, and wait until it is ready."""
        await self.launch()
        await self.ready()

    async def launch(self) -> None:
        """Start the process."""
        serve = ("serve", "--port", str(self.port), *self._options)
        self._process = await self._run(self._module, *serve)

    async def ready(self) -> None:
        """Wait until it says that it is ready."""
        async with asyncio.timeout(PATIENCE_S), httpx2.AsyncClient(trust_env=False) as http:
            while not await self._is_ready(http):
                if self.process.returncode is not None:
                    raise RuntimeError(f"the server has ended: {self.log}")
                await asyncio.sleep(0.05)

    async def kill(self) -> None:
        """End it as a power cut would."""
        self.signal(signal.SIGKILL)
        await self.process.wait()

    async def stop(self) -> int:
        """End it as an administrator would; gives its exit code.

        Raises:
            TimeoutError: it has not ended as soon as it has promised to.
        """
        self.process.terminate()
        async with asyncio.timeout(ENDS_WITHIN_S):
            return await self.process.wait()

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to all its processes."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)

    async def close(self) -> None:
        """Make sure that nothing of it is left."""
        if self._process is not None:
            await self.kill()

    @property
    def process(self) -> asyncio.subprocess.Process:
        """The process that was started last."""
        if self._process is None:
            raise RuntimeError("the node has not been started")
        return self._process

    async def kill_worker(self, chance: Random) -> None:
        """End one of its worker processes as a fault in it would."""
        os.kill(chance.choice(self._workers()), signal.SIGKILL)

    def _workers(self) -> list[int]:
        """Give the ids of its worker processes."""
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [int(child) for child in children if is_worker(int(child))]

    @property
    def log(self) -> str:
        """What it has written, its end."""
        return self._log.read_text()[-4000:] if self._log.exists() else ""

    async def _run(self, module: list[str], *arguments: str) -> asyncio.subprocess.Process:
        with self._log.open("ab") as log:
            return await asyncio.create_subprocess_exec(
                sys.executable, "-m", *module, *arguments,
                env=self._environment, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip

    async def _is_ready(self, http: httpx2.AsyncClient) -> bool:
        try:
            return (await http.get(f"{self.url}/readyz")).is_success
        except httpx2.TransportError:
            return False


def is_worker(pid: int) -> bool:
    """Whether a child of a server serves; its other child looks after what they share."""
    return b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
