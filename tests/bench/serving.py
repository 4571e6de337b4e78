"""Servers to be measured, each on a core of its own where it helps, and their players."""

import asyncio
import os
import random
import socket
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, NamedTuple, TypeVar

import httpx2
import msgspec

from tests.bench.machine import CORES
from tests.bench.wire import ACK, Player, Wire, text_frame

SERVER_CORE, CLIENT_CORE = 0, CORES - 1
PATIENCE_S = 20
START_WITHIN_S = 60
SERVER_PORTS = (20_000, 32_000)  # below what Linux gives to clients
AT_ONCE = 16  # calls, or sockets being opened, at a time: what a server takes without queueing

WITHOUT_LIMITS = {
    "RACE_FRAMES_PER_S": "100000",
    "RACE_FRAMES_BURST": "100000",
    "RACE_PLAYERS_PER_HOUR": "100000",
    "RACE_ROOMS_PER_MINUTE": "10000",
    "RACE_CALLS_PER_MINUTE": "1000000",
    "RACE_HELLO_WITHIN_S": "60",
    "RACE_LOG_LEVEL": "error",
    "RACE_SOLVER_PROCESSES": "0",
}

WireT = TypeVar("WireT", bound=Wire)


class Seat(NamedTuple):
    """A player's place in a room, and the token to play with."""

    room: str
    player: str
    token: str

    @property
    def path(self) -> str:
        """Where the room's live socket is."""
        return live_path(self.room)

    def hello(self, *, epoch: str | None = None, offset: int = 0) -> bytes:
        """Give the first frame of the player's socket; it resumes where an epoch is given."""
        frame: dict[str, object] = {"type": "hello", "token": self.token}
        if epoch is not None:
            frame["since"] = {"epoch": epoch, "offset": offset}
        return text_frame(msgspec.json.encode(frame))


@asynccontextmanager
async def process(
    *command: str, says: bytes, core: int | None = SERVER_CORE, **environment: str
) -> AsyncIterator[int]:
    """Run a Python program that says when it serves until the block ends; gives its process id."""
    running = await asyncio.create_subprocess_exec(
        sys.executable, *command, env=os.environ | environment, stdout=asyncio.subprocess.PIPE
    )
    try:
        if core is not None:
            os.sched_setaffinity(running.pid, {core})
        async with asyncio.timeout(START_WITHIN_S):
            await _hear(running, says)
        yield running.pid
    finally:
        await stop(running)


async def _hear(running: asyncio.subprocess.Process, what: bytes) -> None:
    """Wait until a process says something."""
    if running.stdout is None:
        raise RuntimeError("a process is heard through a pipe")
    while what not in (line := await running.stdout.readline()):
        if not line:
            raise SystemExit("what was to be measured has ended by itself")


async def stop(running: asyncio.subprocess.Process) -> None:
    """Ask a process to end, and make it end if it does not."""
    if running.returncode is not None:
        return
    running.terminate()
    try:
        async with asyncio.timeout(PATIENCE_S):
            await running.wait()
    except TimeoutError:
        running.kill()
        await running.wait()


@asynccontextmanager
async def race_server(
    database_url: str,
    *options: str,
    port: int | None = None,
    core: int | None = SERVER_CORE,
    **environment: str,
) -> AsyncIterator[tuple[int, int]]:
    """Serve a migrated database; gives port and process id."""
    port = free_port() if port is None else port
    environment = WITHOUT_LIMITS | {"DATABASE_URL": database_url} | environment
    command = ("-m", "server", "serve", "--port", str(port), *options)
    async with process(*command, says=b"listens on", core=core, **environment) as pid:
        yield port, pid


async def migrate(database_url: str) -> None:
    """Bring a database to the newest tables."""
    environment = os.environ | {"DATABASE_URL": database_url}
    migration = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "server", "migrate", env=environment
    )
    if await migration.wait() != 0:
        raise SystemExit("the migration failed")


async def connect(port: int, make: Callable[[], WireT]) -> WireT:
    """Open one socket and wait until it may be used."""
    loop = asyncio.get_running_loop()
    _, wire = await loop.create_connection(make, "127.0.0.1", port)
    async with asyncio.timeout(PATIENCE_S):
        await wire.ready
    return wire


async def connect_all(port: int, makes: Sequence[Callable[[], WireT]]) -> list[WireT]:
    """Open many sockets, a few at a time."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(make: Callable[[], WireT]) -> WireT:
        async with gate:
            return await connect(port, make)

    return list(await asyncio.gather(*(one(make) for make in makes)))


async def connect_players(port: int, seats: list[Seat], frames: list[bytes]) -> list[Player]:
    """Connect the players of seats; each is to send these frames."""
    makes = [partial(Player, s.path, frames, hello=s.hello(), is_answer=ACK) for s in seats]
    return await connect_all(port, makes)


async def seat_rooms(port: int, *, rooms: int, seats: int, code: str) -> list[Seat]:
    """Open rooms, fill and start them, a few at a time; gives everyone in them, room by room."""
    gate = asyncio.Semaphore(AT_ONCE)
    async with httpx2.AsyncClient(
        base_url=f"http://127.0.0.1:{port}/api/v1", timeout=PATIENCE_S
    ) as http:

        async def one() -> list[Seat]:
            async with gate:
                return await _seat_a_room(http, seats=seats, code=code)

        seated = await asyncio.gather(*(one() for _ in range(rooms)))
    return [seat for room in seated for seat in room]


async def _seat_a_room(http: httpx2.AsyncClient, *, seats: int, code: str) -> list[Seat]:
    players = [await _register(http) for _ in range(seats)]
    host = players[0][1]
    wish = {"code": code, "countdown_s": 0, "seats": seats, "time_limit_s": 7200}
    room = str((await _call(http, "/rooms", host, **wish))["id"])
    for _, token in players[1:]:
        await _call(http, f"/rooms/{room}/join", token)
    await _call(http, f"/rooms/{room}/start", host)
    return [Seat(room, player, token) for player, token in players]


async def register_all(http: httpx2.AsyncClient, count: int) -> list[tuple[str, str]]:
    """Register so many bots, a few at a time; gives their ids and tokens."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one() -> tuple[str, str]:
        async with gate:
            return await _register(http)

    return list(await asyncio.gather(*(one() for _ in range(count))))


async def _register(http: httpx2.AsyncClient) -> tuple[str, str]:
    """Register a bot; gives its id and its token."""
    name = f"b{random.getrandbits(60):x}"
    made = await _call(http, "/players", None, name=name, kind="bot")
    return str(made["player"]["id"]), str(made["token"])


async def _call(
    http: httpx2.AsyncClient, path: str, token: str | None, **body: object
) -> dict[str, Any]:
    """Make a call that must succeed."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = await http.post(path, json=body, headers=headers)
    answer.raise_for_status()
    return dict(answer.json())


def live_path(room: str) -> str:
    """Name the path of a room's live socket."""
    return f"/api/v1/rooms/{room}/live"


def free_port() -> int:
    """Find a port that nobody listens on, and that the system gives to no client by itself.

    A client that got the port of a server which restarts would be in its way.
    """
    while True:
        port = random.randint(*SERVER_PORTS)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
