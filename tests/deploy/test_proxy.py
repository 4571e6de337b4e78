"""The proxy's configuration, on a real Caddy: what it passes on, to whom, and what it keeps."""

from __future__ import annotations

import asyncio
import re
import ssl
import subprocess
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from http import HTTPStatus
from pathlib import Path

import httpx2
import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect

from server.api.app import create_app
from server.api.problems import MEDIA_TYPE, TITLE, Problem
from server.api.reading import BODY_WITHIN_S
from server.process import RaceServer
from server.settings import Settings
from tests.deploy.backend import Backend, echoing, two_backends
from tests.deploy.files import CADDYFILE
from tests.deploy.processes import LOCAL, PATIENCE_S, SCRIPTS, Proxy, free_port, proxy_to

ANOTHER_MACHINE = "192.0.2.1/32"
CLAIMED = "203.0.113.7"
NO_LIMIT_OF_A_SOCKET_S = 1


def asking(proxy: Proxy) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(base_url=proxy.url, trust_env=False, timeout=PATIENCE_S)


def problem_of(answer: httpx2.Response) -> Problem:
    assert answer.headers["Content-Type"] == MEDIA_TYPE
    return msgspec.json.decode(answer.content, type=Problem)


def heard(backends: Sequence[Backend]) -> int:
    return sum(len(backend.received) for backend in backends)


def test_the_configuration_is_written_as_its_own_tool_writes_it() -> None:
    formatted = subprocess.run(  # noqa: S603 — the words stand here
        [SCRIPTS / "caddy", "fmt", CADDYFILE], capture_output=True, text=True, check=False
    )

    assert formatted.stdout == CADDYFILE.read_text("utf-8")


def test_it_ends_idle_connections_before_a_server_does() -> None:
    server = RaceServer(create_app(Settings()), on_started=lambda: None)

    assert limit_s(r"keepalive (\d+)s") < server.config.timeout_keep_alive


def test_a_server_answers_who_is_slow_before_the_proxy_gives_up() -> None:
    assert limit_s(r"BODY_WITHIN:(\d+)s") > BODY_WITHIN_S


def limit_s(pattern: str) -> int:
    [limit] = re.findall(pattern, CADDYFILE.read_text("utf-8"))
    return int(limit)


async def test_with_one_server_stopped_every_request_is_answered_by_the_other(
    tmp_path: Path,
) -> None:
    async with (
        two_backends() as (first, second),
        proxy_to(tmp_path, first.address, second.address) as proxy,
        asking(proxy) as http,
    ):
        await first.stop()
        answers = [await http.post("/api/v1/rooms", content=b"{}") for _ in range(10)]

    assert [answer.status_code for answer in answers] == [200] * 10
    assert {answer.text for answer in answers} == {"second"}


async def test_a_server_that_is_back_is_used_again(tmp_path: Path) -> None:
    async with (
        two_backends() as (first, second),
        proxy_to(tmp_path, first.address, second.address) as proxy,
        asking(proxy) as http,
    ):
        await first.stop()
        assert (await http.get("/")).text == "second"
        await first.listen()
        await second.stop()
        async with asyncio.timeout(PATIENCE_S):
            while (await http.get("/")).text != "first":
                pass  # the proxy itself waits between two attempts


async def test_what_a_server_may_have_done_is_not_sent_to_the_other_one(tmp_path: Path) -> None:
    async with (
        two_backends(dying=True) as backends,
        proxy_to(tmp_path, *(backend.address for backend in backends)) as proxy,
        asking(proxy) as http,
    ):
        answer = await http.post("/api/v1/players", content=b'{"name": "Ana"}')

    assert heard(backends) == 1
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "1"


async def test_reading_is_tried_again(tmp_path: Path) -> None:
    async with (
        two_backends(dying=True) as backends,
        proxy_to(tmp_path, *(backend.address for backend in backends)) as proxy,
        asking(proxy) as http,
    ):
        await http.get("/api/v1/limits")

    assert [len(backend.received) >= 1 for backend in backends] == [True, True]


async def test_no_server_at_all_is_told_as_the_contract_has_it(tmp_path: Path) -> None:
    async with (
        proxy_to(tmp_path, f"{LOCAL}:{free_port()}") as proxy,
        asking(proxy) as http,
    ):
        answer = await http.get("/api/v1/limits")

    problem = problem_of(answer)
    assert (answer.status_code, problem.status, problem.code) == (503, 503, "unavailable")
    assert problem.title == TITLE["unavailable"]
    assert answer.headers["Retry-After"] == "1"


@pytest.mark.parametrize(
    "path",
    ["/metrics", "/metrics/", "/METRICS", "//metrics", "/%6detrics", "/x/../metrics", "/metrics?a"],
)
async def test_metrics_are_not_passed_on(tmp_path: Path, path: str) -> None:
    async with (
        two_backends() as backends,
        proxy_to(tmp_path, *(backend.address for backend in backends)) as proxy,
    ):
        answer = await asked_as_it_stands(proxy, path)

    assert b" 404 Not Found\r\n" in answer
    assert heard(backends) == 0


async def asked_as_it_stands(proxy: Proxy, path: str) -> bytes:
    """Ask for a path that a client library would tidy up first."""
    reader, writer = await asyncio.open_connection(LOCAL, proxy.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {LOCAL}\r\nConnection: close\r\n\r\n".encode())
    async with asyncio.timeout(PATIENCE_S):
        answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer


async def test_metrics_are_not_found_as_the_contract_has_it(tmp_path: Path) -> None:
    async with proxy_to(tmp_path, f"{LOCAL}:{free_port()}") as proxy, asking(proxy) as http:
        problem = problem_of(await http.get("/metrics"))

    assert (problem.status, problem.code, problem.title) == (404, "not_found", TITLE["not_found"])


@pytest.mark.parametrize(
    ("outer", "told"), [(ANOTHER_MACHINE, LOCAL), (f"{LOCAL}/32", CLAIMED)],
    ids=["a client's claim is dropped", "an outer proxy's word is taken"],
)  # fmt: skip
async def test_servers_are_told_one_address_the_one_of_who_asks(
    tmp_path: Path, outer: str, told: str
) -> None:
    async with (
        two_backends() as backends,
        proxy_to(tmp_path, *(b.address for b in backends), OUTER_PROXIES=outer) as proxy,
        asking(proxy) as http,
    ):
        await http.get("/", headers={"X-Forwarded-For": f"198.51.100.1, {CLAIMED}"})

    [request] = [request for backend in backends for request in backend.received]
    assert request.headers.get_all("X-Forwarded-For") == [told]


async def test_a_request_that_comes_too_slowly_is_given_up(tmp_path: Path) -> None:
    async with (
        two_backends() as backends,
        proxy_to(tmp_path, *(b.address for b in backends), HEADERS_WITHIN="1s") as proxy,
    ):
        reader, writer = await asyncio.open_connection(LOCAL, proxy.port)
        writer.write(b"GET / HTTP/1.1\r\nHost: ")
        async with asyncio.timeout(PATIENCE_S):
            await reader.read()
        writer.close()
        await writer.wait_closed()

    assert heard(backends) == 0


async def test_who_ends_requests_halfway_has_no_server_left_out(tmp_path: Path) -> None:
    async with (
        two_backends() as backends,
        proxy_to(tmp_path, *(backend.address for backend in backends)) as proxy,
    ):
        for _ in range(10):
            reader, writer = await asyncio.open_connection(LOCAL, proxy.port)
            writer.write(b"POST / HTTP/1.1\r\nHost: there\r\nContent-Length: 9\r\n\r\nhalf")
            writer.write_eof()
            async with asyncio.timeout(PATIENCE_S):
                assert b" 200 " not in await reader.readline()
            writer.close()
            await writer.wait_closed()

        assert set((await proxy.failures()).values()) == {0}


async def test_a_silent_socket_outlives_every_limit_of_a_request(tmp_path: Path) -> None:
    limit = f"{NO_LIMIT_OF_A_SOCKET_S}s"
    async with (
        echoing() as server,
        proxy_to(tmp_path, server, HEADERS_WITHIN=limit, BODY_WITHIN=limit) as proxy,
        live(f"ws://{LOCAL}:{proxy.port}/") as socket,
    ):
        await asyncio.sleep(3 * NO_LIMIT_OF_A_SOCKET_S)  # the silence itself is under test
        assert await said_again(socket, "still here") == "still here"


async def test_new_sockets_go_to_the_server_that_has_few(tmp_path: Path) -> None:
    async with (
        echoing() as first,
        echoing() as second,
        proxy_to(tmp_path, first, second) as proxy,
        AsyncExitStack() as stack,
    ):
        for _ in range(10):
            socket = await stack.enter_async_context(live(f"ws://{LOCAL}:{proxy.port}/"))
            await said_again(socket, "here")
        assert await proxy.under_way() == {first: 5, second: 5}


async def test_a_site_with_a_name_speaks_tls_and_sends_plain_http_there(tmp_path: Path) -> None:
    async with (
        echoing() as server,
        proxy_to(tmp_path, server, SITE="localhost") as proxy,
        asking(proxy) as http,
    ):
        answer = await http.get("/api/v1/limits", headers={"Host": "localhost"})
        assert answer.status_code == HTTPStatus.PERMANENT_REDIRECT
        assert answer.headers["Location"].startswith("https://localhost")
        trusting = ssl.create_default_context(cafile=proxy.authority)
        await until_certified(proxy.tls_port, trusting)
        url = f"wss://localhost:{proxy.tls_port}/"
        async with live(url, ssl=trusting, host=LOCAL) as socket:
            assert await said_again(socket, "here") == "here"


async def until_certified(port: int, trusting: ssl.SSLContext) -> None:
    """Wait until the proxy has made its site's certificate: it listens, and refuses, before."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            with suppress(ssl.SSLError):
                _, writer = await asyncio.open_connection(
                    LOCAL, port, ssl=trusting, server_hostname="localhost"
                )
                writer.close()
                await writer.wait_closed()
                return
            await asyncio.sleep(0.1)


def live(url: str, **options: object) -> connect:
    return connect(url, proxy=None, ping_interval=None, open_timeout=PATIENCE_S, **options)  # type: ignore[arg-type]


async def said_again(socket: ClientConnection, message: str) -> str | bytes:
    await socket.send(message)
    async with asyncio.timeout(PATIENCE_S):
        return await socket.recv()
