"""Work in the background, each piece of it a scope of its own."""

import asyncio
from collections.abc import Coroutine
from contextvars import Context
from typing import Any, TypeVar

import structlog
from structlog.contextvars import bind_contextvars

from server import metrics

log = structlog.get_logger()

GivenT = TypeVar("GivenT")


class Tasks:
    """Starts tasks, keeps hold of them, and ends them all on closing."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether nothing is begun any more."""
        return self._closed

    def start(self, work: Coroutine[Any, Any, None], *, name: str, room: str | None = None) -> None:
        """Have work done; what it raises is logged and ends it alone. Once closed, it is not.

        Its log lines tell its `room`, and nothing of the call or socket that happened to start it.
        """
        if self._closed:
            work.close()
            return
        context = Context()
        if room is not None:
            context.run(bind_contextvars, room=room)
        task = self._hold(work, name, context)
        task.add_done_callback(_note_failure, context=context)

    async def whole(self, work: Coroutine[Any, Any, GivenT], *, name: str) -> GivenT:
        """Have work done to its end, even if whoever waits for it is cancelled meanwhile.

        Its log lines tell what those of whoever waits do.
        """
        return await asyncio.shield(self._hold(work, name))

    async def close(self) -> None:
        """Cancel what still runs."""
        self._closed = True
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def _hold(
        self, work: Coroutine[Any, Any, GivenT], name: str, context: Context | None = None
    ) -> asyncio.Task[GivenT]:
        task = asyncio.create_task(work, name=name, context=context)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task


def _note_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        metrics.TASK_FAILURES.inc()
        log.error("task.failed", task=task.get_name(), exc_info=error)
