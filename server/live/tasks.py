"""Work in the background, each piece of it a scope of its own."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import structlog

log = structlog.get_logger()

GivenT = TypeVar("GivenT")


class Tasks:
    """Starts tasks, keeps hold of them, and ends them all on closing."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, None], *, name: str) -> None:
        """Have work done; what it raises is logged and ends it alone."""
        self._hold(asyncio.create_task(self._scope(work, name), name=name))

    async def whole(self, work: Coroutine[Any, Any, GivenT], *, name: str) -> GivenT:
        """Have work done to its end, even if whoever waits for it is cancelled meanwhile."""
        task = asyncio.create_task(work, name=name)
        self._hold(task)
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Cancel what still runs."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def _hold(self, task: asyncio.Task[Any]) -> None:
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    @staticmethod
    async def _scope(work: Coroutine[Any, Any, None], name: str) -> None:
        try:
            await work
        except Exception:
            log.exception("task.failed", task=name)
