"""One race of bots, from its seats to its result."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from random import Random, SystemRandom

from canfield_race_client import CanfieldError, Client, RoomCalls
from canfield_race_client.errors import WrongState
from canfield_race_client.shapes import Registered
from canfield_race_client.terminal.bots import bot_names

from tests.faults.ledger import CLOCKS_AGREE_WITHIN_MS, Account
from tests.faults.racers import (
    CODE,
    PATIENCE_S,
    Racer,
    a_random_walk,
    now_ms,
    the_winning_line,
)

MOVES_PER_S = 30.0
WINNERS_MOVES_PER_S = 40.0


class Race:
    """A room under way with its racers.

    Attributes:
        rooms: the room, as each player calls it; the host first.
        players: with their tokens, in the same order.
        racers: those who play by the SDK.
        accounts: of everybody who plays, by the SDK or otherwise.
        failures: what should not have happened, in words.
    """

    def __init__(self, rooms: list[RoomCalls], players: list[Registered]) -> None:
        self.rooms = rooms
        self.players = players
        self.racers: list[Racer] = []
        self.accounts: list[Account] = []
        self.failures: list[str] = []
        self._finished = False

    @property
    def room_id(self) -> str:
        """The room's id."""
        return self.rooms[0].id

    def add(self, racer: Racer) -> None:
        """Have a racer take part from now on."""
        self.racers.append(racer)
        self.accounts.append(racer.account)
        racer.go()

    async def start(self) -> None:
        """Start the race, and hold its start against this machine's clock: the database's."""
        called_ms = now_ms()
        started_at = (await self.rooms[0].start()).started_at
        if started_at is None:
            self.failures.append("the race has not started")
        elif abs(started_at.timestamp() * 1000 - called_ms) > CLOCKS_AGREE_WITHIN_MS:
            self.failures.append(f"the race started at {started_at}, by no clock of ours")

    def hurry(self) -> None:
        """Have everybody send moves without a pause for a moment."""
        for racer in self.racers:
            racer.hurry()

    async def went_on(self, since_ms: int) -> None:
        """Wait until everybody who races has been acknowledged a move after this time."""
        await asyncio.gather(*(racer.went_on(since_ms) for racer in self.racers))

    def silences_ms(self, since_ms: int) -> list[int]:
        """Give the longest time that each racer then went without an acknowledged move."""
        return [
            longest_silence(times_ms, since_ms)
            for times_ms in ([at_ms for _, at_ms in racer.account.acks] for racer in self.racers)
            if times_ms and times_ms[-1] > since_ms
        ]

    async def finish(self) -> None:
        """Have everybody stop and resign, and wait until the room has its result."""
        if self._finished:
            return
        self._finished = True
        await asyncio.gather(*(racer.stop() for racer in self.racers))
        self.failures += [failure for racer in self.racers for failure in racer.failures]
        for room in self.rooms:
            await until(lambda room=room: self._has_resigned(room), f"{room} took no resignation")  # type: ignore[misc] # bound now
        await until(self._has_result, f"{self.rooms[0]} has no result")

    @staticmethod
    async def _has_resigned(room: RoomCalls) -> bool:
        with contextlib.suppress(WrongState):  # somebody has won
            await room.resign()
        return True

    async def _has_result(self) -> bool:
        return (await self.rooms[0].get()).state == "finished"


async def until(fact: Callable[[], Awaitable[bool]], failure: str) -> None:
    """Ask until something is so; while the server is being mended, errors are no answer.

    Raises:
        RuntimeError: it did not come to be so; the message says `failure`.
    """
    last: object = None
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE_S):
            while True:
                try:
                    if last := await fact():
                        return
                except CanfieldError as error:
                    last = error
                await asyncio.sleep(0.05)
    raise RuntimeError(f"{failure}: {last!r}")


def longest_silence(times_ms: Iterable[int], since_ms: int) -> int:
    """Give the longest time between two of these instants that lies after another one.

    >>> longest_silence([100, 200, 900, 1000], since_ms=500)
    400
    """
    previous_ms, longest_ms = since_ms, 0
    for at_ms in times_ms:
        if at_ms > since_ms:
            longest_ms = max(longest_ms, at_ms - previous_ms)
            previous_ms = at_ms
    return longest_ms


@contextlib.asynccontextmanager
async def a_race(
    url: str, chance: Random, *, players: int, countdown_s: int = 0
) -> AsyncIterator[Race]:
    """Seat new players in a new room; nobody has started it yet."""
    async with contextlib.AsyncExitStack() as stack:
        registered = [
            await Client.register(url, name, kind="bot")
            for name in bot_names(players, SystemRandom())
        ]
        clients = [
            await stack.enter_async_context(Client(url, player.token, chance=chance.random))
            for player in registered
        ]
        opened = await clients[0].create_room(code=CODE, countdown_s=countdown_s, time_limit_s=300)
        rooms = [client.room(opened.id) for client in clients]
        for room in rooms[1:]:
            await room.join()
        yield Race(rooms, registered)


@contextlib.asynccontextmanager
async def racing_bots(
    url: str, chance: Random, *, players: int, racers: int
) -> AsyncIterator[Race]:
    """Have the first of these players race by the SDK, one of them to a win, until the end."""
    async with a_race(url, chance, players=players) as race, contextlib.AsyncExitStack() as stack:
        lives = [await stack.enter_async_context(room.live()) for room in race.rooms[:racers]]
        await race.start()
        for live in lives:
            wins = live is lives[0]
            plan = the_winning_line() if wins else a_random_walk(chance)
            pace = WINNERS_MOVES_PER_S if wins else MOVES_PER_S
            async with asyncio.timeout(PATIENCE_S):
                await live.until(lambda live=live: live.game is not None)  # type: ignore[misc] # bound now
            racer = Racer(live, plan, chance=chance, moves_per_s=pace)
            stack.push_async_callback(racer.leave)
            race.add(racer)
        yield race
