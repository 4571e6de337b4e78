"""What waits to be sent on one socket."""

import asyncio
from collections import deque
from collections.abc import Callable

from server import metrics

WriteNow = Callable[[bytes], bool]
"""Sends a frame on a socket at once, if it takes one now; gives whether it did."""

COME_BACK = 1012
BAD_TOKEN = 4401
TOO_SLOW = 4413
REPLACED = 4409


def never(_frame: bytes) -> bool:
    """Send nothing: stands for a socket on which only the task that takes frames out can."""
    return False


def nothing() -> None:
    """Do nothing: stands where nobody wants to know."""


class Outbox:
    """Frames for one socket; anyone may `push`, and nobody waits. One task takes them out.

    Full, the reader is too slow: the socket is closed with 4413, and its client resumes.

    Attributes:
        write_now: the short way for frames that nothing is before; asked first.
        on_close: called once the socket is to be closed.
        close_code: what the socket is to be closed with; None while it is open.
        close_reason: tells people the same.
    """

    def __init__(self, *, most_frames: int) -> None:
        self._frames: deque[bytes] = deque()
        self._most_frames = most_frames
        self._loop = asyncio.get_running_loop()
        self._waiter: asyncio.Future[None] | None = None
        self.write_now: WriteNow = never
        self.on_close: Callable[[], None] = nothing
        self.close_code: int | None = None
        self.close_reason = ""

    def push(self, frame: bytes) -> None:
        """Have a frame sent, unless the socket is being closed."""
        if self.close_code is not None:
            return
        if self._is_idle and self.write_now(frame):
            return
        if len(self._frames) >= self._most_frames:
            self._frames.clear()
            metrics.OUTBOX_OVERFLOWS.inc()
            self.close(TOO_SLOW, "you read too slowly; reconnect and resume")
            return
        self._frames.append(frame)
        self._wake()

    def close(self, code: int, reason: str) -> None:
        """Have the socket closed, once what waits has been sent; the first code holds."""
        if self.close_code is None:
            self.close_code, self.close_reason = code, reason
            self.on_close()
            self._wake()

    async def next_frame(self) -> bytes | None:
        """Take out the next frame, once there is one; None when the socket is to be closed."""
        while not self._frames:
            if self.close_code is not None:
                return None
            # A bare future, not an Event: this is awaited once for every frame of a race.
            self._waiter = self._loop.create_future()
            await self._waiter
        return self._frames.popleft()

    @property
    def _is_idle(self) -> bool:
        """Whether no frame waits here, or is in the hands of the task that sends them."""
        return self._waiter is not None and not self._waiter.done()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
