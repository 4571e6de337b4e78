"""Where a client's WebSocket frames begin and end in what it sends."""

from __future__ import annotations

TEXT_IN_ONE_PIECE = 0x81  # the first byte: final fragment, text
MASK_BYTES = 4
HEAD_END = b"\r\n\r\n"


class ClientFrames:
    """Takes a client's bytes as they come; gives them back as whole pieces.

    A piece is the head of the handshake, a frame, or, of a connection that opens no WebSocket,
    whatever has come.
    """

    def __init__(self) -> None:
        self._buffer = b""
        self._has_head = False
        self._is_socket = False

    def feed(self, data: bytes) -> list[bytes]:
        """Take bytes; gives the pieces that are complete by now."""
        self._buffer += data
        pieces: list[bytes] = []
        while piece := self._next():
            pieces.append(piece)
        return pieces

    def _next(self) -> bytes:
        size = self._size()
        piece, self._buffer = self._buffer[:size], self._buffer[size:]
        return piece

    def _size(self) -> int:
        """Count the bytes of the first piece; 0 while it is not complete."""
        if self._is_socket:
            size = size_of_frame(self._buffer)
            return size if size <= len(self._buffer) else 0
        if not self._has_head:
            end = self._buffer.find(HEAD_END)
            if end < 0:
                return 0
            self._has_head = True
            size = end + len(HEAD_END)
            self._is_socket = b"upgrade: websocket" in self._buffer[:size].lower()
            return size
        return len(self._buffer)


def size_of_frame(data: bytes) -> int:
    """Count the bytes of the masked frame that starts here, 2 at least: more may be needed to know.

    >>> size_of_frame(bytes([0x81, 0x80 | 5])), size_of_frame(bytes([0x81, 0x80 | 126, 1, 0]))
    (11, 264)
    """
    if len(data) < 2:
        return 2
    length = data[1] & 0x7F
    extra = {126: 2, 127: 8}.get(length, 0)
    if len(data) < 2 + extra:
        return 2 + extra
    if extra:
        length = int.from_bytes(data[2 : 2 + extra], "big")
    return 2 + extra + MASK_BYTES + length


def is_text(piece: bytes) -> bool:
    """Whether a piece is a whole text frame, as every message of our clients is."""
    return piece[0] == TEXT_IN_ONE_PIECE
