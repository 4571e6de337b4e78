"""Frames to every socket of a room, on real sockets, whatever their clients do meanwhile."""

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import Close, CloseCode, Frame, Opcode

from server.api.wire import framed
from server.live.outbox import COME_BACK, TOO_SLOW
from tests.api.served_room import (
    BOTH_ROADS,
    FEW,
    FRAME,
    PATIENCE_S,
    Room,
    a_room,
    numbered,
    raw_client,
)


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
        async with raw_client(room) as client, room.told_always():
            await client.reader.readuntil(FRAME)
            client.send(Opcode.CLOSE, normal)
            said = await client.reader.read()
            await only_one_is_left(room)
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
