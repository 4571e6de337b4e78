"""A server behind the proxy that only notes what reaches it, and can die over a request."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import NamedTuple

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from tests.deploy.processes import LOCAL


class Received(NamedTuple):
    """A request as it came."""

    method: str
    path: str
    headers: Headers


class Backend:
    """Answers 200 with its name; `dying` closes the connection when it has read the request."""

    def __init__(self, name: str, *, dying: bool = False) -> None:
        self.name = name
        self.received: list[Received] = []
        self._dying = dying
        self._listener: asyncio.Server | None = None
        self.address = ""

    async def listen(self) -> None:
        """Take requests, on the same port as before if there was one."""
        port = int(self.address.rpartition(":")[2] or 0)
        self._listener = await asyncio.start_server(self._answer, LOCAL, port)
        self.address = f"{LOCAL}:{self._listener.sockets[0].getsockname()[1]}"

    async def stop(self) -> None:
        """Take no more connections."""
        if self._listener is not None:
            self._listener.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = await read_request(reader)
        except asyncio.IncompleteReadError:
            writer.close()
            return
        asked_for_health = request.path == "/readyz"
        if not asked_for_health:
            self.received.append(request)
        if asked_for_health or not self._dying:
            body = self.name.encode()
            head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
            writer.write(head.encode() + body)
            await writer.drain()
        writer.close()


async def read_request(reader: asyncio.StreamReader) -> Received:
    """Read a request whole, its body too."""
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, path, _ = lines[0].split(" ")
    headers = Headers()
    for line in filter(None, lines[1:]):
        name, _, value = line.partition(": ")
        headers[name] = value
    await reader.readexactly(int(headers.get("Content-Length", "0")))
    return Received(method, path, headers)


@asynccontextmanager
async def two_backends(*, dying: bool = False) -> AsyncIterator[tuple[Backend, Backend]]:
    """Two servers that note what reaches them."""
    first, second = Backend("first", dying=dying), Backend("second", dying=dying)
    for backend in (first, second):
        await backend.listen()
    yield first, second
    for backend in (first, second):
        await backend.stop()


@asynccontextmanager
async def echoing() -> AsyncIterator[str]:
    """A server of WebSockets that says again what it hears; gives its address."""

    async def echo(connection: ServerConnection) -> None:
        async for message in connection:
            await connection.send(message)

    def ready(connection: ServerConnection, request: Request) -> Response | None:
        if request.path == "/readyz":
            return connection.respond(HTTPStatus.OK, "ready")
        return None

    async with serve(echo, LOCAL, 0, process_request=ready, ping_interval=None) as server:
        yield address_of(server)


def address_of(server: Server) -> str:
    host, port = next(iter(server.sockets)).getsockname()[:2]
    return f"{host}:{port}"
