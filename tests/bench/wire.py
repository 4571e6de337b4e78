"""Load clients that cost little: raw WebSocket frames, straight from the transport."""

import asyncio
from collections.abc import Callable, Sequence
from typing import cast

HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
ACK, GAME = b'{"type":"ack"', b'{"type":"game"'
TEXT, CLOSE, PING = 0x81, 0x88, 0x89
PONG = 0x8A
UNMASKED = b"\0\0\0\0"  # masked with zeros, so that it costs nothing to mask


def text_frame(payload: bytes) -> bytes:
    """Make a client's text frame."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    return b"\x81" + length + UNMASKED + payload


class Wire(asyncio.Protocol):
    """One socket: upgrades, says its first frame, answers pings, and hands on what it is sent.

    Attributes:
        ready: done once the socket may be used; fails when it is closed before that.
        open: whether it has been upgraded and is not closed yet.
        close_code: what the server closed it with; None without a close frame.
    """

    def __init__(self, path: str, *, hello: bytes | None) -> None:
        self.ready = asyncio.get_running_loop().create_future()
        self.open = False
        self.close_code: int | None = None
        self._path = path
        self._hello = hello
        self._buffer = b""
        self._transport: asyncio.Transport | None = None

    def take(self, payload: bytes) -> None:
        """Take a text frame from the server."""
        raise NotImplementedError

    def closed(self) -> None:
        """Learn that the socket is closed."""

    def send(self, frame: bytes) -> None:
        """Send a frame, unless the socket is closed."""
        if self._transport is not None:
            self._transport.write(frame)

    def hang_up(self) -> None:
        """Close the connection without a word."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the upgrade."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(HANDSHAKE.format(path=self._path).encode())

    def connection_lost(self, error: Exception | None) -> None:
        """Let go of the socket."""
        self.open = False
        self._transport = None
        if not self.ready.done():
            self.ready.set_exception(ConnectionError(f"closed with {self.close_code or error}"))
        self.closed()

    def data_received(self, data: bytes) -> None:
        """Take what the server sends, frame by frame."""
        buffer = self._buffer + data if self._buffer else data
        if not self.open:
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                self._buffer = buffer
                return
            self.open = True
            buffer = buffer[end + 4 :]
            self._greet()
        start, size = 0, len(buffer)
        while size - start >= 2:
            length, header = buffer[start + 1], 2
            if length == 126:
                length, header = int.from_bytes(buffer[start + 2 : start + 4], "big"), 4
            elif length == 127:
                length, header = int.from_bytes(buffer[start + 2 : start + 10], "big"), 10
            if size - start < header + length:
                break
            payload = buffer[start + header : start + header + length]
            if buffer[start] == TEXT:
                self.take(payload)
            else:
                self._control(buffer[start], payload)
            start += header + length
        self._buffer = buffer[start:]

    def _greet(self) -> None:
        if self._hello is None:
            self.ready.set_result(None)
        else:
            self.send(self._hello)

    def _control(self, opcode: int, payload: bytes) -> None:
        if opcode == PING:
            self.send(bytes([PONG, 0x80 | len(payload)]) + UNMASKED + payload)
        elif opcode == CLOSE:
            self.close_code = int.from_bytes(payload[:2], "big")


class Player(Wire):
    """Sends the next frame whenever the one before has been answered.

    Attributes:
        answered: how many frames have been.
        finished: done once the last frame has been answered.
        refused: what the server refused with, if it did.
        on_answer: what is done after each answer; sends the next frame if nothing else is said.
    """

    def __init__(
        self, path: str, frames: Sequence[bytes], *, hello: bytes | None, is_answer: bytes
    ) -> None:
        super().__init__(path, hello=hello)
        self.answered = 0
        self.finished = asyncio.get_running_loop().create_future()
        self.refused: bytes | None = None
        self.on_answer: Callable[[], None] = self.go
        self._frames = frames
        self._is_answer = is_answer

    def go(self) -> None:
        """Send the next frame."""
        if self.answered < len(self._frames):
            self.send(self._frames[self.answered])
        elif not self.finished.done():
            self.finished.set_result(None)

    def take(self, payload: bytes) -> None:
        """Count answers, and go on."""
        if payload.startswith(self._is_answer):
            self.answered += 1
            self.on_answer()
        elif payload.startswith(GAME):
            if not self.ready.done():
                self.ready.set_result(None)
        elif payload.startswith((b'{"type":"reject"', b'{"type":"error"')):
            self.refused = payload
