"""Throwing away, now and then, what nobody needs any more."""

from datetime import timedelta

import structlog

from server.clock import Clock, now
from server.live.ports import Rooms
from server.live.rounds import go_on

log = structlog.get_logger()

EVENTS_KEPT = timedelta(hours=1)
"""Who has been away for longer is told the room whole instead of what happened meanwhile."""

EVERY_S = 300.0


class Upkeep:
    """Keeps the database from growing by what was of use for an hour only."""

    def __init__(self, rooms: Rooms, *, clock: Clock) -> None:
        self._rooms = rooms
        self._clock = clock

    async def run(self) -> None:
        """Tidy up every five minutes, for as long as it runs."""
        await go_on(self.tidy, name="upkeep", every_s=EVERY_S)

    async def tidy(self) -> None:
        """Tidy up once.

        Raises:
            Unavailable: storage did not answer.
        """
        forgotten = await self._rooms.forget_events(before=now(self._clock) - EVENTS_KEPT)
        if forgotten:
            log.info("events.forgotten", count=forgotten)
