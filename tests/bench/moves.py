"""Moves acknowledged per second, on disk, beside the bare echo of the same stack.

64 sockets in 16 rooms with one move in flight each; server and client on a core each.
"""

import asyncio
import os
import random
import time
from statistics import median
from typing import NamedTuple

import uvloop
from rich.console import Console
from rich.table import Table

from server.game import Board, GameCode
from tests.bench.databases import Postgres, postgres, postgres_database, sqlite_database
from tests.bench.machine import conditions, cpu_seconds
from tests.bench.serving import (
    CLIENT_CORE,
    connect,
    connect_players,
    free_port,
    migrate,
    process,
    race_server,
    seat_rooms,
)
from tests.bench.wire import Player, text_frame

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


def move_frames(count: int) -> list[bytes]:
    """Give the frames of a long game."""
    return [
        text_frame(b'{"type":"move","ply":%d,"move":"%s"}' % (ply, move.encode()))
        for ply, move in enumerate(a_long_game(count))
    ]


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

    async with process("-m", "tests.bench.echo", str(port), says=b"listens") as pid:
        players = [await connect(port, player) for _ in range(ROOMS * SEATS)]
        return await rate_of(players, pid)


async def race_rate(database_url: str, frames: list[bytes]) -> Measured:
    """Measure the server on a database."""
    await migrate(database_url)
    async with race_server(database_url) as (port, pid):
        seats = await seat_rooms(port, rooms=ROOMS, seats=SEATS, code=CODE)
        return await rate_of(await connect_players(port, seats, frames), pid)


async def measure(server: Postgres) -> Table:
    """Measure echo, SQLite and PostgreSQL in turns, and give medians and ratios."""
    frames = move_frames(MOST_MOVES)
    rates: dict[str, list[Measured]] = {"echo": [], "SQLite": [], "PostgreSQL": []}
    for _ in range(ROUNDS):
        rates["echo"].append(await echo_rate(frames))
        with sqlite_database() as url:
            rates["SQLite"].append(await race_rate(url, frames))
        async with postgres_database(server) as url:
            rates["PostgreSQL"].append(await race_rate(url, frames))
    return report(rates)


def report(rates: dict[str, list[Measured]]) -> Table:
    """Show medians, and the ratio to the echo of the same round."""
    table = Table("", "per second", "of the echo", "server µs each")
    table.title = f"Moves acknowledged, on disk: {ROOMS * SEATS} sockets, {ROUNDS} rounds"
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
    """Print what was measured."""
    before = conditions()
    os.sched_setaffinity(0, {CLIENT_CORE})
    with postgres() as server:
        table = uvloop.run(measure(server))
    table.caption = before
    Console().print(table)


if __name__ == "__main__":
    main()
