import asyncio
import gc
import signal
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager

import httpx2
import pytest
from starlette.types import Receive, Scope, Send
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from server import process
from server.process import RaceServer

PATIENCE_S = 60
RESTARTING = 1012


@pytest.fixture(autouse=True)
def same_collector_afterwards() -> Iterator[None]:
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()


class App:
    """An application with one last word for each socket, and calls that take as long as told."""

    def __init__(self, at_end: Callable[["App"], Awaitable[None]]) -> None:
        self._at_end = at_end
        self.ended = asyncio.Event()
        self.called = asyncio.Event()
        self.answer = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await getattr(self, scope["type"])(receive, send)

    async def lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self._at_end(self)
        self.ended.set()
        await send({"type": "lifespan.shutdown.complete"})

    async def http(self, receive: Receive, send: Send) -> None:
        await receive()
        self.called.set()
        await self.answer.wait()
        assert not self.ended.is_set()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"whole"})

    async def websocket(self, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await self.ended.wait()
        await send({"type": "websocket.send", "text": "last word"})
        await send({"type": "websocket.close", "code": RESTARTING})


async def at_once(_app: App) -> None:
    """End with nothing to wait for."""


async def never(_app: App) -> None:
    """Hang, as behind a database that does not answer."""
    await asyncio.Event().wait()


@asynccontextmanager
async def served(app: App) -> AsyncIterator[tuple[RaceServer, str, asyncio.Task[None]]]:
    """Serve an application; gives the server, its address without a scheme, and its task."""
    started = asyncio.Event()
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        server = RaceServer(app, on_started=started.set)
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        async with asyncio.timeout(PATIENCE_S):
            await started.wait()
            yield server, f"127.0.0.1:{listener.getsockname()[1]}", serving
            server.should_exit = True
            await serving


async def test_sockets_are_open_until_the_application_has_ended() -> None:
    async with served(App(at_once)) as (server, address, serving), connect(f"ws://{address}") as ws:
        server.should_exit = True

        assert await ws.recv() == "last word"
        with pytest.raises(ConnectionClosed):
            await ws.recv()
        assert ws.close_code == RESTARTING
        await serving


async def test_calls_under_way_are_answered_before_the_application_ends() -> None:
    app = App(at_once)
    async with (
        served(app) as (server, address, serving),
        httpx2.AsyncClient(trust_env=False) as http,
    ):
        call = asyncio.create_task(http.get(f"http://{address}/"))
        await app.called.wait()
        server.should_exit = True
        while server.servers[0].is_serving():  # noqa: ASYNC110 — it tells nobody
            await asyncio.sleep(0.01)
        with pytest.raises(httpx2.TransportError):
            await http.get(f"http://{address}/")
        app.answer.set()

        assert (await call).text == "whole"
        await serving
        assert app.ended.is_set()


async def test_calls_that_do_not_end_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "CALLS_END_WITHIN_S", 0.1)
    app = App(at_once)
    async with (
        served(app) as (server, address, serving),
        httpx2.AsyncClient(trust_env=False) as http,
    ):
        call = asyncio.create_task(http.get(f"http://{address}/"))
        await app.called.wait()
        server.should_exit = True

        await app.ended.wait()
        await serving
        assert (await call).is_server_error


async def test_an_application_that_hangs_is_left_and_its_sockets_are_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(process, "APPLICATION_ENDS_WITHIN_S", 0.1)
    async with served(App(never)) as (server, address, serving), connect(f"ws://{address}") as ws:
        server.should_exit = True

        with pytest.raises(ConnectionClosed):
            await ws.recv()
        assert ws.close_code == RESTARTING
        await serving


async def test_a_client_that_does_not_read_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "SOCKETS_GO_WITHIN_S", 0.1)
    async with served(App(at_once)) as (server, address, serving):
        host, port = address.split(":")
        reader, writer = await asyncio.open_connection(host, int(port), limit=1)
        writer.write(
            b"GET / HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        await reader.read(1)
        server.should_exit = True

        await serving
        assert server.server_state.connections == set()
        writer.close()
        await writer.wait_closed()


class Talker(App):
    """An application that talks to its sockets without a pause."""

    async def websocket(self, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while True:
            await send({"type": "websocket.send", "text": "more " * 10_000})


async def test_a_client_with_much_left_to_read_is_cut_off_and_that_is_no_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(process, "SOCKETS_GO_WITHIN_S", 0.1)
    async with (
        served(Talker(at_once)) as (server, address, serving),
        connect(f"ws://{address}", max_queue=1) as ws,
    ):
        ws.transport.pause_reading()
        [live] = server._sockets()
        while live.writable.is_set():  # noqa: ASYNC110 — it tells nobody
            await asyncio.sleep(0.01)
        server.should_exit = True

        await serving
        assert server.server_state.connections == set()


HANGING = """
import socket, time
from server import process

async def app(scope, receive, send):
    await receive()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    time.sleep(1000)

process.STOP_WITHIN_S = 1
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
server = process.RaceServer(app, on_started=lambda: print("serves", flush=True))
server.run(sockets=[listener])
"""


async def test_a_process_that_hangs_whatever_is_done_says_where_and_ends() -> None:
    hanging = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", HANGING),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(PATIENCE_S):
        assert hanging.stdout is not None
        await hanging.stdout.readline()
        hanging.send_signal(signal.SIGTERM)
        _, said = await hanging.communicate()

    assert hanging.returncode == 1
    assert b"in app" in said
