"""The bus of many processes and machines: hints through Redis.

Nobody needs Redis: while it is away hints are dropped, and every node learns from the database a
second later what they would have said.
"""

import asyncio
from contextlib import suppress
from typing import Any

import msgspec
import structlog
from msgspec import Struct
from redis.backoff import EqualJitterBackoff
from redis.exceptions import RedisError

from server import metrics
from server.clock import Clock
from server.live.buses.bus import EVERYONE, AnyMessage, BusState, Hear
from server.live.buses.redis_line import BEGINNING, Line, Told
from server.live.buses.redis_url import read_url

log = structlog.get_logger()

QUEUED_HINTS = 1000  # full: the hint is dropped and counted; the database tells it a second later
BATCH_HINTS = 100
READY_WITHIN_S = 5  # to connect, subscribe to every room, and append once
PING_EVERY_S = 1
FRESH_MS = 5000  # away for longer: the database has told what the streams could

BACKOFF = EqualJitterBackoff(base=0.1, cap=2)  # in seconds


class Hint(Struct, frozen=True):
    """A message on its way.

    Attributes:
        node: who sent it.
        sent_ms: when, by the clock that all nodes keep; milliseconds since 1970.
    """

    node: str
    sent_ms: int
    message: AnyMessage


ENCODER = msgspec.json.Encoder()
DECODER = msgspec.json.Decoder(Hint)


class RedisBus:
    """One node's end of the bus.

    Args:
        url: of the Redis that all nodes use; nodes on another of its databases are not heard.
        node: names this process among all.

    Attributes:
        published: hints written.
        dropped: hints that were not, or perhaps not, since Redis was away or slower than they came.
        gaps: times that something was missed, and read back as far as it was kept.

    Raises:
        BadRedis: not the URL of a Redis.
    """

    def __init__(self, url: str, *, clock: Clock, node: str) -> None:
        self._options = read_url(url)
        self._prefix = f"canfield:{self._options.get('db', 0)}:"  # channels know no databases
        self._clock = clock
        self._node = node
        self.published = self.dropped = self.gaps = 0

        self._hearers: list[Hear] = []
        self._topics = {EVERYONE}
        self._changed: set[str] = set()  # topics watched or unwatched since Redis was told
        self._wished = asyncio.Event()
        self._last: dict[str, bytes] = {}  # the id of the newest hint known of a topic
        self._queue = asyncio.Queue[tuple[str, bytes]](QUEUED_HINTS)

        self._state: BusState = "away"
        self._away_since_ms: int | None = None  # once it has been found away
        self._tried = asyncio.Event()
        self._failures = 0  # to connect, since it was ready last
        self._closing = asyncio.Event()
        self._life: asyncio.Task[None] | None = None  # of the present line
        self._carrying: asyncio.Task[None] | None = None

    @property
    def state(self) -> BusState:
        """Whether hints get through now."""
        return self._state

    def sample(self) -> None:
        """Tell the metrics whether hints get through."""
        metrics.show_bus(ready=self._state == "ready")

    async def open(self) -> None:
        """Begin to carry; where Redis is away, it begins later by itself."""
        self._carrying = asyncio.create_task(self._carry(), name="bus")
        await self._tried.wait()

    async def close(self) -> None:
        """Stop carrying; hints not yet written are dropped."""
        self._closing.set()
        if self._life is not None:
            self._life.cancel()
        if self._carrying is not None:
            await self._carrying
        self._lose_all()

    def listen(self, hear: Hear) -> None:
        """Have what other nodes say heard."""
        self._hearers.append(hear)

    def watch(self, topic: str) -> None:
        """Hear of a topic from soon on."""
        self._topics.add(topic)
        self._wish(topic)

    def unwatch(self, topic: str) -> None:
        """Hear of a topic no more."""
        self._topics.discard(topic)
        self._last.pop(topic, None)
        self._wish(topic)

    def publish(self, topic: str, message: AnyMessage) -> None:
        """Tell every other node that watches the topic; never waits, never raises."""
        if self._state == "away" or self._queue.full():
            self._drop(1)
            return
        hint = Hint(node=self._node, sent_ms=self._clock.now_ms(), message=message)
        self._queue.put_nowait((self._name(topic), ENCODER.encode(hint)))

    async def _carry(self) -> None:
        """Carry until the line fails, and begin again with a new one; nobody cancels this."""
        while not self._closing.is_set():
            line = Line(self._options)
            self._life = asyncio.create_task(self._live(line), name="bus line")
            await asyncio.wait([self._life])
            await line.close()
            self._failures += 1
            with suppress(TimeoutError):
                async with asyncio.timeout(BACKOFF.compute(self._failures)):
                    await self._closing.wait()

    async def _live(self, line: Line) -> None:
        """Carry until the line fails."""
        try:
            await self._connect(line)
            async with asyncio.TaskGroup() as work:
                work.create_task(self._listen_to(line))
                work.create_task(self._keep(line))
                work.create_task(self._write(line))
        except* Exception as errors:  # noqa: BLE001 — a line is a scope of its own; this logs
            self._went_away(errors.exceptions[0])

    async def _connect(self, line: Line) -> None:
        """Have a line ready: everything subscribed to, and hints accepted."""
        last = self._name(EVERYONE)
        async with asyncio.timeout(READY_WITHIN_S):
            await line.open()
            self._changed.clear()
            await line.subscribe([*map(self._name, self._topics - {EVERYONE}), last])
            while (await self._take_next(line))[:2] != [b"subscribe", last.encode()]:
                pass
            # A Redis that is full or a replica answers everything but this.
            await line.append([(self._name("trial"), b"")])
        self._is_ready()

    async def _listen_to(self, line: Line) -> None:
        while True:
            await self._take_next(line)

    async def _keep(self, line: Line) -> None:
        """Tell Redis what is watched by now; else ask for a sign of life every second."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(PING_EVERY_S):
                    await self._wished.wait()
            self._wished.clear()
            changed, self._changed = self._changed, set()
            if watched := changed & self._topics:
                await line.subscribe([*map(self._name, watched)])
            if unwatched := changed - self._topics:
                await line.unsubscribe([*map(self._name, unwatched)])
            if not changed:
                await line.ping()

    async def _write(self, line: Line) -> None:
        """Append what is queued, as many at a time as there are."""
        while True:
            batch = [await self._queue.get()]
            while len(batch) < BATCH_HINTS and not self._queue.empty():
                batch.append(self._queue.get_nowait())
            try:
                await line.append(batch)
            except BaseException:
                self._drop(len(batch))
                raise
            self.published += len(batch)

    async def _take_next(self, line: Line) -> list[Any]:
        """Wait for an answer, hear it if it is a message, and give it."""
        answer = await line.answer()
        if answer[0] == b"message":
            await self._take(line, answer[1].decode(), answer[2])
        return answer

    async def _take(self, line: Line, name: str, data: bytes) -> None:
        """Hear a hint, and before it those that were missed."""
        topic = name.removeprefix(self._prefix)
        try:
            told = Told.parse(data)
        except ValueError:
            log.warning("bus.unreadable", topic=topic)
            return
        last = self._last.get(topic)
        if last is not None and told.before not in (last, BEGINNING):
            self.gaps += 1
            metrics.BUS_GAPS.inc()
            for missed in await line.between(name, last, told.id):
                self._hear(topic, missed)
        if topic in self._topics:  # it may have been on its way when it was unwatched
            self._last[topic] = told.id
            self._hear(topic, told.hint)

    def _hear(self, topic: str, text: bytes) -> None:
        try:
            hint = DECODER.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError):
            log.warning("bus.unreadable", topic=topic)
            return
        if hint.node == self._node:
            return
        lag_ms = max(0, self._clock.now_ms() - hint.sent_ms)
        metrics.BUS_LAG_SECONDS.observe(lag_ms / 1000)
        for hear in self._hearers:
            try:
                hear(topic, hint.message)
            except Exception:  # a hint is a scope of its own: it must not take others with it
                log.exception("bus.hearer_failed", topic=topic)

    def _wish(self, topic: str) -> None:
        self._changed.add(topic)
        self._wished.set()

    def _name(self, topic: str) -> str:
        return self._prefix + topic

    def _is_ready(self) -> None:
        self._state = "ready"
        self._failures = 0
        self._tried.set()
        if self._away_since_ms is None:
            return
        away_ms, self._away_since_ms = self._clock.now_ms() - self._away_since_ms, None
        if away_ms > FRESH_MS:
            self._last.clear()
        log.info("bus.back", away_ms=away_ms)

    def _went_away(self, error: Exception) -> None:
        self._lose_all()
        self._tried.set()
        if self._away_since_ms is not None:
            return
        self._away_since_ms = self._clock.now_ms()
        expected = isinstance(error, RedisError | OSError)
        log.warning(
            "bus.away",
            error=type(error).__name__,
            reason=self._without_password(str(error)),
            exc_info=None if expected else error,
        )

    def _drop(self, hints: int) -> None:
        self.dropped += hints
        metrics.BUS_DROPPED.inc(hints)

    def _lose_all(self) -> None:
        self._state = "away"
        self._drop(self._queue.qsize())
        while not self._queue.empty():
            self._queue.get_nowait()

    def _without_password(self, text: str) -> str:
        """Some servers repeat a command that they do not understand, and so `AUTH` as well."""
        password = self._options.get("password")
        return text.replace(password, "***") if password else text
