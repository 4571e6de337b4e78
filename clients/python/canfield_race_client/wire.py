"""The connections under a live socket: opened, read, written, and opened again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed as SocketClosed
from websockets.exceptions import InvalidHandshake, InvalidStatus

from canfield_race_client.backoff import Backoff, Chance
from canfield_race_client.credit import Credit
from canfield_race_client.errors import ConnectionClosed, HandshakeRefused, ServerUnreachable
from canfield_race_client.live_core import LiveCore

MAX_FRAME_BYTES = 4 * 1024 * 1024  # the standings of a big room come in one frame
OPEN_TIMEOUT_S = 10.0
CLOSE_TIMEOUT_S = 2.0
PING_EVERY_S = 5.0  # so that a connection that is only half there is noticed
PONG_WITHIN_S = 5.0
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True)
class Disconnected:
    """The connection broke; another attempt follows in `retry_in_s` seconds."""

    close_code: int
    reason: str
    retry_in_s: float


def is_loopback(url: str) -> bool:
    """Whether a URL points to this machine, where no proxy can help.

    >>> is_loopback("ws://127.0.0.1:8000/api"), is_loopback("https://race.example")
    (True, False)
    """
    return urlsplit(url).hostname in LOOPBACK


class Wire:
    """Carries a core's texts over one connection after another until one closes for good."""

    def __init__(
        self,
        url: str,
        core: LiveCore,
        *,
        chance: Chance,
        sleep: Sleep,
        take: Callable[[str | bytes], None],
        tell: Callable[[Disconnected], None],
    ) -> None:
        self._url = url
        self._core = core
        self._sleep = sleep
        self._take = take
        self._tell = tell
        self._backoff = Backoff(chance=chance)
        self._has_more = asyncio.Event()
        self._was_open = False

    def flush(self) -> None:
        """There is something to send: it goes out soon, in order."""
        self._has_more.set()

    async def run(self) -> None:
        """Connect, carry, and connect again; ends only by raising.

        Raises:
            ConnectionClosed: when a close code says not to come back, or the attempts are used up.
            ServerUnreachable: when the very first connection cannot be made.
            HandshakeRefused: when the server has no live socket at this address.
        """
        while True:
            close_code, reason = await self._connect_once()
            self._core.lost()
            retry_in_s = self._backoff.after_close(
                close_code, retry_after_ms=self._core.retry_after_ms
            )
            if retry_in_s is None:
                raise ConnectionClosed(close_code, reason)
            self._tell(Disconnected(close_code, reason, retry_in_s))
            await self._sleep(retry_in_s)

    async def _connect_once(self) -> tuple[int, str]:
        """One connection from its opening to its end; why it ended."""
        try:
            async with connect(
                self._url,
                compression=None,
                proxy=None if is_loopback(self._url) else True,
                open_timeout=OPEN_TIMEOUT_S,
                close_timeout=CLOSE_TIMEOUT_S,
                ping_interval=PING_EVERY_S,
                ping_timeout=PONG_WITHIN_S,
                max_size=MAX_FRAME_BYTES,
            ) as socket:
                return await self._converse(socket)
        except InvalidStatus as error:
            status = error.response.status_code
            if status not in {429, 500, 502, 503, 504}:
                raise HandshakeRefused(status) from error
            return 1006, f"HTTP status {status}"
        except (OSError, InvalidHandshake) as error:
            if not self._was_open:
                raise ServerUnreachable(self._url, str(error) or type(error).__name__) from error
            return 1006, str(error)

    async def _converse(self, socket: ClientConnection) -> tuple[int, str]:
        self._core.opened()
        self.flush()
        writer = asyncio.create_task(self._write(socket))
        try:
            self._was_open = True
            async for text in socket:
                self._backoff.reset()
                self._take(text)
        except SocketClosed:
            pass  # how it was closed stands in close_code
        finally:
            writer.cancel()
        return int(socket.close_code or 1006), socket.close_reason or ""

    async def _write(self, socket: ClientConnection) -> None:
        loop = asyncio.get_running_loop()
        credit = Credit(now_s=loop.time())
        try:
            while True:
                await self._has_more.wait()
                self._has_more.clear()
                for text, cost in self._core.take_out():
                    wait_s = credit.spend(cost, now_s=loop.time())
                    if wait_s:
                        await self._sleep(wait_s)
                    await socket.send(text)
        except SocketClosed:
            return  # the reader learns it too, and says how to go on
