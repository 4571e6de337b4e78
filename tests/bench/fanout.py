"""Thousands of sockets watch one race: how soon the last one has a move, and what it costs.

Players race in a room of eight. `quiet`: one of them moves now and then, more than a tick apart,
so that standings go out at once. `busy`: all eight move several times a second, so that every
tick of a tenth of a second has something to tell, and a move may wait for the next one.

A move's delay runs from its player's reading the ack (the commit has just been made) to the last
socket's reading the first standings frame that has the move, on the machine's one clock. Server
and clients have a core each; the delay includes what the clients take to read, and what others on
the machine take of the cores: the table tells how long the server could have run but did not.
"""

import asyncio
import os
import random
import time
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import uvloop
from rich.console import Console
from rich.table import Table

from tests.bench.crowd import Crowd, Seen, Told, watching
from tests.bench.databases import postgres, postgres_database
from tests.bench.figures import COLUMNS, figures
from tests.bench.machine import allow_sockets, conditions, cpu_seconds, waited_seconds
from tests.bench.moves import CODE, move_frames
from tests.bench.serving import CLIENT_CORE, Seat, connect_all, migrate, race_server, seat_rooms
from tests.bench.wire import ACK, Player

SIZES = (10, 100, 1_000, 5_000)
PLAYERS = 8
MEASURE_S, WARM_UP_S = 15.0, 1.0
SEEN_WITHIN_S, LOOK_EVERY_S = 60.0, 0.5
AIM_MS = 150
MOST_MOVES = 1_000  # per player: more than are made


class Pace(NamedTuple):
    """How fast a room plays: who moves, and the pauses between a player's moves."""

    name: str
    players: int
    pause_s: tuple[float, float]


PACES = (Pace("quiet", 1, (0.15, 0.35)), Pace("busy", PLAYERS, (0.1, 0.4)))


class Commit(NamedTuple):
    """An acknowledged move: whose, how many actions with it, and when its ack was read."""

    player: str
    actions: int
    at_s: float


class Racer(Player):
    """A player who pauses between moves, and notes when each was acknowledged.

    Attributes:
        in_flight: whether a move waits for its ack.
    """

    def __init__(self, seat: Seat, frames: list[bytes], commits: list[Commit]) -> None:
        super().__init__(seat.path, frames, hello=seat.hello(), is_answer=ACK)
        self.in_flight = False
        self.on_answer = self._note
        self._player = seat.player
        self._commits = commits
        self._pause_s: tuple[float, float] | None = None  # None: no more moves
        self._next: asyncio.TimerHandle | None = None

    def start(self, pause_s: tuple[float, float]) -> None:
        """Play on, with pauses between these bounds."""
        self._pause_s = pause_s
        self._later()

    def stop(self) -> None:
        """Make no more moves; one may still be in flight."""
        self._pause_s = None
        if self._next is not None:
            self._next.cancel()

    def go(self) -> None:
        """Make the next move."""
        self.in_flight = True
        super().go()

    def _note(self) -> None:
        self.in_flight = False
        self._commits.append(Commit(self._player, self.answered, time.monotonic()))
        self._later()

    def _later(self) -> None:
        if self._pause_s is not None:
            loop = asyncio.get_running_loop()
            self._next = loop.call_later(random.uniform(*self._pause_s), self.go)


class Measured(NamedTuple):
    """What one pace at one size gave.

    Attributes:
        delays_ms: of each move.
        ticks: standings frames sent to everyone.
        server_s: how long the server's process was busy with them.
        server_busy, crowd_busy: how much of its core each process took while the room played.
        server_waited: how much of the time others had the server's core, though it could run.
    """

    delays_ms: list[float]
    ticks: int
    server_s: float
    server_busy: float
    crowd_busy: float
    server_waited: float


def delays_ms(
    commits: Sequence[Commit], told: Sequence[Told], *, sockets: int
) -> list[float] | None:
    """Tell how long each move took to reach the last socket; None while one has not.

    Only frames that all sockets got count, so that a socket which was told in another way makes
    a delay look longer, never shorter.
    """
    whole = [frame for frame in told if frame.sockets == sockets]
    delays = []
    for commit in commits:
        having = (f for f in whole if f.actions.get(commit.player, -1) >= commit.actions)
        first = next(having, None)
        if first is None:
            return None
        delays.append((first.last_s - commit.at_s) * 1e3)
    return delays


async def measure_pace(
    racers: list[Racer], commits: list[Commit], crowd: Crowd, pace: Pace, pid: int
) -> Measured:
    """Let the room play for a while, and wait until everyone has seen all of it."""
    for racer in racers[: pace.players]:
        racer.start(pace.pause_s)
    await asyncio.sleep(WARM_UP_S)
    await crowd.begin()
    commits.clear()
    start_s, begun_s, waited_s = time.monotonic(), cpu_seconds(pid), waited_seconds(pid)
    await asyncio.sleep(MEASURE_S)
    for racer in racers:
        racer.stop()
    elapsed_s, busy_s = time.monotonic() - start_s, cpu_seconds(pid) - begun_s
    waited_s = waited_seconds(pid) - waited_s
    busy_crowd_s = (await crowd.look()).cpu_s
    seen, delays = await all_seen(racers, commits, crowd)
    if refused := [racer.refused for racer in racers if racer.refused]:
        raise SystemExit(f"the server refused: {refused[0]!r}")
    return Measured(
        delays_ms=delays,
        ticks=sum(frame.sockets == crowd.count for frame in seen.told),
        server_s=cpu_seconds(pid) - begun_s,
        server_busy=busy_s / elapsed_s,
        crowd_busy=busy_crowd_s / elapsed_s,
        server_waited=waited_s / elapsed_s,
    )


async def all_seen(
    racers: list[Racer], commits: list[Commit], crowd: Crowd
) -> tuple[Seen, list[float]]:
    """Give what the crowd saw, once it has seen every move."""
    async with asyncio.timeout(SEEN_WITHIN_S):
        while True:
            answered = not any(racer.in_flight for racer in racers)
            seen = await crowd.look()
            if seen.sockets != crowd.count:
                raise SystemExit(f"{crowd.count - seen.sockets} of {crowd.count} were closed")
            delays = delays_ms(commits, seen.told, sockets=crowd.count)
            if answered and delays is not None:
                return seen, delays
            await asyncio.sleep(LOOK_EVERY_S)


async def measure_size(database_url: str, size: int) -> dict[str, Measured]:
    """Measure every pace with so many sockets."""
    commits: list[Commit] = []
    frames = move_frames(MOST_MOVES)
    async with race_server(database_url) as (port, pid):
        seats = await seat_rooms(port, rooms=1, seats=PLAYERS, code=CODE)
        racers = await connect_all(port, [partial(Racer, seat, frames, commits) for seat in seats])
        async with watching(port, seats[0].room, size) as crowd:
            return {
                pace.name: await measure_pace(racers, commits, crowd, pace, pid) for pace in PACES
            }


async def measure() -> dict[int, dict[str, Measured]]:
    """Measure every size, each with a server and a database of its own."""
    results = {}
    with postgres() as server:
        for size in SIZES:
            async with postgres_database(server) as url:
                await migrate(url)
                results[size] = await measure_size(url, size)
    return results


def report(results: dict[int, dict[str, Measured]]) -> Table:
    """Show delays beside the aim, and what a tick costs the server for each socket more."""
    table = Table("sockets", "pace", "moves", "ticks", *COLUMNS, "aim p99")
    table.add_column("µs per tick and socket", justify="right")
    table.add_column("server busy", justify="right")
    table.add_column("clients busy", justify="right")
    table.add_column("server kept from its core", justify="right")
    table.title = "One race, watched: from the commit to the last socket having it"
    fewest = min(results)
    for size, paces in results.items():
        for name, one in paces.items():
            table.add_row(
                f"{size:,}",
                name,
                str(len(one.delays_ms)),
                str(one.ticks),
                *figures(one.delays_ms),
                str(AIM_MS),
                _marginal_us(one, size, results[fewest][name], fewest),
                f"{one.server_busy:.0%}",
                f"{one.crowd_busy:.0%}",
                f"{one.server_waited:.0%}",
            )
    return table


def _marginal_us(one: Measured, size: int, least: Measured, fewest: int) -> str:
    """What each socket beyond the fewest adds to a tick: the rest is the players' own."""
    if size == fewest:
        return "-"
    more_s = one.server_s / one.ticks - least.server_s / least.ticks
    return f"{more_s / (size - fewest) * 1e6:.1f}"


def main() -> None:
    """Print what was measured."""
    before = conditions()
    allow_sockets(max(SIZES))
    os.sched_setaffinity(0, {CLIENT_CORE})
    table = report(uvloop.run(measure()))
    table.caption = before
    Console().print(table)


if __name__ == "__main__":
    main()
