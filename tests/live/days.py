"""Days of the daily, and nodes that do by hand what servers do by the clock."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import date, datetime

from server.clock import ManualClock, now
from server.game import GameCode
from server.live.bookkeeping import Bookkeeping
from server.live.buses.bus import MemoryBus
from server.live.winnable.planner import Planner
from server.race.daily import DAY, Daily, open_daily, start_of
from server.race.deals import Chance, Deal
from server.race.instants import MILLISECOND
from server.race.player import Player
from server.race.proof import Proof
from server.race.room import Room
from server.store.counting import Counting
from server.store.dailies import Dailies
from server.store.database import Database
from tests.live.builders import WIN, Node, a_node
from tests.live.provers import Solving
from tests.race.builders import NONCE, OPEN_CODE
from tests.store.builders import rows

SECRET = "06c0" * 16
"""With it, a deal that is won in a moment is among the first candidates of every day tried."""

AT_ONCE = 200
"""Moves that are on their way to disk at once; a few more are taken, and no more."""


async def plan(database: Database, *days: date) -> list[Daily]:
    """Plan days with the deal that `WIN` wins, as it was done two days before."""
    planned = []
    for day in days:
        deal = Deal(code=GameCode.parse(OPEN_CODE), nonce=NONCE)
        daily = open_daily(f"d_{day:%Y%m%d}", deal, day=day, at=start_of(day) - 2 * DAY)
        proof = Proof(line=tuple(WIN), positions=len(WIN))
        await Dailies(database).plan(daily, proof, number=0, at=daily.created_at)
        planned.append(daily)
    return planned


def go_to(clock: ManualClock, instant: datetime) -> None:
    """Let time pass until an instant."""
    clock.advance(ms=(instant - now(clock)) // MILLISECOND)


class Keeper:
    """A node, with everything besides that a running server does by the clock."""

    def __init__(self, node: Node, clock: ManualClock) -> None:
        self.node = node
        self.clock = clock
        dailies = Dailies(node.database)
        self.planner = Planner(dailies, Solving(), clock=clock, chance=Chance())
        self.bookkeeping = Bookkeeping(Counting(node.database))

    async def second(self) -> None:
        """Do what is done every second or two, all at once as a server does it."""
        await asyncio.gather(
            self.node.deadlines.sweep_once(),
            self.node.attempts.end_run_out(),
            self.node.pulse.beat(),
            self.node.reconciler.compare(),
            self.bookkeeping.settle(),
        )
        for _ in range(2):  # what was begun, and what that has begun
            await asyncio.gather(*self.node.tasks._running, return_exceptions=True)

    async def present(self, daily: Room) -> Daily:
        """Give a day's room as this node shows it."""
        return await self._read(daily.id)

    async def the_daily(self, day: date) -> Daily:
        """Give a day's room, planned now if it is not yet."""
        return await self._read(await self.planner.plan(day))

    async def play(self, daily: Room, player: Player, moves: Iterable[str], *, ply: int = 0) -> str:
        """Have a player make moves, and wait until their fate is known; gives the game's state."""
        room = await self.node.referee.present(daily.id, asking=player)
        session = self.node.session_of(room, player)
        for number, move in enumerate(moves, start=ply):
            await session.play(number, move, received_ms=self.clock.now_ms())
            if number % AT_ONCE == 0:
                await session.settled()
        await session.settled()
        return session.state

    async def _read(self, room_id: str) -> Daily:
        await self.node.referee.present(room_id)  # what is due is made
        room = await self.node.rooms.load_shown(room_id)
        assert isinstance(room, Daily)
        return room


@asynccontextmanager
async def a_keeper(
    database: Database, clock: ManualClock, *, medium: set[MemoryBus] | None = None
) -> AsyncIterator[Keeper]:
    """A node with everything that it does by the clock."""
    async with a_node(database, clock=clock, medium=medium) as node:
        yield Keeper(node, clock)


@asynccontextmanager
async def two_keepers(
    database: Database, clock: ManualClock, other: ManualClock | None = None
) -> AsyncIterator[tuple[Keeper, Keeper]]:
    """Two nodes that hear each other, with one clock or one each."""
    medium = set[MemoryBus]()
    async with (
        a_keeper(database, clock, medium=medium) as here,
        a_keeper(database, other or clock, medium=medium) as there,
    ):
        yield here, there


async def seconds(*keepers: Keeper, count: int = 3) -> None:
    """Let some seconds of work be done by nodes at once; their clocks stand meanwhile.

    After three everything that was due is done and told, by hints or by comparing.
    """
    for _ in range(count):
        await asyncio.gather(*(keeper.second() for keeper in keepers))


async def events_of(database: Database, daily: Room) -> list[str]:
    """The kinds of what has happened in a room, in order."""
    query = "SELECT event FROM room_events WHERE room_id = :room ORDER BY version"
    return [json.loads(event)["type"] for (event,) in await rows(database, query, room=daily.id)]


async def counted(database: Database, day: date) -> list[tuple[str, int, int]]:
    """Who is on a day's boards, with games and wins."""
    query = "SELECT player_id, games, wins, start FROM player_totals WHERE period = 'day'"
    found = await rows(database, query)
    return sorted((who, games, wins) for who, games, wins, of in found if str(of) == str(day))


async def runs_of(database: Database, player: Player) -> list[tuple[str, int]]:
    """The days on which a player has won the daily, each with the run that it is the end of."""
    query = "SELECT day, run FROM player_days WHERE player_id = :player ORDER BY day"
    return [(str(day), run) for day, run in await rows(database, query, player=player.id)]


def results(room: Room, players: Sequence[Player]) -> list[tuple[str, int | None]]:
    """How players' games have ended, and with which ranks."""
    seats = [room.seat_of(player.id) for player in players]
    return [(seat.state, seat.rank) for seat in seats if seat is not None]
