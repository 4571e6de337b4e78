"""The load clients read what a server sends, however the network cuts it."""

import asyncio
from typing import Any

import pytest

from tests.bench.wire import HANDSHAKE, Player, Wire, text_frame

UPGRADED = b"HTTP/1.1 101 Switching Protocols\r\n\r\n"


class Transport(asyncio.Transport):
    """Keeps what is written on it."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []

    def write(self, data: Any) -> None:
        self.written.append(bytes(data))


class Listening(Wire):
    """Keeps what it is sent."""

    def __init__(self) -> None:
        super().__init__("/live", hello=text_frame(b"hello"))
        self.taken: list[bytes] = []

    def take(self, payload: bytes) -> None:
        self.taken.append(payload)


def server_frame(payload: bytes, *, opcode: int = 0x81) -> bytes:
    size = len(payload)
    if size < 126:
        return bytes([opcode, size]) + payload
    if size < 65536:
        return bytes([opcode, 126]) + size.to_bytes(2, "big") + payload
    return bytes([opcode, 127]) + size.to_bytes(8, "big") + payload


@pytest.mark.parametrize("step", [1, 7, 1_000_000])
async def test_frames_of_every_length_are_read_whole_however_they_are_cut(step: int) -> None:
    payloads = [b"a" * size for size in (0, 1, 125, 126, 65_535, 65_536)]
    stream = UPGRADED + b"".join(server_frame(payload) for payload in payloads)
    wire, transport = Listening(), Transport()

    wire.connection_made(transport)
    for start in range(0, len(stream), step):
        wire.data_received(stream[start : start + step])

    assert wire.taken == payloads
    assert transport.written == [HANDSHAKE.format(path="/live").encode(), text_frame(b"hello")]


async def test_a_ping_is_answered_and_a_close_is_noted() -> None:
    wire, transport = Listening(), Transport()
    wire.connection_made(transport)

    wire.data_received(UPGRADED + server_frame(b"1234", opcode=0x89))
    wire.data_received(server_frame((4413).to_bytes(2, "big") + b"slow", opcode=0x88))

    assert transport.written[-1] == b"\x8a\x84\0\0\0\x001234"
    assert wire.taken == []
    assert wire.close_code == 4413


async def test_a_socket_that_is_closed_before_it_is_ready_says_so() -> None:
    wire = Listening()
    wire.connection_made(Transport())

    wire.connection_lost(None)

    with pytest.raises(ConnectionError):
        await wire.ready


async def test_a_player_has_one_move_in_flight_and_tells_when_all_are_answered() -> None:
    frames = [text_frame(b"first"), text_frame(b"second")]
    player, transport = Player("/live", frames, hello=None, is_answer=b"ok"), Transport()
    player.connection_made(transport)
    player.data_received(UPGRADED)

    player.go()
    assert transport.written[1:] == frames[:1]
    player.data_received(server_frame(b"ok"))
    assert transport.written[1:] == frames
    assert not player.finished.done()
    player.data_received(server_frame(b"ok"))

    assert player.answered == 2
    assert player.finished.done()
