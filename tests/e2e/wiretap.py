"""Everything that a server sends to one client, written down on its way."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

from tests.api.forwarding import pass_on

CARD = re.compile(r"(?<![0-9A-Za-z])[A23456789TJQK][CDHS](?![0-9A-Za-z])")
"""A card as it is written everywhere: in lists, and between the dividers of positions."""

MOVE = re.compile(r'"move": ?"(\w+)"')
FRAME = re.compile(r'\{"type": ?"(\w+)"')


class Wiretap:
    """A way to a server on which bytes to the client are kept, calls and sockets alike.

    Attributes:
        url: what the client is to take for the server's address.
    """

    def __init__(self, server_url: str) -> None:
        self.url = ""
        self._server = urlsplit(server_url)
        self._sent = bytearray()

    @property
    def text(self) -> str:
        """All that has been sent so far, in order."""
        return self._sent.decode("latin-1")

    @property
    def cards(self) -> set[str]:
        """The cards that are named in it."""
        return set(CARD.findall(self.text))

    @property
    def moves(self) -> set[str]:
        """The moves that are told in it."""
        return set(MOVE.findall(self.text))

    @property
    def frames(self) -> set[str]:
        """The types of the frames in it."""
        return set(FRAME.findall(self.text))

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection."""
        server = await asyncio.open_connection(self._server.hostname, self._server.port)
        with suppress(OSError):
            await asyncio.gather(pass_on(reader, server[1]), self._write_down(server[0], writer))

    async def _write_down(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            self._sent += data
            writer.write(data)
            await writer.drain()
        writer.close()


@asynccontextmanager
async def wiretapped(server_url: str) -> AsyncIterator[Wiretap]:
    """A way to a server for one client."""
    tap = Wiretap(server_url)
    listener = await asyncio.start_server(tap.take, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    tap.url = f"http://127.0.0.1:{port}"
    async with listener:
        yield tap
