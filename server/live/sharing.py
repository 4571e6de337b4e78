"""Reading once for all who ask for the same thing at about the same time."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

GivenT = TypeVar("GivenT")


class Shared(Generic[GivenT]):
    """Shares readings among those who ask meanwhile; nobody gets one begun before the question.

    So what comes back is never older than the question: who asks while a reading is under way
    waits for the next, together with everyone else who does.
    """

    def __init__(self, read: Callable[[str], Awaitable[GivenT]]) -> None:
        self._read = read
        self._under_way: dict[str, asyncio.Task[GivenT]] = {}
        self._next: dict[str, asyncio.Task[GivenT]] = {}

    async def read(self, key: str) -> GivenT:
        """Read what belongs to a key; raises what reading raises."""
        reading = self._next.get(key)
        if reading is None:
            reading = asyncio.create_task(self._read_after(key, self._under_way.get(key)))
            self._next[key] = reading
        return await asyncio.shield(reading)

    async def _read_after(self, key: str, before: asyncio.Task[GivenT] | None) -> GivenT:
        if before is not None:
            await asyncio.wait([before])
        self._under_way[key] = self._next.pop(key)
        try:
            return await self._read(key)
        finally:
            if key not in self._next:
                del self._under_way[key]
