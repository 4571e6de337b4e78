import asyncio
from pathlib import Path

import pytest

from server.store import sole
from server.store.connecting import BadDatabase, connect_postgres, parse_url
from server.store.sole import hold_file, hold_server
from tests.conftest import run_sql


async def test_a_file_is_held_until_it_is_released(tmp_path: Path) -> None:
    hold = await hold_file(tmp_path / "race.db")
    with pytest.raises(BadDatabase, match="another server"):
        await hold_file(tmp_path / "race.db")

    await hold.release()

    await (await hold_file(tmp_path / "race.db")).release()


async def test_two_files_of_one_folder_are_held_apart(tmp_path: Path) -> None:
    first = await hold_file(tmp_path / "a.db")
    second = await hold_file(tmp_path / "b.db")
    await first.release()
    await second.release()


async def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadDatabase, match="DATABASE_URL"):
        await hold_file(tmp_path / "nowhere" / "race.db")


async def test_who_comes_while_a_killed_servers_connection_lingers_waits_for_it(
    postgres_url: str,
) -> None:
    url = parse_url(postgres_url)
    lingering = await connect_postgres(url)
    await lingering.execute(f"SELECT pg_advisory_lock({sole.POSTGRES_KEY})")

    coming = asyncio.create_task(hold_server(url))
    waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    async with asyncio.timeout(sole.WAIT_S):
        while await lingering.fetchval(waiting) == 0:  # noqa: ASYNC110 — the fact is in the server
            await asyncio.sleep(0)  # each round asks the server
    lingering.terminate()

    await (await coming).release()
    await run_sql(postgres_url, f"SELECT pg_advisory_lock({sole.POSTGRES_KEY})")
