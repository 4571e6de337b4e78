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
        self._closed = False

    def start(self, work: Coroutine[Any, Any, None], *, name: str) -> None:
        """Have work done; what it raises is logged and ends it alone. Once closed, it is not."""
        if self._closed:
            work.close()
            return
        self._hold(work, name).add_done_callback(_log_failure)

    async def whole(self, work: Coroutine[Any, Any, GivenT], *, name: str) -> GivenT:
        """Have work done to its end, even if whoever waits for it is cancelled meanwhile."""
        return await asyncio.shield(self._hold(work, name))

    async def close(self) -> None:
        """Cancel what still runs."""
        self._closed = True
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def _hold(self, work: Coroutine[Any, Any, GivenT], name: str) -> asyncio.Task[GivenT]:
        task = asyncio.create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task


def _log_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("task.failed", task=task.get_name(), exc_info=error)
