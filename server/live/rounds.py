"""Work that is done again and again, each round a scope of its own."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from server.race.errors import Unavailable

log = structlog.get_logger()


async def go_on(work: Callable[[], Awaitable[object]], *, name: str, every_s: float) -> None:
    """Do something now and every so many seconds, without end.

    A round that fails is logged as `<name>.skipped` if storage did not answer, else as
    `<name>.failed`, and the next one comes all the same.
    """
    skipped, failed = f"{name}.skipped", f"{name}.failed"
    while True:
        try:
            await work()
        except Unavailable:
            log.warning(skipped)
        except Exception:  # a round is a scope of its own: the next one may succeed
            log.exception(failed)
        await asyncio.sleep(every_s)
