import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import pytest
from redis.exceptions import ConnectionError as CannotConnect
from redis.exceptions import ResponseError

from server.live.buses.redis_line import BEGINNING, Line, Told
from server.live.buses.redis_url import read_url
from tests.redis_server import free_port


@asynccontextmanager
async def a_line(url: str) -> AsyncIterator[Line]:
    line = Line(read_url(url))
    try:
        await line.open()
        yield line
    finally:
        await line.close()


def a_name() -> str:
    return f"canfield:test:{uuid4().hex}"


async def listen_to(line: Line, name: str) -> None:
    """Subscribe, and wait until that is so."""
    await line.subscribe([name])
    assert (await line.answer())[:2] == [b"subscribe", name.encode()]


async def message(line: Line) -> Told:
    """Wait for the next thing that a channel is told."""
    kind, _name, data = await line.answer()
    assert kind == b"message"
    return Told.parse(data)


async def test_a_channel_is_told_each_hint_and_the_id_of_the_one_before(redis_url: str) -> None:
    name = a_name()
    async with a_line(redis_url) as line:
        await listen_to(line, name)

        await line.append([(name, b"one"), (name, b"two words")])

        first, second = await message(line), await message(line)
        assert (first.before, first.hint) == (BEGINNING, b"one")
        assert (second.before, second.hint) == (first.id, b"two words")


async def test_hints_between_two_ids_are_read_without_those_two(redis_url: str) -> None:
    name = a_name()
    async with a_line(redis_url) as line:
        await listen_to(line, name)
        await line.append([(name, hint) for hint in (b"one", b"two", b"three", b"four")])
        told = [await message(line) for _ in range(4)]

        between = await line.between(name, told[0].id, told[3].id)

        assert between == [b"two", b"three"]
        assert await line.between(name, told[3].id, told[0].id) == []
        assert await line.between(a_name(), told[0].id, told[3].id) == []


async def test_each_wish_is_answered_by_its_kind_and_name(redis_url: str) -> None:
    first, second = a_name(), a_name()
    async with a_line(redis_url) as line:
        await line.subscribe([first, second])
        await line.unsubscribe([first])
        await line.ping()

        answers: list[Any] = [await line.answer() for _ in range(4)]

    assert [answer[:2] for answer in answers] == [
        [b"subscribe", first.encode()],
        [b"subscribe", second.encode()],
        [b"unsubscribe", first.encode()],
        [b"pong", b""],
    ]


async def test_a_hint_that_is_refused_raises_and_those_beside_it_get_through(
    redis_url: str,
) -> None:
    name, taken = a_name(), a_name()
    async with a_line(redis_url) as line:
        await line._redis.set(taken, "not a stream", ex=60)
        await listen_to(line, name)

        with pytest.raises(ResponseError, match="WRONGTYPE"):
            await line.append([(taken, b"one"), (name, b"two")])

        assert (await message(line)).hint == b"two"


async def test_where_nobody_listens_no_line_opens() -> None:
    line = Line(read_url(f"redis://127.0.0.1:{free_port()}/0"))

    with pytest.raises(CannotConnect):
        await line.open()

    await line.close()


async def test_a_line_that_is_silent_raises() -> None:
    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async with await asyncio.start_server(say_nothing, "127.0.0.1", 0) as listener:
        port = listener.sockets[0].getsockname()[1]
        async with a_line(f"redis://127.0.0.1:{port}") as line:
            with pytest.raises(TimeoutError):
                await line.append([("canfield:test:x", b"one")])
            await line.subscribe(["canfield:test:x"])
            with pytest.raises(TimeoutError, match="silent"):
                await line.answer()


@pytest.mark.parametrize(
    "data", [b"", b"1-0 0-0", b"1-0 {}", b"1 0-0 {}", b"1-0 x-0 {}", b"1" * 20 + b"-0 0-0 {}"]
)
def test_what_the_script_does_not_write_is_not_read(data: bytes) -> None:
    with pytest.raises(ValueError, match="no hint"):
        Told.parse(data)


def test_a_hint_may_have_spaces_and_lines() -> None:
    assert Told.parse(b"2-1 1-0 a b\nc") == (b"2-1", b"1-0", b"a b\nc")
