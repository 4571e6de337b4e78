"""Waiting for something to be so, whatever it is that makes it so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

Fact = Callable[[], bool]


class Facts:
    """Those who wait for facts; somebody says when to look again, or that it is over."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Fact, asyncio.Future[None]]] = []  # one for each await
        self._ending: BaseException | None = None

    async def wait(self, fact: Fact) -> None:
        """Return as soon as the fact holds when it is looked at.

        Raises:
            BaseException: what `end` was told, if that comes first.
        """
        if fact():
            return
        if self._ending is not None:
            raise self._ending
        came: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((fact, came))
        try:
            await came
        finally:
            self._waiting.remove((fact, came))

    def look(self) -> None:
        """Something has changed: let those go on whose fact holds now."""
        for fact, came in self._waiting:
            if not came.done() and fact():
                came.set_result(None)

    def end(self, error: BaseException) -> None:
        """Nothing changes any more: everybody who waits, now or later, gets this error."""
        self._ending = error
        for _, came in self._waiting:
            if not came.done():
                came.set_exception(error)
