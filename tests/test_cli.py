import asyncio
import os
import sys
from pathlib import Path

import pytest

from server.settings import Settings, variable_of
from server.store.database import Database
from server.store.sole import Hold
from tests.store.builders import rows
from tests.store.finished import Finished, Result, keep, somebody

ANSWERS_WITHIN_S = 30


async def run(*arguments: str, **environment: str) -> tuple[int, str, str]:
    """Run `canfield-race` to its end; gives its exit code and what it printed."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith("RACE_")}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "server", *arguments),
        env=bare | {"COLUMNS": "200", **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(ANSWERS_WITHIN_S):
        out, err = await process.communicate()
    return process.returncode or 0, out.decode(), err.decode()


async def test_migrate_makes_the_tables_and_may_be_said_again(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/race.db"
    assert await run("migrate", DATABASE_URL=url) == (0, "", "")
    assert await run("migrate", DATABASE_URL=url) == (0, "", "")
    assert (tmp_path / "race.db").stat().st_size > 0


async def test_migrate_to_base_takes_the_tables_away(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/race.db"
    await run("migrate", DATABASE_URL=url)
    assert await run("migrate", "--to", "base", DATABASE_URL=url) == (0, "", "")
    code, _, said = await run("serve", DATABASE_URL=url)
    assert code == 1
    assert "canfield-race migrate" in said


@pytest.mark.parametrize(
    ("environment", "mending"),
    [
        ({"RACE_FRAMES_PER_S": "many"}, "RACE_FRAMES_PER_S"),
        ({"RACE_HELLO_WITHIN_S": "0"}, "RACE_HELLO_WITHIN_S"),
        ({"RACE_FRAMES": "7"}, "RACE_FRAMES_PER_S"),
        ({"DATABASE_URL": "mysql://here/there"}, "sqlite or postgresql"),
        ({"DATABASE_URL": "sqlite://"}, "race.db"),
        ({"REDIS_URL": "redis://here:many"}, "REDIS_URL"),
        ({"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}, "127.0.0.1"),
    ],
)
async def test_what_cannot_be_is_said_in_one_line_that_names_it(
    environment: dict[str, str], mending: str
) -> None:
    code, out, said = await run("serve", "--port", "0", **environment)
    assert (code, out) == (1, "")
    assert mending in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("environment", "mending"),
    [
        ({}, ["PostgreSQL", "DATABASE_URL=postgresql://", "REDIS_URL=redis://"]),
        ({"REDIS_URL": "redis://127.0.0.1:1"}, ["PostgreSQL", "DATABASE_URL=postgresql://"]),
        ({"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}, ["REDIS_URL=redis://"]),
    ],
)
async def test_several_workers_without_what_they_share_are_refused_in_one_line(
    tmp_path: Path, environment: dict[str, str], mending: list[str]
) -> None:
    given = {"DATABASE_URL": f"sqlite:///{tmp_path}/race.db"} | environment
    code, out, said = await run("serve", "--port", "0", "--workers", "2", **given)
    assert (code, out) == (1, "")
    assert said.startswith("canfield-race: --workers 2 needs ")
    assert [text for text in mending if text not in said] == []
    assert said.count("\n") == 1
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("workers", ["0", "65", "many"])
async def test_a_number_of_workers_that_cannot_be_is_refused(workers: str) -> None:
    code, out, said = await run("serve", "--workers", workers)
    assert (code, out) == (2, "")
    assert "--workers" in said


async def test_a_database_without_tables_is_refused_with_what_to_do(tmp_path: Path) -> None:
    code, _, said = await run("serve", DATABASE_URL=f"sqlite:///{tmp_path}/race.db")
    assert code == 1
    assert "canfield-race migrate" in said


async def test_restored_begins_a_new_epoch(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/race.db"
    await run("migrate", DATABASE_URL=url)

    assert await epochs(url) == 1
    code, out, _ = await run("restored", DATABASE_URL=url)

    assert (code, await epochs(url)) == (0, 2)
    assert out.startswith("the epoch ")


async def epochs(url: str) -> int:
    database = Database(url)
    await database.open()
    try:
        [(count,)] = await rows(database, "SELECT count(DISTINCT name) FROM epochs")
    finally:
        await database.close()
    return int(str(count))


async def test_recount_counts_what_has_finished(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/race.db"
    await run("migrate", DATABASE_URL=url)
    database = Database(url)
    await database.open()
    await keep(database, Finished("r_1", [Result(somebody(1), won=True), Result(somebody(2))]))
    await database.close()

    assert await run("recount", DATABASE_URL=url) == (0, "1 finished rooms have been counted\n", "")

    await database.open()
    totals = await rows(database, "SELECT wins FROM player_totals WHERE period = 'all'")
    await database.close()
    assert sorted(totals) == [(0,), (1,)]


async def test_serve_help_lists_every_setting() -> None:
    code, out, _ = await run("serve", "--help")
    assert code == 0
    for field in Settings.__struct_fields__:
        assert variable_of(field) in out


async def test_healthcheck_of_a_server_that_is_not_there_fails() -> None:
    code, _, said = await run("healthcheck", "--url", "http://127.0.0.1:1")
    assert code == 1
    assert "http://127.0.0.1:1" in said


# Dailies


async def test_days_are_planned_shown_and_replaced(sqlite_url: str) -> None:
    code, planned, said = await run("daily", "plan", "--days", "2", DATABASE_URL=sqlite_url)
    assert (code, said, planned.count("\n")) == (0, "", 2)
    tomorrow, _, _, old, *_ = planned.splitlines()[1].split()

    code, replaced, said = await run("daily", "replace", tomorrow, DATABASE_URL=sqlite_url)
    assert (code, said) == (0, "")
    options = ("--day", tomorrow, "--reveal")
    code, shown, said = await run("daily", "show", *options, DATABASE_URL=sqlite_url)
    assert (code, said) == (0, "")

    assert old in replaced
    assert old not in shown
    assert replaced.splitlines()[1] in shown
    assert "CF1-D3-" in shown
    assert "CF1-D3-" not in planned + replaced


@pytest.mark.parametrize(
    ("arguments", "mending"),
    [
        (("replace", "2026-02-30"), "write it as 2026-12-24"),
        (("show", "--day", "24.12.2026"), "write it as 2026-12-24"),
        (("replace", "2026-11-01"), "canfield-race daily plan"),
    ],
)
async def test_a_day_that_cannot_be_is_refused_in_one_line(
    sqlite_url: str, arguments: tuple[str, ...], mending: str
) -> None:
    code, out, said = await run("daily", *arguments, DATABASE_URL=sqlite_url)

    assert (code, out, said.count("\n")) == (1, "", 1)
    assert mending in said


@pytest.mark.parametrize(
    ("url", "mending"),
    [
        ("sqlite:///{}/held.db", "stop the other first"),
        ("sqlite:///{}/none.db", "canfield-race migrate"),
        ("postgresql://nobody@127.0.0.1:1/none", "Check DATABASE_URL"),
    ],
)
async def test_dailies_of_a_database_that_cannot_be_used_are_refused_in_one_line(
    tmp_path: Path, url: str, mending: str
) -> None:
    held = Hold(tmp_path / "held.db")
    try:
        code, out, said = await run("daily", "plan", DATABASE_URL=url.format(tmp_path))
    finally:
        held.release()

    assert (code, out, said.count("\n")) == (1, "", 1)
    assert mending in said
