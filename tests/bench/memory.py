"""What idle sockets cost the server: memory, by the slope over thousands of them, and its core.

Spectators all watch one race; players each have a game of their own in rooms of eight. The kernel's
buffers are not in it: they belong to no process.
"""

import asyncio
import os
from collections.abc import Callable
from functools import partial
from statistics import linear_regression
from typing import NamedTuple

import uvloop
from rich.console import Console
from rich.table import Table

from tests.bench.crowd import Register, Watcher
from tests.bench.databases import Postgres, postgres, postgres_database
from tests.bench.machine import allow_sockets, conditions, cpu_seconds, memory_kb
from tests.bench.moves import CODE
from tests.bench.serving import (
    CLIENT_CORE,
    connect_all,
    migrate,
    race_server,
    seat_rooms,
)
from tests.bench.wire import ACK, Player, Wire

SIZES = (0, 1_000, 5_000)
SEATS = 8
SETTLE_S, IDLE_S = 2.0, 4.0
AIM_KB = 40


class Measured(NamedTuple):
    """The server's memory with so many sockets, and how much of a core it takes to hold them."""

    sockets: int
    rss_kb: int
    pss_kb: int
    busy: float


async def grow(port: int, pid: int, makes: list[Callable[[], Wire]]) -> list[Measured]:
    """Open more and more sockets, and look at the server's memory between."""
    wires: list[Wire] = []
    measured = []
    for size in SIZES:
        wires += await connect_all(port, makes[len(wires) : size])
        await asyncio.sleep(SETTLE_S)
        cpu_s = cpu_seconds(pid)
        await asyncio.sleep(IDLE_S)
        busy = (cpu_seconds(pid) - cpu_s) / IDLE_S
        alive = sum(wire.open for wire in wires)
        if alive != size:
            raise SystemExit(f"{size - alive} of {size} sockets were closed")
        measured.append(Measured(size, *memory_kb(pid), busy))
    for wire in wires:
        wire.hang_up()
    return measured


async def spectators(port: int) -> list[Callable[[], Wire]]:
    """Prepare sockets that watch one race."""
    seats = await seat_rooms(port, rooms=1, seats=SEATS, code=CODE)
    register = Register()
    return [partial(Watcher, seats[0].path, register)] * max(SIZES)


async def players(port: int) -> list[Callable[[], Wire]]:
    """Prepare sockets of players with a game each."""
    seats = await seat_rooms(port, rooms=max(SIZES) // SEATS, seats=SEATS, code=CODE)
    return [partial(Player, seat.path, [], hello=seat.hello(), is_answer=ACK) for seat in seats]


async def measure(server: Postgres) -> dict[str, list[Measured]]:
    """Measure both kinds of sockets, each on a server of its own."""
    results = {}
    for prepare in (spectators, players):
        async with postgres_database(server) as url:
            await migrate(url)
            async with race_server(url) as (port, pid):
                results[prepare.__name__] = await grow(port, pid, await prepare(port))
    return results


def kb_per_socket(sockets: list[int], kb: list[int]) -> float:
    """Give the slope: what was there before the sockets does not count."""
    return linear_regression(sockets, kb).slope


def report(results: dict[str, list[Measured]]) -> Table:
    """Show the slopes beside the aim."""
    table = Table("idle sockets", "MB at " + ", ".join(f"{size:,}" for size in SIZES))
    table.add_column("RSS KB each", justify="right")
    table.add_column("PSS KB each", justify="right")
    table.add_column("aim", justify="right")
    table.add_column("of a core, idle", justify="right")
    table.title = "Memory of the server's process"
    for kind, measured in results.items():
        sockets = [one.sockets for one in measured]
        table.add_row(
            kind,
            ", ".join(f"{one.rss_kb / 1024:.0f}" for one in measured),
            f"{kb_per_socket(sockets, [one.rss_kb for one in measured]):.1f}",
            f"{kb_per_socket(sockets, [one.pss_kb for one in measured]):.1f}",
            f"< {AIM_KB}",
            ", ".join(f"{one.busy:.1%}" for one in measured),
        )
    return table


def main() -> None:
    """Print what was measured."""
    before = conditions()
    allow_sockets(max(SIZES))
    os.sched_setaffinity(0, {CLIENT_CORE})
    with postgres() as server:
        table = report(uvloop.run(measure(server)))
    table.caption = before
    Console().print(table)


if __name__ == "__main__":
    main()
