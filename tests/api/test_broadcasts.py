"""Frames to every socket of a room, on real sockets, whatever their clients do meanwhile."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from typing import Any

import msgspec
import pytest
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Close, CloseCode, Frame, Opcode

from server.api.socket import LiveDoor
from server.api.wire import ShortRoadProtocol, framed
from server.live.channel import Channel
from server.live.conversation import Limits
from server.live.outbox import COME_BACK, TOO_SLOW
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
        self._channels = channels
        self._room_id = room_id

    @property
    def channel(self) -> Channel:
        return self._channels[self._room_id]

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


async def numbers(client: ClientConnection) -> list[int]:
    """Read to the end; gives the frames' numbers."""
    heard: list[int] = []
    try:
        while True:
            heard.append(int((await client.recv())[:6]))
    except ConnectionClosed:
        return heard


async def only_one_is_left(room: Room) -> None:
    while len(room.channel.listeners) > 1:  # noqa: ASYNC110 — they tell nobody
        await asyncio.sleep(0.001)


async def test_a_frame_for_everyone_is_framed_once_and_nobody_waits(sqlite_url: str) -> None:
    async with a_room(sqlite_url) as room, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(room.watched()) for _ in range(5)]
        made_before = framed.cache_info().misses

        room.channel.broadcast(b"everyone")

        assert room.waiting == [0] * 5
        assert framed.cache_info().misses == made_before + 1
        assert [await client.recv() for client in clients] == ["everyone"] * 5


@BOTH_ROADS
async def test_frames_told_while_others_wait_come_after_them(sqlite_url: str, ws: type) -> None:
    async with a_room(sqlite_url, ws=ws) as room, room.watched() as client:
        client.transport.pause_reading()
        told = await room.fill(frames=FEW)
        reading = asyncio.create_task(numbers(client))
        client.transport.resume_reading()
        while any(room.waiting):  # as they drain
            room.channel.broadcast(numbered(told))
            told += 1
            await asyncio.sleep(0)
        room.channel.broadcast(numbered(told))
        room.channel.close_all(COME_BACK, "the end")
        room.channel.broadcast(numbered(told + 1))  # too late

        assert await reading == [*range(told + 1)]
        assert client.close_code == COME_BACK


@BOTH_ROADS
async def test_what_waits_comes_before_the_close(sqlite_url: str, ws: type) -> None:
    async with a_room(sqlite_url, ws=ws) as room, room.watched() as client:
        client.transport.pause_reading()
        told = await room.fill(frames=FEW)
        room.channel.close_all(COME_BACK, "the end")
        client.transport.resume_reading()

        assert await numbers(client) == [*range(told)]
        assert client.close_code == COME_BACK


@BOTH_ROADS
async def test_a_client_that_stops_reading_is_closed_and_costs_no_more_than_its_bounds(
    sqlite_url: str, ws: type
) -> None:
    async with (
        a_room(sqlite_url, ws=ws, outbox_frames=FEW) as room,
        room.watched() as slow,
        room.watched() as other,
    ):
        slow.transport.pause_reading()
        [outbox, _] = [listener.outbox for listener in room.channel.listeners]
        hearing = asyncio.create_task(numbers(other))
        told = 0
        while outbox.close_code is None:
            room.channel.broadcast(numbered(told))
            told += 1
            assert len(outbox._frames) <= FEW
            await asyncio.sleep(0)
        for more in range(told, told + 100):
            room.channel.broadcast(numbered(more))
            await asyncio.sleep(0)
        assert not outbox._frames
        slow.transport.resume_reading()
        heard = await numbers(slow)

        assert slow.close_code == TOO_SLOW
        assert heard == [*range(len(heard))]
        assert told - len(heard) == FEW + 1  # what waited is forgotten, and the one too many
        room.channel.close_all(COME_BACK, "the end")
        assert await hearing == [*range(told + 100)]


@BOTH_ROADS
async def test_nothing_follows_the_close_frame_that_answers_a_clients_own(
    sqlite_url: str, ws: type
) -> None:
    normal = Close(CloseCode.NORMAL_CLOSURE, "").serialize()
    async with a_room(sqlite_url, ws=ws) as room, room.watched() as other:
        hearing = asyncio.create_task(numbers(other))
        reader, writer = await asyncio.open_connection("127.0.0.1", room.port)
        writer.write(HANDSHAKE.format(path=room.path).encode())
        await reader.readuntil(b"\r\n\r\n")
        writer.write(Frame(Opcode.TEXT, b'{"type": "hello"}').serialize(mask=True))
        await reader.readuntil(b'"welcome"')
        async with room.told_always():
            await reader.readuntil(FRAME)
            writer.write(Frame(Opcode.CLOSE, normal).serialize(mask=True))
            said = await reader.read()
            await only_one_is_left(room)
        writer.close()
        room.channel.close_all(COME_BACK, "the end")
        heard = await hearing

        assert said.endswith(Frame(Opcode.CLOSE, normal).serialize(mask=False))
        assert heard == [*range(len(heard))]


@BOTH_ROADS
async def test_a_client_that_breaks_off_is_let_go_and_others_are_told_on(
    sqlite_url: str, ws: type, caplog: pytest.LogCaptureFixture
) -> None:
    async with a_room(sqlite_url, ws=ws) as room, room.watched() as other:
        hearing = asyncio.create_task(numbers(other))
        async with room.watched() as broken, room.told_always():
            await broken.recv()
            broken.transport.abort()
            await only_one_is_left(room)
        room.channel.broadcast(numbered(999_999))
        room.channel.close_all(COME_BACK, "the end")
        *heard, last = await hearing

        assert (heard, last) == ([*range(len(heard))], 999_999)
        assert caplog.messages == []


@BOTH_ROADS
async def test_pings_are_answered_among_frames_at_both_ends(sqlite_url: str, ws: type) -> None:
    keeping_alive: dict[str, Any] = {"ws_ping_interval": 0.02, "ws_ping_timeout": PATIENCE_S}
    async with a_room(sqlite_url, ws=ws, **keeping_alive) as room, room.watched() as client:
        hearing = asyncio.create_task(numbers(client))
        async with room.told_always():
            for _ in range(10):
                await (await client.ping())
        room.channel.close_all(COME_BACK, "the end")
        heard = await hearing

        assert heard == [*range(len(heard))]
        assert client.close_code == COME_BACK
