"""What `canfield-race daily` does: planning dailies, showing them, and replacing one."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import date

import typer

from server.api.logs import configure_logs
from server.clock import Clock, SystemClock, now, set_by
from server.live.ports import Prover
from server.live.winnable.planner import Planner
from server.live.winnable.solving import Solvers
from server.race.daily import DAY, Daily, day_of
from server.race.deals import Chance
from server.race.errors import RaceError
from server.race.states import OVER
from server.settings import CannotRun, Settings
from server.store.dailies import Dailies, PlannedDay
from server.store.database import Database
from server.store.migrations import check_migrated
from server.store.rooms import Rooms

Say = Callable[[str], None]

MOST_DAYS = 366
"""How many days are planned, or shown, at most."""

WARNING = (
    "Keep this to yourself: whoever knows the code of a daily knows every card of it, before and "
    "while others play."
)


class Desk:
    """Where who runs a server plans dailies, on an open database."""

    def __init__(
        self, database: Database, prover: Prover, *, clock: Clock, chance: Chance, say: Say
    ) -> None:
        self._dailies = Dailies(database)
        self._rooms = Rooms(database)
        self._planner = Planner(self._dailies, prover, clock=clock, chance=chance)
        self._clock = clock
        self._say = say

    async def plan(self, *, days: int) -> None:
        """Plan today and the days after it, so many in all, where they are not planned.

        Raises:
            Unavailable: the database did not answer, or no deal could be proven.
        """
        for ahead in range(days):
            day = self._today + ahead * DAY
            was_planned = await self._dailies.room_of(day) is not None
            await self._planner.plan(day)
            planned = await self._look_up(day)
            self._say(f"{_in_short(planned)}{', planned before' if was_planned else ''}")

    async def show(self, day: date | None, *, reveal: bool) -> None:
        """Show a day, or today and every day planned after it.

        The deal and the line that wins it are shown of days that are over, or if they are to be
        revealed.

        Raises:
            CannotRun: the day is not planned.
            Unavailable: the database did not answer.
        """
        if day is not None:
            planned = [await self._look_up(day)]
        else:
            planned = await self._dailies.planned(since=self._today, limit=MOST_DAYS)
        if not planned:
            self._say("no day is planned; `canfield-race daily plan` plans some")
        if reveal and any(one.state not in OVER for one in planned):
            self._say(WARNING)
        for one in planned:
            self._say(_in_short(one))
            self._say(f"  commitment  {one.deal.commitment}")
            if reveal or one.state == "finished":
                for line in _deal_of(one):
                    self._say(line)

    async def replace(self, day: date) -> None:
        """Put the next candidate in the place of a day's deal, before the day begins.

        Raises:
            CannotRun: the day is not planned.
            WrongState: the day has begun.
            Unavailable: the database did not answer, no deal could be proven, or somebody else
                has replaced the room meanwhile.
        """
        old = await self._look_up(day)
        room = await self._rooms.load(old.room_id)
        if not isinstance(room, Daily):
            raise TypeError(f"the room {room.id} of {day} is no daily")
        await self._planner.replace(room, number=old.number)
        self._say(f"withdrawn: the room {old.room_id} of {day}; who watches it is told")
        await self.show(day, reveal=False)

    @property
    def _today(self) -> date:
        return day_of(now(self._clock))

    async def _look_up(self, day: date) -> PlannedDay:
        found = await self._dailies.planned(since=day, limit=1)
        if not found or found[0].day != day:
            raise CannotRun(
                f"{day} is not planned; `canfield-race daily plan` plans today and the next days, "
                "`canfield-race daily show` lists what is planned"
            )
        return found[0]


def run(settings: Settings, work: Callable[[Desk], Awaitable[None]]) -> None:
    """Have something done at a desk on the database of the settings, with a solver of its own.

    Raises:
        BadDatabase: the database cannot be used as it is.
        CannotRun: what was to be done cannot be; the message says why.
    """
    configure_logs("error", form=settings.log_format)  # the desk says itself what it does
    try:
        asyncio.run(_run(settings, work))
    except RaceError as error:
        raise CannotRun(error.detail) from error


async def _run(settings: Settings, work: Callable[[Desk], Awaitable[None]]) -> None:
    clock = SystemClock()
    database = Database(settings.database_url)
    solvers = Solvers(processes=1)  # candidates are tried one after the other
    async with AsyncExitStack() as stack:
        await database.open()
        stack.push_async_callback(database.close)
        stack.push_async_callback(solvers.close)
        await check_migrated(database)
        await set_by(database, clock)
        desk = Desk(database, solvers, clock=clock, chance=Chance(), say=typer.echo)
        await work(desk)


def _in_short(planned: PlannedDay) -> str:
    """Tell what may be known of a day by anybody."""
    players = "1 player" if planned.players == 1 else f"{planned.players} players"
    parts = [str(planned.day), planned.state, f"room {planned.room_id}", players]
    parts.append(f"candidate {planned.number}")
    if planned.proof is not None:
        length, positions = len(planned.proof.line), planned.proof.positions
        parts.append(f"won in {length} moves, found among {positions:,} positions")
    return "  ".join(parts)


def _deal_of(planned: PlannedDay) -> list[str]:
    """Tell what nobody may know before the day is over."""
    lines = [f"  code        {planned.deal.code}", f"  nonce       {planned.deal.nonce}"]
    if planned.proof is not None:
        lines.append(f"  line        {' '.join(planned.proof.line)}")
    return lines
