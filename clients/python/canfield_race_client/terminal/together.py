"""Several jobs at once: the first error ends all."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine


async def together(*jobs: Coroutine[object, object, object]) -> None:
    """Run jobs side by side; the first error stops the others and is raised as itself."""
    try:
        async with asyncio.TaskGroup() as group:
            for job in jobs:
                group.create_task(job)
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from errors


async def while_running(
    main: Coroutine[object, object, None], aside: Coroutine[object, object, None]
) -> None:
    """Run a job, and another one aside for as long as it takes; an error in either ends both."""
    try:
        async with asyncio.TaskGroup() as group:
            helper = group.create_task(aside)
            await main
            helper.cancel()
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from errors
