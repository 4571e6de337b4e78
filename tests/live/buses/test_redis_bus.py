"""What only `RedisBus` does, on a Redis of its own that can be stopped, filled and muted."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from uuid import uuid4

import pytest

from server import metrics
from server.clock import Clock, ManualClock, SystemClock
from server.live.buses.bus import EVERYONE, AnyMessage, Changed, Revoked
from server.live.buses.redis_bus import BATCH_HINTS, FRESH_MS, QUEUED_HINTS, RedisBus
from server.live.buses.redis_line import KEPT_HINTS, KEPT_MS, SILENT_WITHIN_S
from server.live.buses.redis_url import BadRedis
from tests.api.forwarding import Forwarder, forwarding
from tests.live.conftest import Logs
from tests.live.nodes import PATIENCE_S, Node, until
from tests.race.builders import OPENED
from tests.redis_server import RedisServer


@pytest.fixture
async def own_redis() -> AsyncIterator[RedisServer]:
    """A Redis of one test alone."""
    redis = RedisServer()
    await asyncio.to_thread(redis.start)
    yield redis
    await asyncio.to_thread(redis.kill)


Command = tuple[str, ...]


class Pair:
    """Two nodes on one Redis, of which one watches a room that the other speaks of."""

    def __init__(self, ana: RedisBus, bo: RedisBus, room: str) -> None:
        self.buses = (ana, bo)
        self.ana, self.bo = Node(ana), Node(bo)
        self.room = room

    async def are(self, state: str) -> None:
        await until(lambda: {bus.state for bus in self.buses} == {state})

    async def written(self) -> None:
        """Wait until all is written that the two have said."""
        said = self.ana.said + self.bo.said
        await until(lambda: sum(bus.published + bus.dropped for bus in self.buses) == said)


@asynccontextmanager
async def a_pair(
    url: str, *, listening_by: str | None = None, clock: Clock | None = None
) -> AsyncIterator[Pair]:
    """Open two nodes; the listening one may go by another URL."""
    clock = clock or SystemClock()
    async with AsyncExitStack() as stack:
        ana = RedisBus(url, clock=clock, node="n_ana")
        bo = RedisBus(listening_by or url, clock=clock, node="n_bo")
        pair = Pair(ana, bo, f"r_{uuid4().hex}")
        for bus in pair.buses:
            stack.push_async_callback(bus.close)
            await bus.open()
        await pair.bo.watch(pair.room, told_by=pair.ana)
        yield pair


@asynccontextmanager
async def a_pair_to_cut(
    redis: RedisServer, *, clock: Clock | None = None
) -> AsyncIterator[tuple[Pair, Forwarder]]:
    """Open two nodes, the listening one on a network that can be cut."""
    async with (
        forwarding(redis.url, "0") as (network, url),
        a_pair(redis.url, listening_by=url, clock=clock) as pair,
    ):
        yield pair, network


async def say_during_a_cut(pair: Pair, network: Forwarder, *versions: int) -> None:
    """Have things said while the listening node hears nothing."""
    listener = pair.buses[1]
    network.cut()
    await until(lambda: listener.state == "away")
    pair.ana.say(pair.room, *versions)
    await pair.written()
    network.mend()
    await until(lambda: listener.state == "ready")


async def test_what_was_missed_is_read_back_in_order_and_counted(own_redis: RedisServer) -> None:
    async with a_pair_to_cut(own_redis) as (pair, network):
        listener = pair.buses[1]
        pair.ana.say(pair.room, 1)
        await pair.bo.hears(pair.room, Changed(version=1))
        assert listener.gaps == 0

        await say_during_a_cut(pair, network, 2, 3, 4)
        pair.ana.say(pair.room, 5, 6)

        await pair.bo.hears(pair.room, Changed(version=6))
        assert pair.bo.versions(pair.room) == [1, 2, 3, 4, 5, 6]
        assert listener.gaps == 1


async def test_what_a_node_itself_said_is_not_missed(own_redis: RedisServer) -> None:
    async with a_pair(own_redis.url) as pair:
        for version in range(1, 21):
            speaker = pair.ana if version % 2 else pair.bo
            speaker.say(pair.room, version)
            await pair.written()
        await pair.bo.hears(pair.room, Changed(version=19))

        assert pair.bo.versions(pair.room) == [*range(1, 21, 2)]
        assert pair.buses[1].gaps == 0


async def test_after_a_long_cut_old_hints_are_left_to_the_database(own_redis: RedisServer) -> None:
    clock = ManualClock(OPENED)
    async with a_pair_to_cut(own_redis, clock=clock) as (pair, network):
        network.cut()
        await until(lambda: pair.buses[1].state == "away")
        clock.advance(ms=FRESH_MS + 1)
        await say_during_a_cut(pair, network, 1, 2)
        pair.ana.say(pair.room, 3)

        await pair.bo.hears(pair.room, Changed(version=3))
        assert pair.bo.versions(pair.room) == [3]
        assert pair.buses[1].gaps == 0


async def test_what_was_watched_during_a_cut_is_heard_after_it(own_redis: RedisServer) -> None:
    async with a_pair_to_cut(own_redis) as (pair, network):
        network.cut()
        await until(lambda: pair.buses[1].state == "away")
        pair.bo.bus.watch("r_new")
        pair.bo.bus.unwatch(pair.room)
        network.mend()
        await until(lambda: pair.buses[1].state == "ready")

        pair.ana.say(pair.room, 1)
        pair.ana.say("r_new", 2)

        await pair.bo.hears("r_new", Changed(version=2))
        assert pair.bo.heard == [("r_new", Changed(version=2))]


async def test_a_rooms_stream_is_trimmed_and_expires(own_redis: RedisServer) -> None:
    async with a_pair(own_redis.url) as pair:
        for version in range(1, 4 * KEPT_HINTS + 1):
            pair.ana.say(pair.room, version)
        await pair.bo.hears(pair.room, Changed(version=4 * KEPT_HINTS))

        assert KEPT_HINTS <= own_redis.run("XLEN", f"canfield:0:{pair.room}") < 2 * KEPT_HINTS
        for name in own_redis.run("KEYS", "*"):
            assert 0 < own_redis.run("PTTL", name) <= KEPT_MS


async def test_a_redis_restarted_empty_is_used_again(own_redis: RedisServer, logs: Logs) -> None:
    async with a_pair(own_redis.url) as pair:
        pair.ana.say(pair.room, 1)
        await pair.bo.hears(pair.room, Changed(version=1))

        await asyncio.to_thread(own_redis.kill)
        await pair.are("away")
        dropped = pair.buses[0].dropped
        pair.ana.say(pair.room, 2)
        assert pair.buses[0].dropped == dropped + 1
        await asyncio.to_thread(own_redis.start)
        await pair.are("ready")
        pair.ana.say(pair.room, 3)

        await pair.bo.hears(pair.room, Changed(version=3))
        assert pair.bo.versions(pair.room) == [1, 3]
        events = [entry["event"] for entry in logs if entry["event"].startswith("bus.")]
        assert sorted(events) == ["bus.away", "bus.away", "bus.back", "bus.back"]


async def test_a_node_opens_without_redis_and_uses_it_once_it_is_there(
    own_redis: RedisServer, logs: Logs
) -> None:
    await asyncio.to_thread(own_redis.kill)
    bus = RedisBus(own_redis.url, clock=SystemClock(), node="n_1")

    await bus.open()
    try:
        assert bus.state == "away"
        assert [entry["event"] for entry in logs] == ["bus.away"]
        await asyncio.to_thread(own_redis.start)
        await until(lambda: bus.state == "ready")
    finally:
        await bus.close()


async def test_a_redis_that_does_not_write_delays_nobody_and_costs_hints_only(
    own_redis: RedisServer,
) -> None:
    async with a_pair(own_redis.url) as pair:
        speaker = pair.buses[0]
        await pair.written()
        dropped, published = speaker.dropped, speaker.published
        own_redis.run("CLIENT", "PAUSE", 600_000, "WRITE")

        pair.ana.say(pair.room, *range(2, 2 + QUEUED_HINTS + 500))
        assert speaker.dropped == dropped + 500
        await until(lambda: speaker.state == "away")
        assert speaker.dropped == dropped + 500 + QUEUED_HINTS
        assert speaker.published == published
        own_redis.run("CLIENT", "UNPAUSE")
        await pair.are("ready")

        pair.ana.say(pair.room, 9999)
        await pair.bo.hears(pair.room, Changed(version=9999))


@pytest.mark.parametrize(
    ("refuse", "allow", "error"),
    [
        (("CONFIG", "SET", "maxmemory", "1"), ("CONFIG", "SET", "maxmemory", "0"), "OOM"),
        (("REPLICAOF", "127.0.0.1", "1"), ("REPLICAOF", "NO", "ONE"), "READONLY"),
    ],
    ids=["full", "a replica"],
)
async def test_a_redis_that_refuses_to_write_is_away_until_it_takes_hints_again(
    own_redis: RedisServer, logs: Logs, refuse: Command, allow: Command, error: str
) -> None:
    async with a_pair(own_redis.url) as pair:
        own_redis.run(*refuse)

        pair.ana.say(pair.room, 1)
        pair.bo.say(pair.room, 1)
        await pair.are("away")
        await until(lambda: own_redis.run("INFO", "errorstats")[f"errorstat_{error}"]["count"] > 5)
        assert [entry["event"] for entry in logs] == ["bus.away", "bus.away"]
        own_redis.run(*allow)
        await pair.are("ready")

        pair.ana.say(pair.room, 2)
        await pair.bo.hears(pair.room, Changed(version=2))


async def test_a_redis_that_has_forgotten_the_script_is_told_it_again(
    own_redis: RedisServer, logs: Logs
) -> None:
    async with a_pair(own_redis.url) as pair:
        own_redis.run("SCRIPT", "FLUSH")

        pair.ana.say(pair.room, 1, 2, 3)

        await pair.bo.hears(pair.room, Changed(version=3))
        assert pair.bo.versions(pair.room) == [1, 2, 3]
        assert logs == []


async def test_a_redis_that_falls_silent_is_noticed(own_redis: RedisServer, logs: Logs) -> None:
    async with a_pair(own_redis.url) as pair:
        own_redis.signal(signal.SIGSTOP)
        try:
            await pair.are("away")
        finally:
            own_redis.signal(signal.SIGCONT)
        await pair.are("ready")

        pair.ana.say(pair.room, 1)
        await pair.bo.hears(pair.room, Changed(version=1))
        assert {entry["error"] for entry in logs if entry["event"] == "bus.away"} == {
            "TimeoutError"
        }


async def test_a_redis_where_nobody_speaks_is_not_taken_for_a_silent_one(
    own_redis: RedisServer, logs: Logs
) -> None:
    async with a_pair(own_redis.url) as pair:
        began = asyncio.get_running_loop().time()

        await until(lambda: asyncio.get_running_loop().time() > began + SILENT_WITHIN_S + 1)

        assert logs == []
        assert {bus.state for bus in pair.buses} == {"ready"}


async def test_what_was_on_its_way_when_it_was_unwatched_is_not_heard(
    own_redis: RedisServer,
) -> None:
    async with a_pair(own_redis.url) as pair:
        hint = b'0-1 0-0 {"node":"n_x","sent_ms":1,"message":{"type":"changed","version":1}}'

        pair.bo.bus.unwatch(pair.room)
        own_redis.run("PUBLISH", f"canfield:0:{pair.room}", hint)

        pair.ana.say(EVERYONE, 2)
        await pair.bo.hears(EVERYONE, Changed(version=2))
        assert pair.bo.heard == [(EVERYONE, Changed(version=2))]


async def test_redis_is_told_what_is_unwatched(own_redis: RedisServer) -> None:
    async with a_pair(own_redis.url) as pair:
        channel = f"canfield:0:{pair.room}"
        assert own_redis.run("PUBSUB", "NUMSUB", channel) == [channel.encode(), 1]

        pair.bo.bus.unwatch(pair.room)

        await until(lambda: own_redis.run("PUBSUB", "NUMSUB", channel) == [channel.encode(), 0])


async def test_closing_is_quick_while_redis_is_silent(own_redis: RedisServer) -> None:
    async with a_pair(own_redis.url) as pair:
        own_redis.signal(signal.SIGSTOP)
        try:
            pair.ana.say(pair.room, *range(BATCH_HINTS))
            async with asyncio.timeout(PATIENCE_S):
                await pair.buses[0].close()
        finally:
            own_redis.signal(signal.SIGCONT)


async def test_closing_ends_whatever_is_under_way(own_redis: RedisServer) -> None:
    for round_number in range(60):
        bus = RedisBus(own_redis.url, clock=SystemClock(), node="n_1")
        await bus.open()
        bus.watch("r_1")
        if round_number % 2:
            own_redis.run("CLIENT", "KILL", "TYPE", "pubsub")
        for _turn in range(round_number // 2 % 10):
            await asyncio.sleep(0)
        async with asyncio.timeout(PATIENCE_S):
            await bus.close()


@pytest.mark.parametrize("kind", ["pubsub", "normal"])
async def test_cut_connections_are_made_again(own_redis: RedisServer, kind: str) -> None:
    async with a_pair(own_redis.url) as pair:
        own_redis.run("CLIENT", "KILL", "TYPE", kind)

        await pair.bo.watch("r_after", told_by=pair.ana)
        await pair.bo.watch(pair.room, told_by=pair.ana)


@pytest.mark.parametrize(
    "garbage",
    [
        b"",
        b"no ids at all",
        b'0-1 0-0 {"node": "n_x", "sent_ms": 1, "message": {"type": "changed"}}',
        b'0-1 0-0 {"node": "n_x", "sent_ms": 1, "message": {"type": "unheard of"}}',
        b'0-1 0-0 {"node": "n_\xff", "sent_ms": 1, "message": {"type": "changed", "version": 1}}',
        b"9999999999999999999-0 0-0 [",
        b"99999999999999999999999999-0 0-0 {}",
    ],
)
async def test_garbage_is_logged_and_ignored(
    own_redis: RedisServer, logs: Logs, garbage: bytes
) -> None:
    async with a_pair(own_redis.url) as pair:
        own_redis.run("PUBLISH", f"canfield:0:{pair.room}", garbage)
        await until(lambda: logs)
        pair.ana.say(pair.room, 1)

        await pair.bo.hears(pair.room, Changed(version=1))
        assert pair.bo.versions(pair.room)[-1] == 1
        assert [(entry["event"], entry["topic"]) for entry in logs] == [
            ("bus.unreadable", pair.room)
        ]


async def test_a_hearer_that_fails_keeps_nobody_from_hearing(
    own_redis: RedisServer, logs: Logs
) -> None:
    def fail(_topic: str, message: AnyMessage) -> None:
        if message == Changed(version=1):
            raise RuntimeError("a mistake")

    async with AsyncExitStack() as stack:
        ana, bo = (
            RedisBus(own_redis.url, clock=SystemClock(), node=node) for node in ("n_1", "n_2")
        )
        bo.listen(fail)
        speaker, hearer = Node(ana), Node(bo)
        for bus in (ana, bo):
            stack.push_async_callback(bus.close)
            await bus.open()

        speaker.say(EVERYONE, 1, 2)

        await hearer.hears(EVERYONE, Changed(version=2))
        assert hearer.versions(EVERYONE) == [1, 2]
        assert [entry["event"] for entry in logs] == ["bus.hearer_failed"]


async def test_it_tells_how_long_hints_take_and_how_many_there_were(own_redis: RedisServer) -> None:
    here, there = ManualClock(OPENED), ManualClock(OPENED)
    there.advance(ms=250)
    before = lags()
    ana = RedisBus(own_redis.url, clock=here, node="n_ana")
    bo = RedisBus(own_redis.url, clock=there, node="n_bo")
    speaker, hearer = Node(ana), Node(bo)
    await ana.open()
    await bo.open()
    try:
        speaker.tell(EVERYONE, Revoked("t_1"))
        await hearer.hears(EVERYONE, Revoked("t_1"))
        hearer.tell(EVERYONE, Revoked("t_2"))
        await speaker.hears(EVERYONE, Revoked("t_2"))
    finally:
        await ana.close()
        await bo.close()

    seconds, count = (now - then for now, then in zip(lags(), before, strict=True))
    assert (round(seconds, 3), count) == (0.25, 2), "a clock behind makes no time run backwards"
    assert [(bus.published, bus.gaps) for bus in (ana, bo)] == [(1, 0), (1, 0)]


def lags() -> tuple[float, float]:
    """The lags measured so far: their sum in seconds, and how many."""
    [lag] = [metric for metric in metrics.collect() if metric.name == "canfield_bus_lag_seconds"]
    values = {sample.name: sample.value for sample in lag.samples}
    return values["canfield_bus_lag_seconds_sum"], values["canfield_bus_lag_seconds_count"]


async def test_a_wrong_password_keeps_it_away_and_is_not_logged(
    own_redis: RedisServer, logs: Logs
) -> None:
    own_redis.run("CONFIG", "SET", "requirepass", "right")
    bus = RedisBus(
        own_redis.url.replace("//", "//:w%23ong-secret@"), clock=SystemClock(), node="n_1"
    )

    await bus.open()
    await bus.close()

    assert [(entry["event"], entry["error"]) for entry in logs] == [
        ("bus.away", "AuthenticationError")
    ]
    assert "ong-secret" not in str(logs)


async def test_a_server_that_repeats_the_password_does_not_get_it_into_the_logs(
    logs: Logs,
) -> None:
    async def repeat(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = (await reader.readuntil(b"secret")).split()[-1].decode()
        writer.write(f"-ERR unknown command 'AUTH', with args beginning with: {asked}\r\n".encode())
        await writer.drain()
        await reader.read()
        writer.close()

    async with await asyncio.start_server(repeat, "127.0.0.1", 0) as listener:
        port = listener.sockets[0].getsockname()[1]
        bus = RedisBus(f"redis://:secret@127.0.0.1:{port}/0", clock=SystemClock(), node="n_1")
        await bus.open()
        await bus.close()

    assert logs[0]["reason"] == "unknown command 'AUTH', with args beginning with: ***"


def test_what_is_no_url_of_a_redis_is_refused_at_once() -> None:
    with pytest.raises(BadRedis, match="REDIS_URL"):
        RedisBus("http://localhost", clock=SystemClock(), node="n_1")
