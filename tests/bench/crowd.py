"""Thousands of sockets that watch one race, in a process of their own.

`python -m tests.bench.crowd PORT ROOM COUNT` connects them, says `ready`, and then obeys lines:
`begin` forgets what was seen, `look` tells it as one line of JSON, the end of input ends it.
"""

import asyncio
import gc
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import msgspec
import uvloop
from msgspec import Struct

from tests.bench.machine import allow_sockets, cpu_seconds
from tests.bench.serving import CLIENT_CORE, connect_all, live_path, stop
from tests.bench.wire import Wire, text_frame

HELLO = text_frame(b'{"type":"hello"}')
WELCOME, STANDINGS = b'{"type":"welcome"', b'{"type":"standings"'
CONNECT_WITHIN_S, ANSWER_WITHIN_S = 120, 60
MOST_BYTES = 64 * 1024 * 1024  # of one line: all that was seen


class Told(Struct):
    """One standings frame, and how the sockets got it.

    Attributes:
        actions: by player's id, how many actions its entry tells of.
        sockets: how many sockets got it.
        last_s: when the last of them did, on the machine's monotonic clock.
    """

    actions: dict[str, int]
    sockets: int
    last_s: float


class Seen(Struct):
    """What a crowd saw.

    Attributes:
        told: the frames, in the order of their first arrival.
        sockets: how many sockets are still open.
        cpu_s: how long the crowd kept its core busy, since `begin`.
    """

    told: list[Told]
    sockets: int
    cpu_s: float


class Register:
    """Who got which frame when. Frames are told apart by their bytes: all get the same."""

    def __init__(self) -> None:
        self.arrivals: dict[bytes, tuple[int, float]] = {}

    def note(self, payload: bytes) -> None:
        """Note that one more socket got a frame."""
        count, _ = self.arrivals.get(payload, (0, 0.0))
        self.arrivals[payload] = (count + 1, time.monotonic())

    def told(self) -> list[Told]:
        """Give every frame that was noted."""
        return [
            Told(actions=actions_in(payload), sockets=count, last_s=last_s)
            for payload, (count, last_s) in self.arrivals.items()
        ]


class Watcher(Wire):
    """A spectator's socket."""

    def __init__(self, path: str, register: Register) -> None:
        super().__init__(path, hello=HELLO)
        self._register = register

    def take(self, payload: bytes) -> None:
        """Note standings; the rest is of no interest."""
        if payload.startswith(STANDINGS):
            self._register.note(payload)
        elif payload.startswith(WELCOME) and not self.ready.done():
            self.ready.set_result(None)


class Crowd:
    """A crowd in its process, as the one who started it sees it.

    Attributes:
        count: how many sockets it is.
    """

    def __init__(self, running: asyncio.subprocess.Process, count: int) -> None:
        self.count = count
        self._running = running

    async def begin(self) -> None:
        """Forget what was seen so far."""
        await self._say("begin")

    async def look(self) -> Seen:
        """Give what was seen since `begin`."""
        return msgspec.json.decode(await self._say("look"), type=Seen)

    async def _say(self, word: str) -> bytes:
        stdin, stdout = self._running.stdin, self._running.stdout
        if stdin is None or stdout is None:
            raise RuntimeError("a crowd is started with pipes")
        stdin.write(f"{word}\n".encode())
        async with asyncio.timeout(ANSWER_WITHIN_S):
            return await stdout.readline()


@asynccontextmanager
async def watching(port: int, room: str, count: int) -> AsyncIterator[Crowd]:
    """Have a crowd watch a room until the block ends."""
    running = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench.crowd", str(port), room, str(count)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=MOST_BYTES,
    )
    try:
        if running.stdout is None:
            raise RuntimeError("a crowd is started with pipes")
        async with asyncio.timeout(CONNECT_WITHIN_S):
            if await running.stdout.readline() != b"ready\n":
                raise SystemExit("the crowd could not connect")
        yield Crowd(running, count)
    finally:
        await stop(running)


def actions_in(payload: bytes) -> dict[str, int]:
    """Read how far each player of a standings frame is."""
    entries: list[dict[str, Any]] = msgspec.json.decode(payload)["entries"]
    return {entry["player"]["id"]: entry["actions"] for entry in entries}


async def watch(port: int, room: str, count: int) -> None:
    """Connect, and obey."""
    register = Register()
    path = live_path(room)
    watchers = await connect_all(port, [partial(Watcher, path, register)] * count)
    gc.collect()
    gc.disable()  # a pause of thousands of sockets' objects would count as the server's
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(lines), sys.stdin
    )
    _say(b"ready")
    cpu_s = 0.0
    while line := await lines.readline():
        if line == b"begin\n":
            register.arrivals.clear()
            cpu_s = cpu_seconds(os.getpid())
            _say(b"begun")
        else:
            alive = sum(watcher.open for watcher in watchers)
            spent_s = cpu_seconds(os.getpid()) - cpu_s
            seen = Seen(told=register.told(), sockets=alive, cpu_s=spent_s)
            _say(msgspec.json.encode(seen))


def _say(line: bytes) -> None:
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    os.sched_setaffinity(0, {CLIENT_CORE})
    allow_sockets(int(sys.argv[3]))
    uvloop.run(watch(int(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
