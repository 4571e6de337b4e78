"""What a client can do to its socket has a bound, and no client holds one open."""

import asyncio
import gc

import pytest
from websockets.frames import Close, Frame, Opcode

from server.api import guarded, socket
from server.api.wire import ShortRoadProtocol
from server.live.outbox import COME_BACK, REPLACED
from tests.api.served_room import FEW, RawClient, a_room, numbered, raw_client
from tests.live.builders import until

TOO_MANY = Frame(
    Opcode.CLOSE,
    Close(guarded.TOO_MANY, "too many pings, pongs or parts of messages").serialize(),
).serialize(mask=False)


def protocols() -> list[ShortRoadProtocol]:
    """The server's sockets that are open."""
    every = [one for one in gc.get_objects() if type(one) is ShortRoadProtocol]
    return [one for one in every if not one.disconnected]


async def ended(client: RawClient) -> bytes:
    """Read to the end, even one that is cut off; gives what came."""
    said = b""
    try:
        while more := await client.reader.read(65536):
            said += more
    except ConnectionResetError:
        pass
    return said


@pytest.mark.parametrize("opcode", [Opcode.PING, Opcode.PONG])
async def test_more_control_frames_than_anybody_needs_end_the_socket(
    sqlite_url: str, opcode: Opcode
) -> None:
    async with a_room(sqlite_url) as room, raw_client(room) as client:
        client.send(opcode, times=guarded.PIECES_BURST * 2)

        assert (await ended(client)).endswith(TOO_MANY)


async def test_a_message_in_endless_parts_ends_the_socket(sqlite_url: str) -> None:
    async with a_room(sqlite_url) as room, raw_client(room) as client:
        client.send(Opcode.TEXT, b"{", fin=False)
        client.send(Opcode.CONT, fin=False, times=guarded.PIECES_BURST * 2)

        assert (await ended(client)).endswith(TOO_MANY)


async def test_as_many_as_a_chatty_client_sends_are_taken(sqlite_url: str) -> None:
    async with a_room(sqlite_url) as room, raw_client(room) as client:
        client.send(Opcode.PING, b"there?", times=guarded.PIECES_BURST // 2)
        client.send(Opcode.TEXT, b'{"type": ', fin=False)
        client.send(Opcode.CONT, b'"ping", "t": "in parts"}')

        said = await client.reader.readuntil(b'"in parts"')
        assert said.count(b"there?") == guarded.PIECES_BURST // 2


async def test_pongs_are_not_kept_for_a_client_that_does_not_read(sqlite_url: str) -> None:
    async with a_room(sqlite_url) as room, raw_client(room) as client:
        client.writer.transport.pause_reading()  # type: ignore[attr-defined]
        [protocol] = protocols()
        while protocol.writable.is_set():
            room.channel.broadcast(numbered(0))
            await asyncio.sleep(0)
        full = protocol.transport.get_write_buffer_size()

        client.send(Opcode.PING, bytes(125), times=guarded.PIECES_BURST - 1)
        client.send(Opcode.PONG)
        await until(lambda: protocol._credit._left < 1)

        assert protocol.transport.get_write_buffer_size() <= full


async def test_who_does_not_read_the_close_is_cut_off(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "ENDS_WITHIN_S", 0.2)
    async with a_room(sqlite_url) as room, raw_client(room) as client:
        client.writer.transport.pause_reading()  # type: ignore[attr-defined]
        await room.fill(frames=FEW)
        [listener] = room.channel.listeners

        listener.outbox.close(REPLACED, "you play on another socket now")

        await until(lambda: not room.channels)
        client.writer.transport.resume_reading()  # type: ignore[attr-defined]
        assert b"another socket" not in await ended(client)


async def test_who_reads_the_close_but_does_not_go_is_cut_off(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guarded, "ENDS_WITHIN_S", 0.2)
    async with a_room(sqlite_url) as room, raw_client(room) as client:
        room.channel.close_all(COME_BACK, "the end")

        close = Frame(Opcode.CLOSE, Close(COME_BACK, "the end").serialize()).serialize(mask=False)
        assert (await ended(client)).endswith(close)
