import asyncio
import json
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from uuid import uuid4

import httpx2
import pytest
from prometheus_client.parser import text_string_to_metric_families

from server.api import metrics as exposition
from server.metrics import SHARED_FOLDER
from server.store.census import take_census
from tests.api.driver import Api, Player, serving
from tests.api.forwarding import forwarding
from tests.api.listening import listening
from tests.conftest import run_sql, with_database

PATIENCE_S = 30

NAMES = """
counter canfield_bus_dropped_hints
counter canfield_bus_gaps
counter canfield_http_requests{method,route,status}
counter canfield_journal_unwritten_plays{outcome}
counter canfield_made_up{what}
counter canfield_moves{outcome}
counter canfield_outbox_overflows
counter canfield_resumes{recovered}
counter canfield_room_events{event}
counter canfield_sockets_closed{code}
counter canfield_standings_sent
counter canfield_task_failures
gauge canfield_build_info{python,version}
gauge canfield_bus_up
gauge canfield_database_up
gauge canfield_games{state}
gauge canfield_journal_queue_plays
gauge canfield_rooms{state}
gauge canfield_sockets{role}
histogram canfield_bus_lag_seconds
histogram canfield_event_loop_lag_seconds
histogram canfield_http_request_seconds{method,route}
histogram canfield_journal_batch_plays
histogram canfield_journal_commit_seconds
histogram canfield_move_ack_seconds
"""
"""Dashboards and alarms of people we do not know are built on these: they stay as they are."""

Numbers = dict[str, float]


def families(text: str) -> list[str]:
    """Name every family of numbers, its type and its labels."""
    named = []
    for family in text_string_to_metric_families(text):
        assert family.documentation, family.name
        labels = sorted({label for one in family.samples for label in one.labels} - {"le"})
        within = "{" + ",".join(labels) + "}" if labels else ""
        named.append(f"{family.type} {family.name}{within}")
    return sorted(named)


def numbers_in(text: str) -> Numbers:
    """Give every sample by its name and the values of its labels."""
    return {
        " ".join([one.name, *(one.labels[label] for label in sorted(one.labels))]): one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
    }


async def numbers(api: Api) -> Numbers:
    return numbers_in((await api.send("GET", "/metrics")).text)


@pytest.fixture
def _never_the_same_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every answer made anew, and the database asked for each."""
    monkeypatch.setattr(exposition, "TEXT_FOR_S", 0)
    monkeypatch.setattr(exposition, "CENSUS_FOR_S", 0)


@pytest.fixture
def numbers_folder(tmp_path: Path) -> Path:
    """A folder for the numbers of several processes, and nothing else."""
    folder = tmp_path / "numbers"
    folder.mkdir()
    return folder


@pytest.mark.usefixtures("_never_the_same_text")
async def test_names_types_and_labels_stay_as_they_are(sqlite_api: Api) -> None:
    await sqlite_api.get("/limits")

    response = await sqlite_api.send("GET", "/metrics")

    assert response.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert families(response.text) == NAMES.split("\n")[1:-1]


def test_every_number_is_explained_to_who_runs_the_server() -> None:
    page = (Path(exposition.__file__).parent / "API.md").read_text()
    table = [line for line in page.splitlines() if line.startswith("| `canfield_")]

    told = {
        (name, ",".join(sorted(labels.split(","))))
        for name, labels in re.findall(r"`(canfield_\w+)(?:\{([a-z,]+)\})?`", "\n".join(table))
    }

    named = re.findall(r"(?m)^(\w+) (\w+)(?:\{(.+)\})?$", NAMES)
    assert told == {
        (f"{name}_total" if kind == "counter" else name, labels) for kind, name, labels in named
    }


@pytest.mark.usefixtures("_never_the_same_text")
async def test_a_race_is_counted_where_it_passes(sqlite_api: Api) -> None:
    ana = await sqlite_api.register()
    before = await numbers(ana)

    room_id = await ana.race()
    await ana.play(room_id, "12", "rf", "24x2")
    async with listening(ana, room_id) as socket:
        await socket.expect("game")
        during = await numbers(ana)
    await ana.refused("not_found", "GET", "/rooms/nowhere")

    after = await numbers(ana)
    for name, more in (
        ("canfield_moves_total ack", 3),
        ("canfield_move_ack_seconds_count", 3),
        ("canfield_journal_batch_plays_sum", 3),
        ("canfield_http_requests_total POST /api/v1/rooms 2xx", 1),
        ("canfield_http_requests_total POST /api/v1/rooms/{room}/moves 2xx", 1),
        ("canfield_http_requests_total GET /api/v1/rooms/{room} 4xx", 1),
        ("canfield_http_request_seconds_count POST /api/v1/rooms/{room}/start", 1),
        ("canfield_rooms racing", 1),
        ("canfield_games racing", 1),
    ):
        assert after[name] - before.get(name, 0) == more, name
    assert during["canfield_database_up"] == 1


@pytest.mark.usefixtures("_never_the_same_text")
async def test_nobody_is_named(sqlite_api: Api) -> None:
    ana = await sqlite_api.register()
    room_id = await ana.race()
    await ana.play(room_id, "12")
    async with listening(ana, room_id) as socket:
        await socket.expect("game")

    text = (await ana.send("GET", "/metrics")).text

    for private in (ana.player["name"], ana.id, str(ana.token), room_id):
        assert private not in text


async def test_whoever_asks_again_at_once_gets_the_same_text_and_asks_the_database_once(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = 0

    async def counting(database: object) -> object:
        nonlocal asked
        asked += 1
        return await take_census(database)  # type: ignore[arg-type]

    monkeypatch.setattr(exposition, "take_census", counting)
    monkeypatch.setattr(exposition, "TEXT_FOR_S", 600)
    monkeypatch.setattr(exposition, "CENSUS_FOR_S", 600)
    async with serving(sqlite_url) as api:
        texts = {
            response.text
            for response in await asyncio.gather(*(api.send("GET", "/metrics") for _ in range(20)))
        }
        await api.register()
        texts.add((await api.send("GET", "/metrics")).text)

    assert (len(texts), asked) == (1, 1)


async def test_watching_is_counted_by_no_rate(sqlite_url: str) -> None:
    async with serving(sqlite_url, calls_per_minute=60) as api:
        for _ in range(100):
            await api.send("GET", "/metrics")

        await api.get("/limits")


@pytest.mark.usefixtures("_never_the_same_text")
async def test_without_the_database_its_numbers_are_left_out_and_the_others_are_told(
    postgres_url: str, postgres_template: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exposition, "CENSUS_WITHIN_S", 0.5)
    name = f"away_{uuid4().hex}"
    await run_sql(postgres_url, f"CREATE DATABASE {name} TEMPLATE {postgres_template}")
    async with forwarding(postgres_url, name) as (way, url), serving(url) as api:
        there = await numbers(api)
        way.cut()
        away = await numbers(api)
        way.mend()
        again = await numbers(api)
    await run_sql(postgres_url, f"DROP DATABASE {name} WITH (FORCE)")

    assert [told["canfield_database_up"] for told in (there, away, again)] == [1, 0, 1]
    assert there.keys() - away.keys() == {
        *(f"canfield_rooms {state}" for state in ("open", "countdown", "racing")),
        "canfield_games racing",
    }
    assert again.keys() == there.keys()


async def test_a_census_with_a_fault_leaves_the_rest_to_be_told(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_database: object) -> None:
        raise LookupError("no such table")

    monkeypatch.setattr(exposition, "take_census", broken)
    async with serving(sqlite_url) as api:
        told = await numbers(api)

    assert told["canfield_database_up"] == 0
    assert "canfield_moves_total ack" in told


A_SERVER = """
import asyncio, json, sys
from server import metrics
from server.api import metrics as exposition
from tests.api.driver import NO_LIMITS
from tests.running import running_server

metrics.SAMPLE_EVERY_S = 0.05
exposition.TEXT_FOR_S = 0

async def main():
    settings = NO_LIMITS | json.loads(sys.argv[2])
    async with running_server(sys.argv[1], **settings) as address:
        print(address, flush=True)
        await asyncio.to_thread(sys.stdin.read)

asyncio.run(main())
"""


@asynccontextmanager
async def a_process(database_url: str, folder: Path, **settings: str) -> AsyncIterator[Api]:
    """Serve by a process of its own, which shares a folder of numbers with others."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", A_SERVER, database_url, json.dumps(settings)),
        env=os.environ | {SHARED_FOLDER: str(folder)},
        cwd=Path(__file__).parents[2],
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        async with asyncio.timeout(PATIENCE_S):
            address = (await process.stdout.readline()).decode().strip()
        async with httpx2.AsyncClient(base_url=address, trust_env=False, timeout=30) as client:
            yield Api(client)
        process.stdin.close()
        async with asyncio.timeout(PATIENCE_S):
            await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def test_two_processes_on_one_database_tell_one_truth_whichever_is_asked(
    postgres_url: str, postgres_template: str, numbers_folder: Path
) -> None:
    name = f"two_{uuid4().hex}"
    await run_sql(postgres_url, f"CREATE DATABASE {name} TEMPLATE {postgres_template}")
    url = with_database(postgres_url, name)
    async with AsyncExitStack() as stack:
        nodes = [await stack.enter_async_context(a_process(url, numbers_folder)) for _ in range(2)]
        for node in nodes:
            await race_a_little(await node.register())
        told = [numbers_in((await node.send("GET", "/metrics")).text) for node in nodes]
    await run_sql(postgres_url, f"DROP DATABASE {name} WITH (FORCE)")

    for each in told:
        assert each["canfield_moves_total ack"] == 4
        assert each["canfield_move_ack_seconds_count"] == 4
        assert each["canfield_http_requests_total POST /api/v1/rooms 2xx"] == 2
        assert each["canfield_rooms racing"] == 2
        assert each["canfield_database_up"] == 1


async def race_a_little(player: Player) -> None:
    await player.play(await player.race(), "12", "rf")


@pytest.mark.parametrize(("redis_url", "up"), [("redis://127.0.0.1:1", 0), ("", 1)])
async def test_open_sockets_and_the_bus_are_shown_as_they_are_by_now(
    sqlite_url: str, numbers_folder: Path, redis_url: str, up: int
) -> None:
    async with a_process(sqlite_url, numbers_folder, redis_url=redis_url) as api:
        ana, ben = await api.register(), await api.register()
        room_id = await ana.open()
        async with (
            listening(ana, room_id),
            listening(ben, room_id),
            listening(api, room_id),
            listening(api, room_id, hello=False),
        ):
            await shown(api, player=1, spectator=2, greeting=1)
            await ben.post(f"/rooms/{room_id}/join")
            await shown(api, player=2, spectator=1, greeting=1)
        await shown(api, player=0, spectator=0, greeting=0)

        assert (await numbers(api))["canfield_bus_up"] == up


async def shown(api: Api, **sockets: int) -> None:
    """Wait until so many sockets are shown, by role."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            told = await numbers(api)
            if all(told[f"canfield_sockets {role}"] == count for role, count in sockets.items()):
                return
            await asyncio.sleep(0.05)
