"""Seeing to it that finished rooms are counted for the leaderboards, soon and whatever happens.

A race is counted as it finishes. What is left here: dailies, which are counted in many steps, and
what a server that was killed, or a recount, has left undone.
"""

from typing import Protocol

import structlog

from server.live.rounds import go_on

log = structlog.get_logger()

EVERY_S = 2.0


class Counting(Protocol):
    """Counts finished rooms; every call raises `Unavailable` when storage does not answer."""

    async def unsettled(self, limit: int = 100) -> list[str]:
        """Name finished rooms that are still to be settled, in the order to do it in."""

    async def settle(self, room_id: str) -> bool:
        """Count what is left to count of a room; gives whether nothing is left now."""


class Bookkeeping:
    """Settles what is unsettled."""

    def __init__(self, counting: Counting) -> None:
        self._counting = counting

    async def run(self) -> None:
        """Settle what there is every two seconds, for as long as it runs."""
        await go_on(self.settle, name="bookkeeping", every_s=EVERY_S)

    async def settle(self) -> None:
        """Settle every room that can be settled now.

        Raises:
            Unavailable: storage did not answer.
        """
        for room_id in await self._counting.unsettled():
            if await self._counting.settle(room_id):
                log.info("room.settled", room=room_id)
