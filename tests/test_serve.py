import asyncio
import os
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

PATIENCE_S = 30
RESTARTING = 1012


@asynccontextmanager
async def serving(
    database_url: str, *arguments: str
) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """Run `canfield-race serve` on a free port until the block ends; gives it and its address."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "server", "serve", "--port", "0", *arguments),
        env=os.environ | {"DATABASE_URL": database_url, "PYTHONUNBUFFERED": "1"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        yield process, await address_told_by(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def address_told_by(process: asyncio.subprocess.Process) -> str:
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE_S):
        line = (await process.stdout.readline()).decode()
    told = re.search(r"listens on (http://\S+)", line)
    assert told is not None, line
    return told[1]


async def close_code_of(connection: ClientConnection) -> int | None:
    """Read on until the socket is closed; gives the code it was closed with."""
    try:
        while True:
            await connection.recv()
    except ConnectionClosed:
        return connection.close_code


async def test_it_tells_where_it_listens_and_answers_there(database_url: str) -> None:
    async with serving(database_url) as (_, url), httpx2.AsyncClient() as http:
        answer = await http.get(f"{url}/readyz")
        assert (answer.status_code, answer.json()["ready"]) == (200, True)


async def test_healthcheck_succeeds_while_it_serves(sqlite_url: str) -> None:
    async with serving(sqlite_url) as (_, url):
        check = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "server", "healthcheck", "--url", url),
            stdout=asyncio.subprocess.DEVNULL,
        )
        assert await asyncio.wait_for(check.wait(), PATIENCE_S) == 0


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
async def test_a_stop_tells_every_socket_and_ends_by_itself(
    sqlite_url: str, stop: signal.Signals
) -> None:
    async with serving(sqlite_url) as (process, url), httpx2.AsyncClient() as http:
        token = (await http.post(f"{url}/api/v1/players", json={"name": "Ana"})).json()["token"]
        headers = {"Authorization": f"Bearer {token}"}
        room = (await http.post(f"{url}/api/v1/rooms", json={}, headers=headers)).json()
        live = url.replace("http", "ws") + f"/api/v1/rooms/{room['id']}/live"
        async with connect(live) as watching:
            await watching.send('{"type": "hello"}')
            await watching.recv()
            process.send_signal(stop)
            async with asyncio.timeout(PATIENCE_S):
                assert await close_code_of(watching) == RESTARTING
                await process.wait()


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
async def test_to_have_stopped_when_told_to_is_a_success(
    sqlite_url: str, stop: signal.Signals
) -> None:
    async with serving(sqlite_url) as (process, _):
        process.send_signal(stop)

        assert await asyncio.wait_for(process.wait(), PATIENCE_S) == 0


async def test_a_second_server_on_one_sqlite_file_is_refused(sqlite_url: str) -> None:
    async with serving(sqlite_url):
        second = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "server", "serve", "--port", "0"),
            env=os.environ | {"DATABASE_URL": sqlite_url},
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(PATIENCE_S):
            _, said = await second.communicate()
    assert second.returncode == 1
    assert b"another server uses" in said


async def test_a_taken_port_is_said_in_one_line(sqlite_url: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "server", "serve", "--port", str(port)),
            env=os.environ | {"DATABASE_URL": sqlite_url},
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(PATIENCE_S):
            _, said = await process.communicate()
    assert process.returncode == 1
    assert f"port {port}".encode() in said
    assert said.count(b"\n") == 1
