"""Sockets that no client can hold open or fill: bounds that uvicorn leaves to who uses it.

Control frames, and messages in pieces, never reach the application, so they are counted here. What
a client does not read is not kept for it, and one that is told to go and stays is cut off.
"""

import asyncio
from typing import Any

from starlette.types import Message
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from server.live.credit import Credit

PIECES_PER_S = 20  # pings, pongs, and parts of messages
PIECES_BURST = 200  # more: closed with 4429
TOO_MANY = 4429

ENDS_WITHIN_S = 5  # for a client to read its last frames and answer the close frame


class GuardedProtocol(WebSocketsSansIOProtocol):
    """uvicorn's sockets, with a bound for everything that a client may do to them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.close_timeout = ENDS_WITHIN_S
        self._credit = Credit(per_s=PIECES_PER_S, burst=PIECES_BURST, now_ms=self._now_ms())
        self._cut: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of the socket."""
        if self._cut is not None:
            self._cut.cancel()
        super().connection_lost(exc)

    def handle_ping(self) -> None:
        """Answer a ping, unless its sender does not read."""
        if not self._takes_a_piece():
            return
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()

    def handle_pong(self, event: Frame) -> None:
        """Take a pong."""
        if self._takes_a_piece():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """Take a further part of a message."""
        if self._takes_a_piece():
            super().handle_cont(event)

    def keepalive_timeout(self) -> None:
        """Let go of a client that has answered no ping."""
        super().keepalive_timeout()
        self._cut_off_later()

    async def send(self, message: Message) -> None:  # type: ignore[override] # uvicorn narrows it
        """Send what the application says."""
        await super().send(message)  # type: ignore[arg-type]
        if message["type"] == "websocket.close":
            self._cut_off_later()

    def _takes_a_piece(self) -> bool:
        if self.close_sent:
            return False
        if self._credit.spend(1, now_ms=self._now_ms()):
            return True
        reason = "too many pings, pongs or parts of messages"
        self.queue.put_nowait({"type": "websocket.disconnect", "code": TOO_MANY, "reason": reason})
        self.conn.send_close(TOO_MANY, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = self.disconnected = True  # the application can send nothing any more
        self.transport.close()
        self._cut_off_later()
        return False

    def _cut_off_later(self) -> None:
        """Have the connection cut, should it not end by itself: its client may never read."""
        if self._cut is None:
            self._cut = self.loop.call_later(ENDS_WITHIN_S, self.transport.abort)

    def _now_ms(self) -> int:
        return int(self.loop.time() * 1000)
