"""The futures of moves that wait for their answers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from canfield_race_client.live_core import Settled
from canfield_race_client.outbox import Pending
from canfield_race_client.shapes import Ack


class Answers:
    """One future for each pending move; the core's outbox bounds how many there are."""

    def __init__(self) -> None:
        self._futures: dict[Pending, asyncio.Future[Ack]] = {}

    def to(self, pending: Pending) -> asyncio.Future[Ack]:
        """The future that gets the move's ack or its error."""
        future: asyncio.Future[Ack] = asyncio.get_running_loop().create_future()
        future.add_done_callback(_look_at)
        self._futures[pending] = future
        return future

    def settle(self, settled: Iterable[Settled]) -> None:
        """Give the answers that have come to who waits for them."""
        for pending, answer in settled:
            future = self._futures.pop(pending)
            if future.done():
                continue  # its sender stopped waiting
            if isinstance(answer, Ack):
                future.set_result(answer)
            else:
                future.set_exception(answer)

    def end(self, error: BaseException) -> None:
        """No answer comes any more: everybody who waits gets this error."""
        for future in self._futures.values():
            if not future.done():
                future.set_exception(error)
        self._futures.clear()


def _look_at(answer: asyncio.Future[Ack]) -> None:
    """Mark an answer as seen: a reject nobody awaits is an event too, and no lost error."""
    if not answer.cancelled():
        answer.exception()
