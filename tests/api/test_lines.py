import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from msgspec import Struct
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import Message
from structlog.testing import capture_logs

from server.api import lines
from server.api.lines import Lines
from server.race.errors import Unavailable
from tests.running import running_app

PATIENCE_S = 20
HEADER = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"


class Item(Struct, frozen=True):
    """An item with some weight."""

    number: int
    weight: str = ""


class Source:
    """Items in order; remembers how many were asked for, and when nobody asks any more."""

    def __init__(self, count: int, *, weight: int = 0, fault: Exception | None = None) -> None:
        self.given = 0
        self.closed = asyncio.Event()
        self._count, self._weight, self._fault = count, "x" * weight, fault

    async def items(self) -> AsyncGenerator[Item]:
        try:
            for number in range(self._count):
                self.given += 1
                yield Item(number, self._weight)
            if self._fault is not None:
                raise self._fault
        finally:
            self.closed.set()


@asynccontextmanager
async def answering(source: Source) -> AsyncIterator[httpx2.AsyncClient]:
    """Serve the items of a source until the block ends."""

    async def answer(_: Request) -> Lines:
        return Lines(source.items(), request_id="edge-7")

    app = Starlette(routes=[Route("/", answer)])
    async with running_app(app, log_level="critical") as (_, port):
        address = f"http://127.0.0.1:{port}"
        async with httpx2.AsyncClient(base_url=address, trust_env=False, timeout=30) as client:
            yield client


@asynccontextmanager
async def a_reader(
    client: httpx2.AsyncClient,
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection that asks for the items and reads as the test says."""
    reader, writer = await asyncio.open_connection(client.base_url.host, client.base_url.port)
    writer.write(HEADER)
    await reader.readuntil(b"\r\n\r\n")
    yield reader, writer
    writer.close()
    await writer.wait_closed()


async def test_every_item_is_a_line() -> None:
    async with answering(Source(250)) as client:
        response = await client.get("/")

    assert response.headers["content-type"] == "application/x-ndjson"
    assert response.content.endswith(b"}\n")
    assert [json.loads(line)["number"] for line in response.content.splitlines()] == [*range(250)]


async def test_an_answer_of_nothing_is_empty() -> None:
    async with answering(Source(0)) as client:
        assert (await client.get("/")).content == b""


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (Unavailable("away"), {"event": "answer.broken_off", "code": "unavailable"}),
        (ZeroDivisionError(), {"event": "answer.failed"}),
    ],
)
async def test_an_answer_that_cannot_be_finished_is_not_taken_for_the_whole(
    fault: Exception, told: dict[str, Any]
) -> None:
    with capture_logs() as logged:
        async with answering(Source(3, fault=fault)) as client:
            with pytest.raises(httpx2.RemoteProtocolError):
                await client.get("/")

    [line] = [line for line in logged if line["event"].startswith("answer.")]
    assert line.items() >= (told | {"request_id": "edge-7"}).items()


async def test_a_reader_who_goes_stops_the_reading() -> None:
    source = Source(10**9, weight=1000)
    async with answering(source) as client:
        async with a_reader(client) as (reader, _):
            await reader.readline()

        async with asyncio.timeout(PATIENCE_S):
            await source.closed.wait()


async def test_what_is_not_taken_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "TAKEN_WITHIN_S", 0.5)
    source = Source(10**9, weight=10_000)
    with capture_logs() as logged:
        async with answering(source) as client, a_reader(client):
            async with asyncio.timeout(PATIENCE_S):
                await source.closed.wait()
            given = source.given

    assert given * 10_000 < 2**26  # what buffers hold, here and in the system
    assert [line["event"] for line in logged] == ["answer.not_taken"]


async def test_asking_for_the_headers_reads_nothing() -> None:
    source = Source(3)
    async with answering(source) as client:
        response = await client.head("/")

    assert (response.status_code, source.given) == (200, 0)
    assert response.headers["content-type"] == "application/x-ndjson"


async def test_others_have_a_turn_after_every_line() -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        never: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        return await never  # the reader stays

    answer = Lines(Source(1000).items(), request_id="edge-7")
    answering = asyncio.create_task(answer({"type": "http", "method": "GET"}, receive, send))
    turns = 0
    while not answering.done():
        await asyncio.sleep(0)
        turns += 1

    assert turns >= 1000
    assert len(sent) == 1002
    assert sent[-1] == {"type": "http.response.body"}
