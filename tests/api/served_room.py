"""A room served by the live door alone, and clients that are no better than they should be."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import Any

import msgspec
import pytest
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.asyncio.client import ClientConnection, connect
from websockets.frames import Frame, Opcode

from server.api.socket import LiveDoor
from server.api.wire import ShortRoadProtocol
from server.live.channel import Channel
from server.live.conversation import Limits
from server.store.database import Database
from tests.live.builders import a_node
from tests.running import running_app
from tests.store.builders import a_kept_room

PATIENCE_S = 30
ROOMY = 100_000
FEW = 16
FRAME = b"x" * 8000
HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
BOTH_ROADS = pytest.mark.parametrize("ws", [ShortRoadProtocol, WebSocketsSansIOProtocol])


class Room:
    """A room that is served, and how to tell its sockets something."""

    def __init__(self, port: int, room_id: str, channels: dict[str, Channel]) -> None:
        self.port = port
        self.path = f"/api/v1/rooms/{room_id}/live"
        self.channels = channels
        self._room_id = room_id

    @property
    def channel(self) -> Channel:
        return self.channels[self._room_id]

    @property
    def waiting(self) -> list[int]:
        """How many frames wait for each socket."""
        return [len(listener.outbox._frames) for listener in self.channel.listeners]

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[ClientConnection]:
        """Open a socket that is welcome."""
        address = f"ws://127.0.0.1:{self.port}{self.path}"
        async with connect(address, proxy=None, close_timeout=1, max_queue=1) as client:
            await client.send('{"type": "hello"}')
            assert msgspec.json.decode(await client.recv())["type"] == "welcome"
            yield client

    @asynccontextmanager
    async def told_always(self) -> AsyncIterator[None]:
        """Tell numbered frames in every turn of the loop."""

        async def tell() -> None:
            for number in count():
                self.channel.broadcast(numbered(number))
                await asyncio.sleep(0)

        telling = asyncio.create_task(tell())
        yield
        telling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await telling

    async def fill(self, *, frames: int) -> int:
        """Tell numbered frames until so many wait for a socket; gives how many were told."""
        told = 0
        while max(self.waiting) < frames:
            self.channel.broadcast(numbered(told))
            told += 1
            await asyncio.sleep(0)
        return told


async def nobody(_scope: Scope, _receive: Receive, _send: Send) -> None:
    raise AssertionError("all calls are for live sockets")


@asynccontextmanager
async def a_room(
    sqlite_url: str, *, outbox_frames: int = ROOMY, **options: Any
) -> AsyncIterator[Room]:
    """Serve a room, without what changes rooms."""
    database = Database(sqlite_url)
    await database.open()
    try:
        async with asyncio.timeout(PATIENCE_S), a_node(database) as node:
            room = await a_kept_room(database, players=1)
            limits = Limits(frames_per_s=50, frames_burst=200, outbox_frames=outbox_frames)
            parts = msgspec.structs.replace(node.parts, limits=limits)
            door = LiveDoor(nobody, parts, hello_within_s=PATIENCE_S)
            async with running_app(door, lifespan="off", **options) as (_, port):
                yield Room(port, room.id, node.hub.channels)
    finally:
        await database.close()


def numbered(number: int) -> bytes:
    return b"%06d" % number + FRAME


class RawClient:
    """A socket whose client writes what it likes, and reads only when asked to."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def send(self, opcode: Opcode, data: bytes = b"", *, fin: bool = True, times: int = 1) -> None:
        """Send the same frame so many times."""
        self.writer.write(Frame(opcode, data, fin).serialize(mask=True) * times)


@asynccontextmanager
async def raw_client(room: Room) -> AsyncIterator[RawClient]:
    """Open a socket that is welcome."""
    reader, writer = await asyncio.open_connection("127.0.0.1", room.port)
    client = RawClient(reader, writer)
    writer.write(HANDSHAKE.format(path=room.path).encode())
    await reader.readuntil(b"\r\n\r\n")
    client.send(Opcode.TEXT, b'{"type": "hello"}')
    await reader.readuntil(b'"welcome"')
    yield client
    writer.transport.abort()
    with suppress(ConnectionError):
        await writer.wait_closed()
