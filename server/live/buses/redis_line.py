"""A line to Redis: its connections, from connecting until one of them fails.

Each name is a stream and a channel at once. One script appends to the stream and tells the channel.
It tells the id of the hint before as well, so that who listens knows when one is missing.
"""

import asyncio
import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Self

from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection, ConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError, RedisError

CONNECT_WITHIN_S = 2
ANSWER_WITHIN_S = 2  # a Redis that takes longer is treated as away
SILENT_WITHIN_S = 3  # pings are answered every second: a line as silent as that is dead

KEPT_HINTS = 200  # of a stream, about: a few seconds of a busy room; the database tells the rest
KEPT_MS = 60_000  # after its newest hint a stream goes: no room needs tidying up

BEGINNING = b"0-0"
"""The id before a stream's first hint."""

TOLD = re.compile(rb"(\d{1,19}-\d{1,19}) (\d{1,19}-\d{1,19}) (.*)", re.DOTALL)

APPEND = """
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local id = redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], '*', 'hint', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PUBLISH', KEYS[1], id .. ' ' .. (newest and newest[1] or '0-0') .. ' ' .. ARGV[1])
"""

OPTIONS: dict[str, Any] = {
    "socket_connect_timeout": CONNECT_WITHIN_S,
    # Answers have their limits here: the driver's own, by `wait_for`, can swallow a cancellation.
    "socket_timeout": None,
    # Whoever holds the line begins a new one when this fails: trying again here would hide that.
    "retry": Retry(NoBackoff(), 0),
    "protocol": 2,  # every Redis speaks it, and the driver reads it with less ado
    "decode_responses": False,
    "driver_info": None,
}
"""What every line has, whatever its URL says."""


class Told(NamedTuple):
    """What a channel is told: a hint, its id in the stream, and the id of the hint before it."""

    id: bytes
    before: bytes
    hint: bytes

    @classmethod
    def parse(cls, data: bytes) -> Self:
        """Read it as the script writes it; raises `ValueError` for anything else."""
        if (found := TOLD.fullmatch(data)) is None:
            raise ValueError("no hint with its ids")
        return cls(*found.groups())


class Line:
    """Connections to one Redis: one that listens, others that ask and append.

    What fails, or takes too long, raises `RedisError` or `OSError`; then the line is to be closed.

    Args:
        options: how to connect, as a URL is parsed; `OPTIONS` come on top.
    """

    def __init__(self, options: dict[str, Any]) -> None:
        self._pool = ConnectionPool(**(options | OPTIONS))
        self._redis = Redis(connection_pool=self._pool)
        self._append = self._redis.register_script(APPEND)
        self._ear: AbstractConnection

    async def open(self) -> None:
        """Connect to listen."""
        async with asyncio.timeout(CONNECT_WITHIN_S + ANSWER_WITHIN_S):
            self._ear = await self._pool.get_connection()  # type: ignore[no-untyped-call]

    async def close(self) -> None:
        """Leave; what was under way is lost."""
        with suppress(RedisError, OSError):
            await self._pool.disconnect()

    async def subscribe(self, names: Collection[str]) -> None:
        """Ask to be told of channels; the answers confirm each in this order."""
        await self._ask("SUBSCRIBE", *names)

    async def unsubscribe(self, names: Collection[str]) -> None:
        """Ask to be told of channels no more."""
        await self._ask("UNSUBSCRIBE", *names)

    async def ping(self) -> None:
        """Ask for a sign of life."""
        await self._ask("PING")

    async def answer(self) -> list[Any]:
        """Wait for what comes next: `[kind, name, data]`; kind is `message` or what was asked."""
        answer: list[Any] | None = await self._ear.read_response(timeout=SILENT_WITHIN_S)
        if answer is None:
            raise TimeoutError(f"Redis has been silent for {SILENT_WITHIN_S} s")
        return answer

    async def append(self, hints: Sequence[tuple[str, bytes]]) -> None:
        """Append hints to the streams of their names, and tell the channels.

        Where this raises, some may have got through.
        """
        answers = await self._run(hints)
        if any(isinstance(answer, NoScriptError) for answer in answers):
            async with asyncio.timeout(ANSWER_WITHIN_S):
                await self._redis.script_load(APPEND)
            answers = await self._run(hints)
        for answer in answers:
            if isinstance(answer, RedisError):
                raise answer

    async def between(self, name: str, after: bytes, before: bytes) -> list[bytes]:
        """Read the hints of a stream between two ids, both exclusive, as far as they are kept."""
        async with asyncio.timeout(ANSWER_WITHIN_S):
            entries: Any = await self._redis.xrange(name, min=b"(" + after, max=b"(" + before)
        return [fields[b"hint"] for _id, fields in entries]

    async def _ask(self, *command: str) -> None:
        async with asyncio.timeout(ANSWER_WITHIN_S):
            await self._ear.send_command(*command)

    async def _run(self, hints: Sequence[tuple[str, bytes]]) -> list[Any]:
        pipeline = self._redis.pipeline(transaction=False)
        for name, hint in hints:
            pipeline.evalsha(self._append.sha, 1, name, hint, str(KEPT_HINTS), str(KEPT_MS))
        async with asyncio.timeout(ANSWER_WITHIN_S):
            return await pipeline.execute(raise_on_error=False)
