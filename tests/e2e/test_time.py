"""A server on a machine whose clock is off goes by the database's."""

from datetime import datetime, timedelta
from pathlib import Path

import asyncpg
import httpx2
import pytest

from tests.clients.server_process import ServerProcess
from tests.store.builders import ON_POSTGRESQL

ERROR = timedelta(seconds=1)  # of the measuring, which other work on this machine may disturb


async def a_rooms_birth(url: str) -> datetime:
    """Open a room, and give the instant that the server stamped on it."""
    async with httpx2.AsyncClient(base_url=f"{url}/api/v1", trust_env=False, timeout=60) as http:
        player = (await http.post("/players", json={"name": "Ana"})).json()
        headers = {"Authorization": f"Bearer {player['token']}"}
        room = (await http.post("/rooms", json={}, headers=headers)).json()
        return datetime.fromisoformat(room["created_at"])


@ON_POSTGRESQL
@pytest.mark.parametrize("skew_s", [-30, 30])
async def test_instants_are_the_databases_whatever_the_machines_clock_says(
    database_url: str, tmp_path: Path, skew_s: int
) -> None:
    server = ServerProcess(tmp_path, database_url, skew_s=skew_s)
    await server.start()
    database = await asyncpg.connect(database_url)
    try:
        before = await database.fetchval("SELECT clock_timestamp()")
        stamped = await a_rooms_birth(server.url)
        after = await database.fetchval("SELECT clock_timestamp()")
    finally:
        await database.close()
        await server.kill()

    assert before - ERROR <= stamped <= after + ERROR
    assert "clock.machine_is_off" in server.log
