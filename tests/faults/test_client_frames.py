from __future__ import annotations

from random import Random

import pytest

from tests.faults.client_frames import ClientFrames, is_text

UPGRADE = b"GET /live HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"
CALL = b"POST /api HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody"


def a_frame(payload: bytes, first_byte: int = 0x81) -> bytes:
    """Write a frame as a client does, masked with zeros."""
    size = len(payload)
    if size < 126:
        length = bytes([0x80 | size])
    elif size < 2**16:
        length = b"\xfe" + size.to_bytes(2, "big")
    else:
        length = b"\xff" + size.to_bytes(8, "big")
    return bytes([first_byte]) + length + b"\0\0\0\0" + payload


FRAMES = [a_frame(b""), a_frame(b"x" * 125), a_frame(b"x" * 126), a_frame(b"y" * 70_000)]


@pytest.mark.parametrize("seed", range(5))
def test_pieces_are_the_same_however_the_bytes_come(seed: int) -> None:
    chance, sent = Random(seed), UPGRADE + b"".join(FRAMES)
    frames, pieces = ClientFrames(), []

    while sent:
        size = chance.choice([1, 2, 3, 7, 100, 50_000])
        pieces += frames.feed(sent[:size])
        sent = sent[size:]

    assert pieces == [UPGRADE, *FRAMES]


def test_an_unfinished_frame_is_kept_back() -> None:
    frames = ClientFrames()
    frames.feed(UPGRADE)

    assert frames.feed(FRAMES[1][:-1]) == []
    assert frames.feed(FRAMES[1][-1:]) == [FRAMES[1]]


def test_what_opens_no_socket_passes_as_it_comes() -> None:
    frames = ClientFrames()

    assert b"".join(frames.feed(CALL)) == CALL
    assert frames.feed(CALL[:7]) == [CALL[:7]]


def test_only_whole_text_frames_are_messages() -> None:
    assert is_text(a_frame(b"hello"))
    assert not is_text(a_frame(b"", first_byte=0x88))
    assert not is_text(UPGRADE)
