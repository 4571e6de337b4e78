"""Servers to be measured, each on a core of its own, and players to load them with."""

import asyncio
import os
import random
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2

from tests.bench.wire import Player, text_frame

SERVER_CORE = 0
CLIENT_CORE = (os.cpu_count() or 1) - 1
PATIENCE_S = 20

WITHOUT_LIMITS = {
    "RACE_FRAMES_PER_S": "100000",
    "RACE_FRAMES_BURST": "100000",
    "RACE_PLAYERS_PER_HOUR": "100000",
    "RACE_ROOMS_PER_MINUTE": "10000",
    "RACE_LOG_LEVEL": "error",
}


@asynccontextmanager
async def process(*command: str, port: int, **environment: str) -> AsyncIterator[int]:
    """Run a Python program that listens on a port until the block ends; gives its process id."""
    running = await asyncio.create_subprocess_exec(
        sys.executable,
        *command,
        env=os.environ | environment,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    os.sched_setaffinity(running.pid, {SERVER_CORE})
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not listens(port):  # noqa: ASYNC110 — another process has no event to wait for
                await asyncio.sleep(0.05)
        yield running.pid
    finally:
        running.terminate()
        await running.wait()


@asynccontextmanager
async def race_server(database_url: str) -> AsyncIterator[tuple[int, int]]:
    """Serve a database, migrated first; gives port and process id."""
    environment = WITHOUT_LIMITS | {"DATABASE_URL": database_url}
    migration = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "server", "migrate", env=os.environ | environment
    )
    if await migration.wait() != 0:
        raise SystemExit("the migration failed")
    port = free_port()
    command = ("-m", "server", "serve", "--port", str(port))
    async with process(*command, port=port, **environment) as pid:
        yield port, pid


async def connect(port: int, make: Callable[[], Player]) -> Player:
    """Open one socket and wait until it may play."""
    loop = asyncio.get_running_loop()
    _, player = await loop.create_connection(make, "127.0.0.1", port)
    async with asyncio.timeout(PATIENCE_S):
        await player.ready
    return player


async def seat_a_room(port: int, *, seats: int, code: str, frames: list[bytes]) -> list[Player]:
    """Open a room, fill and start it, and connect everyone."""
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}/api/v1") as http:
        tokens = [await register(http) for _ in range(seats)]
        wish = {"code": code, "countdown_s": 0, "seats": seats, "time_limit_s": 7200}
        room = (await call(http, "/rooms", tokens[0], **wish))["id"]
        for token in tokens[1:]:
            await call(http, f"/rooms/{room}/join", token)
        await call(http, f"/rooms/{room}/start", tokens[0])
    path = f"/api/v1/rooms/{room}/live"

    def player_of(token: str) -> Callable[[], Player]:
        hello = text_frame(b'{"type":"hello","token":"%s"}' % token.encode())
        return lambda: Player(path, frames, hello=hello, is_answer=b'{"type":"ack"')

    return [await connect(port, player_of(token)) for token in tokens]


async def register(http: httpx2.AsyncClient) -> str:
    """Register a bot and give its token."""
    name = f"b{random.getrandbits(60):x}"
    return str((await call(http, "/players", None, name=name, kind="bot"))["token"])


async def call(
    http: httpx2.AsyncClient, path: str, token: str | None, **body: object
) -> dict[str, Any]:
    """Make a call that must succeed."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = await http.post(path, json=body, headers=headers)
    answer.raise_for_status()
    return dict(answer.json())


def listens(port: int) -> bool:
    """Tell whether somebody listens on a port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def free_port() -> int:
    """Find a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def cpu_seconds(pid: int) -> float:
    """Tell how long a process has kept a core busy, all its threads together."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
