"""A server with some life in it: two days, races and their players, for pictures of every page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random

from server.clock import SystemClock, machine_ms, monotonic_ms, now
from server.race.daily import DAY, day_of, start_of
from server.store.database import Database
from tests.api.driver import WIN, Api, Player, serving
from tests.live.days import plan

PATIENCE_S = 60

NAMES = ("Ana", "Bosse", "Mai_Anh", "Ivana", "Zoë", "Nils", "Quân", "Dragica")


class PassingTime:
    """Time that began in the past, and is skipped until it is now."""

    def __init__(self, behind: timedelta) -> None:
        self._behind_ms = behind.total_seconds() * 1000
        self._skipped_ms = 0.0
        self.clock = SystemClock(
            ticks=lambda: monotonic_ms() + self._skipped_ms,
            machine=lambda: machine_ms() - self._behind_ms,
        )

    def skip(self, seconds: float) -> None:
        """Let time pass at once."""
        self._skipped_ms += seconds * 1000

    def skip_until(self, ago: timedelta) -> None:
        """Let time pass until it is as long ago, if it is not later already."""
        left_s = (self._behind_ms - self._skipped_ms) / 1000 - ago.total_seconds()
        self.skip(max(0.0, left_s))


@dataclass
class Life:
    """What there is to see.

    Attributes:
        api: the server, called by nobody.
        people: who plays there, the first of them the one whose browser is looked into.
        yesterday: a day whose daily is over.
        lobby, racing, finished: rooms of the first player.
        game: of who won the finished one.
    """

    api: Api
    time: PassingTime
    chance: Random = field(default_factory=lambda: Random(7))
    people: list[Player] = field(default_factory=list)
    yesterday: date = date.min
    lobby: str = ""
    racing: str = ""
    finished: str = ""
    game: str = ""

    @property
    def site(self) -> str:
        """The server's address."""
        return str(self.api.client.base_url).rstrip("/")

    @property
    def me(self) -> Player:
        """Whose browser is looked into."""
        return self.people[0]

    async def play(
        self, room_id: str, plans: Mapping[int, tuple[float, int]], *, at_once: int = 1
    ) -> None:
        """Have people play, each at a pace of their own, moves a second, until so many moves.

        With more moves `at_once` there are fewer calls, and a coarser curve.
        """
        plies = dict.fromkeys(plans, 0)
        while any(plies[who] < moves for who, (_, moves) in plans.items()):
            self.time.skip(self.chance.uniform(0.6, 1.4) * at_once)
            for who, (pace, moves) in plans.items():
                if plies[who] < moves and self.chance.random() < pace:
                    line = WIN[plies[who] : min(plies[who] + at_once, moves)]
                    played = await self.people[who].play(room_id, *line, ply=plies[who])
                    assert played["reject"] is None
                    plies[who] += len(line)

    async def give_up(self, room_id: str, *who: int) -> None:
        """Have people resign."""
        for one in who:
            await self.people[one].resign(room_id)

    async def until_finished(self, path: str) -> None:
        """Wait until a race is over, all of it."""
        async with asyncio.timeout(PATIENCE_S):
            while (await self.api.get(path))["state"] != "finished":  # noqa: ASYNC110 — by its clock
                await asyncio.sleep(0.1)


@asynccontextmanager
async def some_life(url: str) -> AsyncIterator[Life]:
    """Serve a database in which a day and a half have been lived, until the block ends."""
    real = now(SystemClock())
    today = day_of(real)
    yesterday = today - DAY
    await _plan(url, yesterday, today, today + DAY)
    time = PassingTime(real - start_of(yesterday) - timedelta(hours=20))
    async with serving(url, clock=time.clock) as api:
        life = Life(api, time, yesterday=yesterday)
        life.people = [await api.register(name) for name in NAMES]
        await _live_yesterday(life)
        time.skip_until(max(timedelta(), real - start_of(today) - timedelta(seconds=20)))
        await life.until_finished(f"/daily/{yesterday}")
        time.skip_until(timedelta(hours=1))
        await _live_today(life)
        await _race(life)
        time.skip_until(timedelta(minutes=4))
        await _be_racing(life)
        yield life


async def _plan(url: str, *days: date) -> None:
    database = Database(url)
    await database.open()
    try:
        await plan(database, *days)
    finally:
        await database.close()


async def _live_yesterday(life: Life) -> None:
    room_id = await _join_the_daily(life, range(6))
    ends = {0: (0.3, 97), 1: (0.4, 160), 2: (0.35, 160), 3: (0.3, 120), 4: (0.2, 66), 5: (0.5, 24)}
    await life.play(room_id, ends, at_once=8)
    await life.give_up(room_id, 0, 3, 4, 5)


async def _live_today(life: Life) -> None:
    room_id = await _join_the_daily(life, range(1, 8))
    await life.play(
        room_id,
        {1: (0.3, 150), 2: (0.4, 160), 3: (0.3, 90), 4: (0.5, 131), 5: (0.2, 52), 6: (0.4, 110)},
        at_once=8,
    )
    await life.give_up(room_id, 1, 3, 4, 5)


async def _join_the_daily(life: Life, who: range) -> str:
    room_id = ""
    for one in who:
        room_id = (await life.people[one].post("/daily/join"))["id"]
    return room_id


async def _race(life: Life) -> None:
    """A race to its end."""
    life.finished = await life.me.race(*life.people[1:5], title="Friday evening")
    await life.play(
        life.finished,
        {0: (0.4, 160), 1: (0.38, 148), 2: (0.3, 118), 3: (0.25, 80), 4: (0.3, 41)},
        at_once=4,
    )
    await life.give_up(life.finished, 1, 2, 3, 4)
    await life.until_finished(f"/rooms/{life.finished}")
    games = await life.api.get(f"/rooms/{life.finished}/games")
    life.game = games["items"][0]["id"]


async def _be_racing(life: Life) -> None:
    """A race under way, and two that wait for players."""
    life.racing = await life.me.race(*life.people[1:4], time_limit_s=900)
    await life.play(
        life.racing,
        {0: (0.4, 103), 1: (0.36, 109), 2: (0.32, 88), 3: (0.25, 73)},
        at_once=4,
    )
    life.lobby = await life.me.open(title="Before bed", seats=4)
    await life.people[3].post(f"/rooms/{life.lobby}/join")
    await life.people[5].open(draw=1, sealed=True, title="Learning the game")
