"""Planning dailies ahead: a deal for each day, proven winnable before anybody knows it.

Which deal that is follows from the secret alone, so that nodes that plan a day at once come to
the same; the room that is kept first is the day's.
"""

from datetime import date
from typing import NamedTuple

import structlog

from server.clock import Clock, now
from server.live.ports import Dailies, Prover
from server.live.rounds import go_on
from server.live.winnable.proving import prove
from server.race.daily import DAY, Daily, day_of, open_daily, start_of
from server.race.daily_deals import candidate
from server.race.deals import Chance, Deal
from server.race.errors import Unavailable, WrongState
from server.race.proof import Proof

log = structlog.get_logger()

DAYS_AHEAD = 2
"""How many days after today are always planned."""

EVERY_S = 30.0

CANDIDATE_POSITIONS = 200_000
"""What the solver may look at before a day's next candidate is tried; the same for all nodes."""

MOST_CANDIDATES = 100
"""More that cannot be won in a row mean that something is wrong."""


class Chosen(NamedTuple):
    """The candidate that becomes a day's deal."""

    number: int
    deal: Deal
    proof: Proof


class Planner:
    """Sees to it that days have their dailies."""

    def __init__(self, dailies: Dailies, prover: Prover, *, clock: Clock, chance: Chance) -> None:
        self._dailies = dailies
        self._prover = prover
        self._clock = clock
        self._chance = chance

    async def run(self) -> None:
        """Plan what is missing now and every half minute, for as long as it runs."""
        await go_on(self.plan_ahead, name="planning", every_s=EVERY_S)

    async def plan_ahead(self) -> None:
        """Plan today and the next days, where they are not planned.

        Raises:
            Unavailable: storage did not answer.
        """
        today = day_of(now(self._clock))
        for ahead in range(DAYS_AHEAD + 1):
            await self.plan(today + ahead * DAY)

    async def plan(self, day: date) -> str:
        """Plan a day unless it is planned; gives its room.

        Raises:
            Unavailable: storage did not answer, or no deal could be proven.
        """
        planned = await self._dailies.room_of(day)
        if planned is not None:
            return planned
        chosen = await self._choose(day)
        room = self._open(day, chosen)
        planned = await self._dailies.plan(
            room, chosen.proof, number=chosen.number, at=room.created_at
        )
        if planned == room.id:
            _log("daily.planned", room, chosen)
        return planned

    async def replace(self, room: Daily, *, number: int) -> Daily:
        """Put the next candidate in the place of a day's room, which dealt the one with a number.

        Raises:
            WrongState: the day has begun.
            Unavailable: storage did not answer, no deal could be proven, or somebody else has
                replaced the room meanwhile.
        """
        self._refuse_begun(room)
        chosen = await self._choose(room.day, since=number + 1)
        new = self._open(room.day, chosen)
        events = room.withdraw(at=new.created_at)
        replaced = await self._dailies.replace(
            room, events, by=new, proof=chosen.proof, number=chosen.number, at=new.created_at
        )
        if not replaced:
            raise Unavailable(f"somebody else has just changed the daily of {room.day}")
        _log("daily.replaced", new, chosen)
        return new

    async def _choose(self, day: date, *, since: int = 0) -> Chosen:
        """Give the day's first candidate, from a number on, that is proven winnable."""
        secret = await self._dailies.secret(fresh=self._chance.secret())
        for number in range(since, since + MOST_CANDIDATES):
            deal = candidate(secret, day, number)
            proof = await prove(
                self._prover, deal.code, positions=CANDIDATE_POSITIONS, short=True
            )  # short, since it will be published
            if proof is not None:
                return Chosen(number, deal, proof)
        raise Unavailable(f"none of {MOST_CANDIDATES} deals for {day} could be proven winnable")

    def _open(self, day: date, chosen: Chosen) -> Daily:
        room_id = self._chance.identifier()
        return open_daily(room_id, chosen.deal, day=day, at=now(self._clock))

    def _refuse_begun(self, room: Daily) -> None:
        if now(self._clock) >= start_of(room.day):
            raise WrongState(
                f"{room.day} has begun: its deal stays; a day to come can be replaced",
                state="racing",
            )


def _log(event: str, room: Daily, chosen: Chosen) -> None:
    """Tell what was planned, and nothing of the deal."""
    log.info(
        event,
        day=room.day.isoformat(),
        room=room.id,
        number=chosen.number,
        positions=chosen.proof.positions,
    )
