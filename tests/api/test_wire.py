import asyncio
import gc
import weakref
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvloop
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from server.api.wire import short_road
from server.live.outbox import WriteNow, never
from tests.running import running_app

PATIENCE_S = 30
BUFFERED = 64 * 1024  # where a transport says that it is full
FRAME = b"x" * 1000

Run = Callable[[Coroutine[Any, Any, None]], None]


@pytest.fixture(params=[uvloop.new_event_loop, asyncio.new_event_loop], ids=["uvloop", "asyncio"])
def run(request: pytest.FixtureRequest) -> Iterator[Run]:
    """Run the test on a loop of its own; the transports of both kinds are to be known."""

    async def in_time(test: Coroutine[Any, Any, None]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            await test

    with asyncio.Runner(loop_factory=request.param) as runner:
        yield lambda test: runner.run(in_time(test))


class App:
    """Accepts sockets, once it may, and puts both roads to each at hand."""

    def __init__(self) -> None:
        self.opened: asyncio.Queue[tuple[WriteNow, Send]] = asyncio.Queue()
        self.may_accept = asyncio.Event()
        self.may_accept.set()
        self.gone = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        self.opened.put_nowait((short_road(scope).write_now, send))
        await self.may_accept.wait()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass
        self.gone.set()


class Line:
    """A socket that has been accepted, from both ends.

    Attributes:
        app: what serves it.
        client: the client's end.
        write_now: the short road to it.
    """

    def __init__(self, app: App, client: ClientConnection, road: tuple[WriteNow, Send]) -> None:
        self.app = app
        self.client = client
        self.write_now, self._send = road

    async def send(self, **message: object) -> None:
        """Send on the long road."""
        await self._send({"type": "websocket.send", **message})


@asynccontextmanager
async def a_line(**options: Any) -> AsyncIterator[tuple[Line, WebSocketsSansIOProtocol]]:
    """A socket that has been accepted, and uvicorn's end of it."""
    app = App()
    async with (
        running_app(app, lifespan="off", **options) as (server, port),
        connect(f"ws://127.0.0.1:{port}", proxy=None, close_timeout=1) as client,
    ):
        [protocol] = server.server_state.connections
        assert isinstance(protocol, WebSocketsSansIOProtocol)
        yield Line(app, client, await app.opened.get()), protocol


def test_frames_of_every_length_arrive_as_they_are(run: Run) -> None:
    async def scenario() -> None:
        async with a_line() as (line, _):
            for size in (0, 1, 125, 126, 127, 65_535, 65_536, 200_000):
                assert line.write_now(b"x" * size)
                assert await line.client.recv() == "x" * size
            assert line.write_now("Ä ♠ 🂡".encode())
            assert await line.client.recv() == "Ä ♠ 🂡"

    run(scenario())


def test_frames_on_both_roads_arrive_in_the_order_they_were_sent(run: Run) -> None:
    async def scenario() -> None:
        async with a_line() as (line, _):
            for number in range(0, 100, 2):
                assert line.write_now(b"%d" % number)
                await line.send(text=f"{number + 1}")

            assert [await line.client.recv() for _ in range(100)] == [str(n) for n in range(100)]

    run(scenario())


def test_a_client_that_does_not_read_is_written_to_until_the_buffer_is_full(run: Run) -> None:
    async def scenario() -> None:
        async with a_line() as (line, protocol):
            line.client.transport.pause_reading()
            written = 0
            while line.write_now(b"%06d" % written + FRAME):
                written += 1

            assert not line.write_now(FRAME)
            assert protocol.transport.get_write_buffer_size() <= BUFFERED + 2 * len(FRAME)
            line.client.transport.resume_reading()
            for number in range(written):
                assert (await line.client.recv())[:6] == f"{number:06d}"
            await protocol.writable.wait()
            assert line.write_now(b"goes on")
            assert await line.client.recv() == "goes on"

    run(scenario())


def test_nothing_is_written_before_the_socket_is_accepted(run: Run) -> None:
    async def scenario() -> None:
        app = App()
        app.may_accept.clear()
        async with running_app(app, lifespan="off") as (_, port):
            opening = asyncio.ensure_future(connect(f"ws://127.0.0.1:{port}", proxy=None))
            write_now, _ = await app.opened.get()
            assert not write_now(b"too early")

            app.may_accept.set()
            client = await opening
            assert write_now(b"now")
            assert await client.recv() == "now"
            await client.close()

    run(scenario())


def test_nothing_is_written_after_the_close_frame(run: Run) -> None:
    async def scenario() -> None:
        async with a_line() as (line, protocol):
            assert line.write_now(b"the last")
            await line.send(type="websocket.close", code=4409)
            assert not protocol.transport.is_closing()  # it waits for the client's answer

            assert not line.write_now(b"too late")
            assert await line.client.recv() == "the last"
            with pytest.raises(ConnectionClosed):
                await line.client.recv()
            assert line.client.close_code == 4409

    run(scenario())


def test_nothing_is_written_to_a_client_that_has_gone(run: Run) -> None:
    async def scenario() -> None:
        async with a_line() as (line, _):
            line.client.transport.abort()
            await line.app.gone.wait()

            assert not line.write_now(b"to nobody")

    run(scenario())


def test_a_socket_that_has_ended_leaves_nothing_to_the_garbage_collector(run: Run) -> None:
    async def scenario() -> None:
        app, freed = App(), asyncio.Event()
        async with running_app(app, lifespan="off") as (server, port):
            async with connect(f"ws://127.0.0.1:{port}", proxy=None):
                write_now, send = await app.opened.get()
                assert write_now(b"here")
                [protocol] = server.server_state.connections
                watched = weakref.ref(protocol, lambda _: freed.set())
                del protocol, write_now, send
            await freed.wait()
            assert watched() is None

    gc.disable()
    try:
        run(scenario())
    finally:
        gc.enable()


def test_pings_of_both_ends_are_answered_among_frames_and_the_client_may_close(run: Run) -> None:
    async def scenario() -> None:
        async with a_line(ws_ping_interval=0.05) as (line, protocol):
            for _ in range(20):
                assert line.write_now(FRAME)
                await (await line.client.ping())
                assert await line.client.recv() == FRAME.decode()
            while not protocol.ping_sent_at or protocol.pending_ping_payload is not None:
                assert line.write_now(FRAME)
                await line.client.recv()
            await line.client.close()

            assert line.client.close_code == 1000
            await line.app.gone.wait()

    run(scenario())


def test_a_handshake_that_fails_is_answered_and_offers_nothing(run: Run) -> None:
    async def scenario() -> None:
        app = App()
        async with running_app(app, lifespan="off") as (_, port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(
                b"GET / HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
            )
            answer = await reader.read()
            writer.close()
            await writer.wait_closed()

            assert answer.startswith(b"HTTP/1.1 400 ")
            assert app.opened.empty()

    run(scenario())


def test_a_server_without_the_short_road_has_one_that_is_never_free(run: Run) -> None:
    async def scenario() -> None:
        async with a_line(ws="websockets-sansio") as (line, _):
            assert line.write_now is never

    run(scenario())
    assert short_road({"type": "websocket"}).write_now is never
