"""Work in the background, each piece of it a scope of its own."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import structlog

log = structlog.get_logger()


class Tasks:
    """Starts tasks, keeps hold of them, and ends them all on closing."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None], *, name: str) -> None:
        """Have work done; what it raises is logged and ends it alone."""
        task = asyncio.create_task(self._scope(work, name), name=name)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def close(self) -> None:
        """Cancel what still runs."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    @staticmethod
    async def _scope(work: Coroutine[Any, Any, None], name: str) -> None:
        try:
            await work
        except Exception:
            log.exception("task.failed", task=name)
