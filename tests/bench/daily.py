"""What a daily costs that few or many have joined: joining, looking, and playing in it.

The many are written into the database; what is measured is done over HTTP and sockets.
"""

import asyncio
import os
import random
import time
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

import httpx2
import uvloop
from rich.console import Console
from rich.table import Table
from sqlalchemy import insert

from server.clock import SystemClock, now
from server.race.daily import Daily, day_of, open_daily
from server.race.daily_deals import candidate
from server.race.proof import Proof
from server.store.dailies import Dailies
from server.store.database import Database
from server.store.tables import games, players
from tests.bench.databases import Postgres, postgres, postgres_database
from tests.bench.figures import COLUMNS, figures
from tests.bench.machine import allow_sockets, conditions, cpu_seconds
from tests.bench.serving import (
    AT_ONCE,
    CLIENT_CORE,
    Seat,
    connect_all,
    migrate,
    race_server,
    register_all,
)
from tests.bench.wire import ACK, Player

CROWDS = (0, 1_000, 10_000)
"""How many have joined before."""

JOINERS = 400
LOOKS = 200
SETTLE_S, PLAYING_S = 3.0, 6.0
ROWS_AT_ONCE = 1_000


class Measured(NamedTuple):
    """Times of calls in ms by what they do, and how much of a core the joiners' sockets take."""

    times_ms: dict[str, list[float]]
    busy: float


async def plan(url: str, crowd: int) -> Daily:
    """Plan a daily for today, and have a crowd in it."""
    database = Database(url)
    await database.open()
    try:
        at = now(SystemClock())
        deal = candidate("a benchmark's secret", day_of(at), 0)
        daily = open_daily("daily", deal, day=day_of(at), at=at)
        await Dailies(database).plan(daily, Proof(line=("d",), positions=1), number=0, at=at)
        await fill(database, daily, crowd)
    finally:
        await database.close()
    return daily


async def fill(database: Database, daily: Daily, crowd: int) -> None:
    """Write so many players and their ended games."""
    chance = random.Random(crowd)
    for first in range(0, crowd, ROWS_AT_ONCE):
        numbers = range(first, min(crowd, first + ROWS_AT_ONCE))
        people = [_person(number, daily.opens_at) for number in numbers]
        played = [_game(number, daily, chance) for number in numbers]
        async with database.write() as connection:
            await connection.execute(insert(players), people)
            await connection.execute(insert(games), played)


def _person(number: int, at: datetime) -> dict[str, Any]:
    name = f"c{number}"
    return {"id": f"p_{name}", "name": name, "name_key": name, "kind": "human", "created_at": at}


def _game(number: int, daily: Daily, chance: random.Random) -> dict[str, Any]:
    return {
        "id": f"g_{number}",
        "room_id": daily.id,
        "player_id": f"p_c{number}",
        "seat": number,
        "state": "out_of_time",
        "joined_at": daily.opens_at,
        "ply": chance.randrange(400),
        "placed": chance.randrange(1, 52),
        "score": 0,
        "at_ms": chance.randrange(1_800_000),
        "started_at": daily.opens_at,
        "ends_at": daily.opens_at + timedelta(minutes=30),
        "ended_at": daily.opens_at + timedelta(minutes=30),
        "transcript": "",
    }


async def timed(call: Callable[[], Awaitable[httpx2.Response]]) -> float:
    """Give how long a call took that must succeed, in ms."""
    began_s = time.perf_counter()
    answer = await call()
    answer.raise_for_status()
    return (time.perf_counter() - began_s) * 1000


async def at_once(calls: list[Callable[[], Awaitable[httpx2.Response]]]) -> list[float]:
    """Make calls, a few at a time."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(call: Callable[[], Awaitable[httpx2.Response]]) -> float:
        async with gate:
            return await timed(call)

    return list(await asyncio.gather(*(one(call) for call in calls)))


async def measure(server: Postgres, crowd: int) -> Measured:
    """Measure a daily that so many have joined."""
    async with postgres_database(server) as url:
        await migrate(url)
        daily = await plan(url, crowd)
        async with (
            race_server(url) as (port, pid),
            httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}/api/v1", timeout=60) as http,
        ):
            people = await register_all(http, JOINERS)
            tokens = [{"Authorization": f"Bearer {token}"} for _, token in people]
            standings = f"/rooms/{daily.id}/standings"
            around = {"around": "me", "limit": "20"}
            times_ms = {
                "join": await at_once(
                    [partial(http.post, "/daily/join", headers=one) for one in tokens]
                ),
                "look at it": await at_once([partial(http.get, "/daily")] * LOOKS),
                "standings around me": await at_once(
                    [partial(http.get, standings, params=around, headers=one) for one in tokens]
                ),
            }
            seats = [Seat(daily.id, player, token) for player, token in people]
            makes = [partial(Player, s.path, [], hello=s.hello(), is_answer=ACK) for s in seats]
            wires = await connect_all(port, makes)
            await asyncio.sleep(SETTLE_S)
            cpu_s = cpu_seconds(pid)
            await asyncio.sleep(PLAYING_S)
            busy = (cpu_seconds(pid) - cpu_s) / PLAYING_S
            if not all(wire.open for wire in wires):
                raise SystemExit("sockets were closed while they were measured")
    return Measured(times_ms, busy)


async def measure_all(server: Postgres) -> dict[int, Measured]:
    """Measure dailies of every size."""
    return {crowd: await measure(server, crowd) for crowd in CROWDS}


def report(results: dict[int, Measured]) -> Table:
    """Show what grows with the crowd, and what does not."""
    table = Table("joined before", "call", title=f"A daily on PostgreSQL, {AT_ONCE} calls at once")
    for column in (*COLUMNS, f"of a core for {JOINERS} who race"):
        table.add_column(column, justify="right")
    for crowd, measured in results.items():
        busy = f"{measured.busy:.1%}"
        for call, times_ms in measured.times_ms.items():
            table.add_row(f"{crowd:,}", call, *figures(times_ms), busy)
    return table


def main() -> None:
    """Print what was measured."""
    before = conditions()
    allow_sockets(JOINERS)
    os.sched_setaffinity(0, {CLIENT_CORE})
    with postgres() as server:
        table = report(uvloop.run(measure_all(server)))
    table.caption = before
    Console().print(table)


if __name__ == "__main__":
    main()
