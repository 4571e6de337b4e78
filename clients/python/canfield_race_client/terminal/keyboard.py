"""Lines from standard input, while everything else goes on."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import TextIO


async def lines_of(file: TextIO) -> AsyncIterator[str]:
    """The lines of a file as they come, stripped, up to its end.

    They are read by a daemon thread, because a terminal cannot be waited for in an event loop
    everywhere, and a read that nobody needs any more must not keep the program from ending.
    """
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[str | None] = asyncio.Queue(maxsize=16)  # full: the reader waits

    def read() -> None:
        try:
            for line in file:
                asyncio.run_coroutine_threadsafe(lines.put(line.strip()), loop).result()
            asyncio.run_coroutine_threadsafe(lines.put(None), loop).result()
        except (RuntimeError, asyncio.CancelledError):
            return  # the loop has ended before the file

    threading.Thread(target=read, name="keyboard", daemon=True).start()
    while (line := await lines.get()) is not None:
        yield line
