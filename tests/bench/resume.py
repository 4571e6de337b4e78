"""Two thousand players come back at once after a restart: how long until all play on.

The players are in racing rooms of eight, with some moves made. The server is stopped and started
again; the moment it listens, everyone connects, says hello and waits for `welcome` and `game`.
Who is turned away comes again after a pause. Times run from the moment the server listens.
"""

import asyncio
import os
import random
import time
from collections import Counter
from statistics import median
from typing import NamedTuple

import msgspec
import uvloop
from msgspec import Struct
from rich.console import Console
from rich.table import Table

from server.settings import Settings
from tests.bench.databases import (
    Postgres,
    Statements,
    count_from_now,
    counted,
    postgres,
    postgres_database,
    sqlite_database,
)
from tests.bench.figures import COLUMNS, figures
from tests.bench.machine import allow_sockets, conditions, cpu_seconds
from tests.bench.moves import CODE, move_frames
from tests.bench.serving import (
    CLIENT_CORE,
    Seat,
    connect_players,
    free_port,
    migrate,
    race_server,
    seat_rooms,
)
from tests.bench.wire import GAME, Wire

ROOMS, SEATS = 250, 8
MOVES = 20  # made by each player before
ROUNDS = 3
PAUSE_S = (0.25, 0.5)  # before coming again: what the contract asks for at least
RESUME_WITHIN_S = 180
HELLO_WITHIN_S = str(Settings().hello_within_s)  # who is served later than that is turned away


class Stamped(Struct):
    """What of a room's frames says where in its stream they stand."""

    offset: int | None = None
    epoch: str | None = None
    recovered: bool | None = None


class Returning(Wire):
    """A socket that says hello, and notes when it may play on.

    Attributes:
        epoch, offset: where it stands in its room's stream.
        recovered: whether the welcome said so.
        resumed_s: when it had both its welcome and its game, on the monotonic clock.
    """

    def __init__(self, seat: Seat, *, epoch: str | None, offset: int) -> None:
        super().__init__(seat.path, hello=seat.hello(epoch=epoch, offset=offset))
        self.epoch: str | None = epoch
        self.offset = offset
        self.recovered = False
        self.resumed_s = 0.0

    def take(self, payload: bytes) -> None:
        """Keep up with the stream; the game is the last thing it waits for."""
        if payload.startswith(GAME):
            self.resumed_s = time.monotonic()
            if not self.ready.done():
                self.ready.set_result(None)
            return
        stamped = msgspec.json.decode(payload, type=Stamped)
        self.offset = max(self.offset, stamped.offset or 0)
        if stamped.epoch is not None:
            self.epoch, self.recovered = stamped.epoch, bool(stamped.recovered)


class Measured(NamedTuple):
    """One comeback of everyone.

    Attributes:
        resuming: whether they said `since`.
        delays_ms: of each player, from the moment the server listens.
        recovered: how many were told what they missed, rather than the room anew.
        turned_away: how often somebody had to come again.
        server_ms: what one costs the server's process.
        statements: what the database was asked, where it counts.
    """

    resuming: bool
    delays_ms: list[float]
    recovered: int
    turned_away: int
    server_ms: float
    statements: Statements | None


class Place(NamedTuple):
    """Where a player stood when the server stopped."""

    seat: Seat
    epoch: str | None
    offset: int


async def come_back(
    port: int, place: Place, *, resuming: bool, turned_away: Counter[str]
) -> Returning:
    """Connect until it may play on; counts how often, and why, it was turned away."""
    loop = asyncio.get_running_loop()
    epoch = place.epoch if resuming else None
    while True:
        try:
            _, wire = await loop.create_connection(
                lambda: Returning(place.seat, epoch=epoch, offset=place.offset), "127.0.0.1", port
            )
            await wire.ready
        except OSError as error:
            turned_away[str(error)] += 1
            await asyncio.sleep(random.uniform(*PAUSE_S))
        else:
            return wire


async def all_come_back(
    port: int, places: list[Place], *, resuming: bool
) -> tuple[list[Returning], int]:
    """Have everyone come back at once; gives the sockets, and how often one was turned away.

    Raises:
        SystemExit: somebody has not come back in good time.
    """
    turned_away: Counter[str] = Counter()
    work = [
        asyncio.create_task(come_back(port, place, resuming=resuming, turned_away=turned_away))
        for place in places
    ]
    _, late = await asyncio.wait(work, timeout=RESUME_WITHIN_S)
    if late:
        for one in late:
            one.cancel()
        raise SystemExit(
            f"{len(late)} of {len(places)} players were not back within {RESUME_WITHIN_S} s; "
            f"turned away: {dict(turned_away)}"
        )
    return [one.result() for one in work], turned_away.total()


async def prepare(database_url: str) -> list[Place]:
    """Seat everyone and have them make some moves; gives where each stands then."""
    await migrate(database_url)
    async with race_server(database_url) as (port, _):
        seats = await seat_rooms(port, rooms=ROOMS, seats=SEATS, code=CODE)
        players = await connect_players(port, seats, move_frames(MOVES))
        for player in players:
            player.go()
        async with asyncio.timeout(RESUME_WITHIN_S):
            await asyncio.gather(*(player.finished for player in players))
        places = [Place(seat, None, 0) for seat in seats]
        sockets, _ = await all_come_back(port, places, resuming=False)
        return standing(places, sockets)


def standing(places: list[Place], sockets: list[Returning]) -> list[Place]:
    """Tell where everyone stands now."""
    return [
        Place(place.seat, socket.epoch, socket.offset)
        for place, socket in zip(places, sockets, strict=True)
    ]


async def measure(database_url: str, counting: Postgres | None) -> list[Measured]:
    """Restart a server again and again; whoever comes back says `since` every other time."""
    port = free_port()
    places = await prepare(database_url)
    measured = []
    for number in range(2 * ROUNDS):
        async with race_server(database_url, port=port, RACE_HELLO_WITHIN_S=HELLO_WITHIN_S) as (
            _,
            pid,
        ):
            if counting is not None:
                await count_from_now(counting)
            start_s, cpu_s = time.monotonic(), cpu_seconds(pid)
            resuming = number % 2 == 1
            sockets, turned_away = await all_come_back(port, places, resuming=resuming)
            cpu_s = cpu_seconds(pid) - cpu_s
            places = standing(places, sockets)
            asked = None if counting is None else await counted(counting, database_url)
            one = Measured(
                resuming=resuming,
                delays_ms=[(socket.resumed_s - start_s) * 1e3 for socket in sockets],
                recovered=sum(socket.recovered for socket in sockets),
                turned_away=turned_away,
                server_ms=cpu_s / len(places) * 1e3,
                statements=asked,
            )
        measured.append(one)
    return measured


async def measure_all() -> dict[str, list[Measured]]:
    """Measure on both databases."""
    with sqlite_database() as url:
        results = {"SQLite": await measure(url, None)}
    with postgres(counting=True) as server:
        async with postgres_database(server) as url:
            results["PostgreSQL"] = await measure(url, server)
    return results


def report(results: dict[str, list[Measured]]) -> Table:
    """Show what the rounds of each kind gave, all together."""
    table = Table("on", "hello", *COLUMNS, "recovered", "turned away", "server ms each")
    table.add_column("statements each", justify="right")
    table.add_column("begin, commit", justify="right")
    table.title = f"{ROOMS * SEATS:,} players resume after a restart, {ROUNDS} rounds"
    for name, measured in results.items():
        for resuming in (False, True):
            rounds = [one for one in measured if one.resuming is resuming]
            table.add_row(
                name,
                "since" if resuming else "anew",
                *figures([delay for one in rounds for delay in one.delays_ms]),
                f"{sum(one.recovered for one in rounds) / (ROOMS * SEATS * ROUNDS):.0%}",
                str(sum(one.turned_away for one in rounds)),
                f"{median(one.server_ms for one in rounds):.2f}",
                *_statements_each(rounds),
            )
    return table


def _statements_each(rounds: list[Measured]) -> tuple[str, str]:
    counts = [one.statements for one in rounds if one.statements is not None]
    if not counts:
        return "-", "-"
    asked = median(count.asked for count in counts) / (ROOMS * SEATS)
    framing = median(count.framing for count in counts) / (ROOMS * SEATS)
    return f"{asked:.2f}", f"{framing:.2f}"


def main() -> None:
    """Print what was measured."""
    before = conditions()
    allow_sockets(ROOMS * SEATS * 2)
    os.sched_setaffinity(0, {CLIENT_CORE})
    table = report(uvloop.run(measure_all()))
    table.caption = before
    Console().print(table)


if __name__ == "__main__":
    main()
