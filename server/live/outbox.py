"""What waits to be sent on one socket."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

Send = Callable[[str], Awaitable[None]]

TOO_SLOW = 4413
REPLACED = 4409


class Outbox:
    """Frames for one socket, sent in order by `pump`; anyone may `push`, and nobody waits.

    Full, the reader is too slow: the socket is closed with 4413, and its client resumes.
    """

    def __init__(self, *, most_frames: int) -> None:
        self._frames: deque[bytes] = deque()
        self._most_frames = most_frames
        self._wake = asyncio.Event()
        self.close_code: int | None = None
        self.close_reason = ""

    def push(self, frame: bytes) -> None:
        """Have a frame sent, unless the socket is being closed."""
        if self.close_code is not None:
            return
        if len(self._frames) >= self._most_frames:
            self._frames.clear()
            self.close(TOO_SLOW, "you read too slowly; reconnect and resume")
            return
        self._frames.append(frame)
        self._wake.set()

    def close(self, code: int, reason: str) -> None:
        """Have the socket closed, once what waits has been sent; the first code holds."""
        if self.close_code is None:
            self.close_code, self.close_reason = code, reason
            self._wake.set()

    async def pump(self, send: Send) -> None:
        """Send what comes until the socket is to be closed."""
        while True:
            await self._wake.wait()
            while self._frames:
                await send(self._frames.popleft().decode())
            if self.close_code is not None:
                return
            self._wake.clear()
