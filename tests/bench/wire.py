"""A load client that costs little: raw WebSocket frames, one move in flight on each socket."""

import asyncio
from collections.abc import Callable, Sequence
from typing import cast

HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def text_frame(payload: bytes) -> bytes:
    """Make a client's text frame, masked with zeros, so that it costs nothing to mask."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    return b"\x81" + length + b"\0\0\0\0" + payload


class Player(asyncio.Protocol):
    """Sends the next frame whenever the one before has been answered.

    Attributes:
        answered: how many frames have been.
        refused: what the server refused with, if it did.
    """

    def __init__(
        self, path: str, frames: Sequence[bytes], *, hello: bytes | None, is_answer: bytes
    ) -> None:
        self.answered = 0
        self.refused: bytes | None = None
        self.go: Callable[[], None] = self._send_next
        self.ready = asyncio.get_running_loop().create_future()
        self._path = path
        self._frames = frames
        self._hello = hello
        self._is_answer = is_answer
        self._buffer = b""
        self._upgraded = False
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the upgrade."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(HANDSHAKE.format(path=self._path).encode())

    def data_received(self, data: bytes) -> None:
        """Take what the server sends, frame by frame."""
        buffer = self._buffer + data if self._buffer else data
        if not self._upgraded:
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                self._buffer = buffer
                return
            self._upgraded = True
            buffer = buffer[end + 4 :]
            self._open()
        start, size = 0, len(buffer)
        while size - start >= 2:
            length, header = buffer[start + 1], 2
            if length == 126:
                length, header = int.from_bytes(buffer[start + 2 : start + 4], "big"), 4
            if size - start < header + length:
                break
            self._take(buffer[start + header : start + header + length])
            start += header + length
        self._buffer = buffer[start:]

    def _open(self) -> None:
        if self._hello is None:
            self.ready.set_result(None)
        elif self._transport is not None:
            self._transport.write(self._hello)

    def _take(self, payload: bytes) -> None:
        if payload.startswith(self._is_answer):
            self.answered += 1
            self._send_next()
        elif payload.startswith(b'{"type":"game"'):
            if not self.ready.done():
                self.ready.set_result(None)
        elif payload.startswith((b'{"type":"reject"', b'{"type":"error"')):
            self.refused = payload

    def _send_next(self) -> None:
        if self._transport is not None and self.answered < len(self._frames):
            self._transport.write(self._frames[self.answered])
