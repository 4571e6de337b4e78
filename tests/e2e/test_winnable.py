"""A server with its solver: its dailies, its winnable rooms, and how both processes end."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from server.game import GameCode
from server.live.winnable import solver_process
from server.live.winnable.planner import DAYS_AHEAD
from server.store.proofs import read_proof
from tests.bench.machine import family
from tests.clients.server_process import ServerProcess

PATIENCE_S = 60

VARIANTS: list[dict[str, Any]] = [
    {"draw": 3},
    {"draw": 1, "sealed": True},
    {"ruleset": "CH1"},
]


@asynccontextmanager
async def a_server_with_a_solver(folder: Path) -> AsyncIterator[ServerProcess]:
    """A server on an empty database of its own, with one solver process."""
    server = ServerProcess(folder, RACE_SOLVER_PROCESSES="1", RACE_WINNABLE_STOCK="1")
    try:
        await server.start()
        yield server
    finally:
        await server.kill()


async def answered(http: httpx2.AsyncClient, method: str, path: str, **request: Any) -> Any:
    """Call again as long as the server says that it is not ready yet; gives what it then shows."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            answer = await http.request(method, path, **request)
            if answer.status_code != httpx2.codes.SERVICE_UNAVAILABLE:
                assert answer.is_success, answer.text
                return answer.json()
            assert int(answer.headers["Retry-After"]) > 0
            await asyncio.sleep(0.2)


async def until(fact: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not fact():  # noqa: ASYNC110 — what other processes do has no event here
            await asyncio.sleep(0.05)


def proven(folder: Path, room_id: str) -> bool:
    """Whether a room's deal is won by the line that is kept with it, behind the server's back."""
    query = "SELECT code, line, positions FROM rooms JOIN proofs ON room_id = rooms.id WHERE id = ?"
    with sqlite3.connect(folder / "race.db") as connection:
        code, line, positions = connection.execute(query, (room_id,)).fetchone()
    connection.close()
    return read_proof(line, positions).holds_for(GameCode.parse(code))


def planned(folder: Path) -> list[str]:
    """The rooms of the days that have a daily, in the days' order."""
    with sqlite3.connect(folder / "race.db") as connection:
        found = connection.execute("SELECT room_id FROM dailies ORDER BY day").fetchall()
    connection.close()
    return [room_id for (room_id,) in found]


def solvers_of(server: ServerProcess) -> set[int]:
    """The solver processes of a running server."""
    return {pid for pid in family(server.pid) if is_solver(pid)}


def is_solver(pid: int) -> bool:
    """Whether a process is there, and is a solver; what has ended has no command any more."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
    return solver_process.__name__.encode() in command


@pytest.mark.timeout(240)
async def test_a_server_plans_dailies_and_deals_winnable_rooms_by_itself_and_stops_clean(
    tmp_path: Path,
) -> None:
    async with (
        a_server_with_a_solver(tmp_path) as server,
        httpx2.AsyncClient(base_url=f"{server.url}/api/v1", trust_env=False, timeout=60) as http,
    ):
        today = await answered(http, "GET", "/daily")
        assert (today["state"], today["sealed"], today["code"]) == ("racing", True, None)
        await until(lambda: len(planned(tmp_path)) == DAYS_AHEAD + 1)
        player = await answered(http, "POST", "/players", json={"name": "Ana"})
        http.headers["Authorization"] = f"Bearer {player['token']}"
        rooms = [
            await answered(http, "POST", "/rooms", json={"winnable": True, **wish})
            for wish in VARIANTS
        ]

        shown = [(room["ruleset"], room["draw"], room["sealed"], room["ranked"]) for room in rooms]
        assert shown == [("CF1", 3, False, True), ("CF1", 1, True, True), ("CH1", 3, False, True)]
        for room_id in (*planned(tmp_path), *(room["id"] for room in rooms)):
            assert proven(tmp_path, room_id)
        solvers = solvers_of(server)
        assert solvers
        assert await server.stop() == 0
        assert not [pid for pid in solvers if is_solver(pid)]
        assert "Traceback" not in server.log


@pytest.mark.timeout(120)
async def test_the_solver_of_a_server_that_was_killed_ends_by_itself(tmp_path: Path) -> None:
    async with a_server_with_a_solver(tmp_path) as server:
        await until(lambda: solvers_of(server))
        solvers = solvers_of(server)

        await server.kill()

        await until(lambda: not [pid for pid in solvers if is_solver(pid)])
