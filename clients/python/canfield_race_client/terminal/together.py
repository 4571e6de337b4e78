"""Several jobs at once, of which the first error ends all."""

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
