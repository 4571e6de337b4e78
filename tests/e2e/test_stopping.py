"""A server that is told to stop while hundreds play and watch: nothing acknowledged is lost."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from uuid import uuid4

import asyncpg
import httpx2
import msgspec
import pytest
from sqlalchemy import make_url
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from server.store.database import Database
from tests.api.forwarding import Forwarder, forwarding
from tests.clients.server_process import LOCAL, ServerProcess
from tests.conftest import run_sql
from tests.store.builders import ON_POSTGRESQL, rows

RESTARTING = 1012
STOPS_WITHIN_S = 10
PATIENCE_S = 60
WATCHERS = 200
WHILE_IT_WAITS_S = 0.3
NAMES = ("Ana", "Bo", "Cy", "Di")


class Socket:
    """A live socket that takes note of what it is sent.

    Attributes:
        acknowledged: the plies that were.
    """

    def __init__(self, connection: ClientConnection) -> None:
        self.acknowledged: list[int] = []
        self._connection = connection

    async def send(self, **frame: object) -> None:
        await self._connection.send(msgspec.json.encode(frame).decode())

    async def hear(self, kind: str) -> None:
        """Read until a frame of this kind has come."""
        while await self._next() != kind:
            pass

    async def play(self) -> int | None:
        """Draw and undo that, each once the one before is acknowledged; gives the close code."""
        with suppress(ConnectionClosed):
            while True:
                ply = len(self.acknowledged)
                await self.send(type="move", ply=ply, move="u" if ply % 2 else "d")
                await self.hear("ack")
        return await self.close_code()

    async def close_code(self) -> int | None:
        """Read until the server has closed the socket; gives the code it closed it with."""
        with suppress(ConnectionClosed):
            while True:
                await self._next()
        return self._connection.close_code

    async def _next(self) -> str:
        frame = msgspec.json.decode(await self._connection.recv())
        if frame["type"] == "ack":
            self.acknowledged.append(frame["ply"])
        return str(frame["type"])


@asynccontextmanager
async def live(url: str, room_id: str, token: str | None = None) -> AsyncIterator[Socket]:
    """A live socket that has been welcomed."""
    address = f"{url.replace('http', 'ws')}/api/v1/rooms/{room_id}/live"
    async with connect(address, close_timeout=1) as connection:
        one = Socket(connection)
        await one.send(type="hello", **({"token": token} if token else {}))
        await one.hear("welcome")
        yield one


@asynccontextmanager
async def served(
    folder: Path, database_url: str, *, redis_url: str = ""
) -> AsyncIterator[ServerProcess]:
    """A server for players in a hurry."""
    server = ServerProcess(
        folder,
        database_url,
        REDIS_URL=redis_url,
        RACE_FRAMES_PER_S="100000",
        RACE_FRAMES_BURST="100000",
    )
    await server.start()
    try:
        yield server
    finally:
        await server.kill()


@asynccontextmanager
async def a_race(url: str, *, players: int) -> AsyncIterator[tuple[str, list[Socket]]]:
    """A race that has begun: its room, and the sockets of its players."""
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(
            httpx2.AsyncClient(base_url=f"{url}/api/v1", trust_env=False, timeout=PATIENCE_S)
        )
        tokens = [
            (await http.post("/players", json={"name": name})).json()["token"]
            for name in NAMES[:players]
        ]
        headers = [{"Authorization": f"Bearer {token}"} for token in tokens]
        wishes = {"code": "CF1-D3-AAAAACL", "countdown_s": 0, "seats": players}
        room = (await http.post("/rooms", json=wishes, headers=headers[0])).json()["id"]
        for theirs in headers:
            (await http.post(f"/rooms/{room}/join", headers=theirs)).raise_for_status()
        sockets = [await stack.enter_async_context(live(url, room, token)) for token in tokens]
        (await http.post(f"/rooms/{room}/start", headers=headers[0])).raise_for_status()
        for one in sockets:
            await one.hear("game")
        yield room, sockets


async def stopped(server: ServerProcess) -> int | None:
    """Stop a server within the time that is promised; gives its exit code."""
    async with asyncio.timeout(STOPS_WITHIN_S):
        return await server.stop()


async def until(fact: Callable[[], Awaitable[bool]]) -> None:
    """Wait for a fact of another process."""
    async with asyncio.timeout(PATIENCE_S):
        while not await fact():  # noqa: ASYNC110 — the fact is in another process
            await asyncio.sleep(0.01)


async def plies_kept(url: str) -> dict[str, int]:
    """How many moves of each player are on disk, by name."""
    database = Database(url)
    await database.open()
    try:
        query = (
            "SELECT players.name, count(actions.ply) FROM games "
            "JOIN players ON players.id = games.player_id "
            "LEFT JOIN actions ON actions.game_id = games.id GROUP BY players.name"
        )
        return dict(await rows(database, query))
    finally:
        await database.close()


class Line(Forwarder):
    """A line to a database on which nothing moves any more once `flows` is cleared."""

    def __init__(self, server: str) -> None:
        super().__init__(server)
        self.flows = asyncio.Event()
        self.flows.set()

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        behind_reader, behind_writer = await self._connect()
        with suppress(OSError):
            await asyncio.gather(
                self._pass_on(reader, behind_writer), self._pass_on(behind_reader, writer)
            )

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            await self.flows.wait()
            writer.write(data)
        writer.close()
        await writer.wait_closed()


@asynccontextmanager
async def a_line(server: str, name: str) -> AsyncIterator[tuple[Line, str]]:
    """A line to one of a server's databases; gives it, and the URL that leads through it."""
    line = Line(server)
    listener = await asyncio.start_server(line.take, LOCAL, 0)
    port = listener.sockets[0].getsockname()[1]
    url = make_url(server).set(host=LOCAL, port=port, database=name, query={})
    async with listener:
        yield line, url.render_as_string(hide_password=False)
        line.flows.set()


def port_of(url: str) -> int:
    return int(url.rpartition(":")[2])


def a_deaf_socket(url: str, room_id: str) -> socket.socket:
    """A live socket whose client reads nothing, not even the answer to its opening."""
    deaf = socket.create_connection((LOCAL, port_of(url)))
    deaf.sendall(
        f"GET /api/v1/rooms/{room_id}/live HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    return deaf


@pytest.mark.timeout(300)
async def test_under_load_every_socket_is_told_and_every_acknowledged_move_is_on_disk(
    database_url: str, tmp_path: Path
) -> None:
    async with (
        served(tmp_path, database_url) as server,
        a_race(server.url, players=4) as (room, players),
        AsyncExitStack() as stack,
    ):
        watchers = [
            await stack.enter_async_context(live(server.url, room)) for _ in range(WATCHERS)
        ]
        stack.callback(a_deaf_socket(server.url, room).close)
        watching = [asyncio.create_task(watcher.close_code()) for watcher in watchers]
        playing = [asyncio.create_task(player.play()) for player in players]

        async def all_play() -> bool:
            return min(len(player.acknowledged) for player in players) >= 10

        await until(all_play)

        assert await stopped(server) == 0

        assert "Traceback" not in server.log
        async with asyncio.timeout(PATIENCE_S):
            assert set(await asyncio.gather(*watching, *playing)) == {RESTARTING}
        kept = await plies_kept(database_url)
        for name, player in zip(NAMES, players, strict=True):
            acknowledged = len(player.acknowledged)
            assert player.acknowledged == list(range(acknowledged))
            assert acknowledged <= kept[name] <= acknowledged + 1


@ON_POSTGRESQL
async def test_moves_on_their_way_to_disk_are_acknowledged_before_the_socket_is_closed(
    database_url: str, tmp_path: Path
) -> None:
    async with (
        served(tmp_path, database_url) as server,
        a_race(server.url, players=1) as (_, [player]),
    ):
        holder, asker = [await asyncpg.connect(database_url) for _ in range(2)]

        async def somebody_waits() -> bool:
            waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
            return bool(await asker.fetchval(waiting))

        async def takes_no_calls() -> bool:
            try:
                _, writer = await asyncio.open_connection(LOCAL, port_of(server.url))
            except OSError:
                return True
            writer.close()
            await writer.wait_closed()
            return False

        async with holder.transaction():
            await holder.execute("SELECT FROM games FOR UPDATE")
            await player.send(type="move", ply=0, move="d")
            await until(somebody_waits)
            server.sigterm()
            await until(takes_no_calls)
            closing = asyncio.create_task(player.close_code())
            await asyncio.wait([closing], timeout=WHILE_IT_WAITS_S)
            assert not closing.done()

        assert await asyncio.wait_for(closing, PATIENCE_S) == RESTARTING
        assert player.acknowledged == [0]
        assert await stopped(server) == 0
        await holder.close()
        await asker.close()
        assert await plies_kept(database_url) == {"Ana": 1}


@pytest.fixture
async def database_name(postgres_url: str, postgres_template: str) -> AsyncIterator[str]:
    name = f"test_{uuid4().hex}"
    await run_sql(postgres_url, f"CREATE DATABASE {name} TEMPLATE {postgres_template}")
    yield name
    await run_sql(postgres_url, f"DROP DATABASE {name} WITH (FORCE)")


async def test_a_database_that_is_gone_keeps_nobody_from_stopping(
    postgres_url: str, database_name: str, tmp_path: Path
) -> None:
    async with (
        forwarding(postgres_url, database_name) as (forwarder, url),
        served(tmp_path, url) as server,
        a_race(server.url, players=1) as (_, [player]),
    ):
        forwarder.cut()
        await player.send(type="move", ply=0, move="d")

        assert await stopped(server) == 0

        assert await asyncio.wait_for(player.close_code(), PATIENCE_S) == RESTARTING
        assert player.acknowledged == []


async def test_a_database_that_hangs_keeps_nobody_from_stopping(
    postgres_url: str, database_name: str, tmp_path: Path
) -> None:
    async with (
        a_line(postgres_url, database_name) as (line, url),
        served(tmp_path, url) as server,
        a_race(server.url, players=1) as (_, [player]),
    ):
        line.flows.clear()
        await player.send(type="move", ply=0, move="d")

        assert await stopped(server) == 0

        assert await asyncio.wait_for(player.close_code(), PATIENCE_S) == RESTARTING
        assert player.acknowledged == []


async def test_a_redis_that_hangs_keeps_nobody_from_stopping(
    sqlite_url: str, tmp_path: Path
) -> None:
    def say_nothing(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        silent.append(writer)

    silent: list[asyncio.StreamWriter] = []
    async with await asyncio.start_server(say_nothing, LOCAL, 0) as listener:
        redis_url = f"redis://{LOCAL}:{listener.sockets[0].getsockname()[1]}/0"
        async with (
            served(tmp_path, sqlite_url, redis_url=redis_url) as server,
            a_race(server.url, players=1) as (_, [player]),
        ):
            await player.send(type="move", ply=0, move="d")
            await player.hear("ack")

            assert await stopped(server) == 0

            assert await asyncio.wait_for(player.close_code(), PATIENCE_S) == RESTARTING
        assert silent
        for writer in silent:
            writer.close()
            await writer.wait_closed()
