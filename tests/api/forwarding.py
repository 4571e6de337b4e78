"""Storage that can be taken away: a forwarder between a server and its PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from sqlalchemy import make_url

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Forwarder:
    """Passes bytes on until it is cut; `mend` lets new connections through again."""

    def __init__(self, server: str) -> None:
        self._url = make_url(server)
        self._open: set[asyncio.StreamWriter] = set()
        self._cut = False

    def cut(self) -> None:
        """End every connection, and every new one at once."""
        self._cut = True
        for writer in self._open:
            writer.close()

    def mend(self) -> None:
        self._cut = False

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward one connection."""
        if self._cut:
            writer.close()
            return
        behind_reader, behind_writer = await self._connect()
        ends = {writer, behind_writer}
        self._open |= ends
        with suppress(OSError):
            await asyncio.gather(pass_on(reader, behind_writer), pass_on(behind_reader, writer))
        self._open -= ends

    async def _connect(self) -> Stream:
        host = str(self._url.query.get("host") or self._url.host)
        port = self._url.port or 5432
        if host.startswith("/"):
            return await asyncio.open_unix_connection(f"{host}/.s.PGSQL.{port}")
        return await asyncio.open_connection(host, port)


async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Copy what comes until it ends, then end the other side too."""
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.close()


@asynccontextmanager
async def forwarding(server: str, name: str) -> AsyncIterator[tuple[Forwarder, str]]:
    """Forward to a database of a server; gives the forwarder, and the URL that leads through it."""
    forwarder = Forwarder(server)
    listener = await asyncio.start_server(forwarder.take, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    url = make_url(server).set(host="127.0.0.1", port=port, database=name, query={})
    async with listener:
        yield forwarder, url.render_as_string(hide_password=False)
        forwarder.cut()
