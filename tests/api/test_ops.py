from uuid import uuid4

import pytest

from server.api.ops import BusState, Parts
from server.api.reading import MOST_BODY_BYTES
from tests.api.driver import Api, serving
from tests.api.forwarding import forwarding
from tests.conftest import run_sql

READY = {"database": "ready", "journal": "ready", "bus": "none", "server": "ready"}


async def test_limits_are_those_of_the_settings(sqlite_url: str) -> None:
    async with serving(sqlite_url, calls_per_minute=77, frames_burst=33) as api:
        limits = await api.get("/limits")

        assert (limits["calls_per_minute"], limits["socket_frames_burst"]) == (77, 33)
        assert (limits["body_bytes"], limits["moves_per_call"]) == (MOST_BODY_BYTES, 100)


async def test_a_server_with_its_database_is_healthy_and_ready(api: Api) -> None:
    assert await api.get("/healthz") == {"healthy": True}
    assert await api.get("/readyz") == {"ready": True, "parts": READY}


async def test_watching_the_server_is_counted_by_no_rate(sqlite_url: str) -> None:
    async with serving(sqlite_url, calls_per_minute=60) as api:
        for _ in range(100):
            await api.get("/readyz")

        await api.get("/limits")


async def test_without_storage_calls_say_so_and_come_back_with_it(
    postgres_url: str, postgres_template: str
) -> None:
    name = f"away_{uuid4().hex}"
    await run_sql(postgres_url, f"CREATE DATABASE {name} TEMPLATE {postgres_template}")
    async with forwarding(postgres_url, name) as (way, url), serving(url) as api:
        ana = await api.register()
        room_id = await ana.open()
        way.cut()

        not_ready = await api.refused("unavailable", "GET", "/readyz")
        for method, path in (("POST", "/rooms"), ("POST", f"/rooms/{room_id}/join")):
            await ana.refused("unavailable", method, path)
        await api.refused("unavailable", "GET", "/rooms")
        assert not_ready["parts"] == READY | {"database": "away"}
        assert "database is away" in not_ready["detail"]
        assert await api.get("/healthz") == {"healthy": True}

        way.mend()
        assert (await api.get("/readyz"))["ready"]
        assert await ana.get("/players/me") == ana.player
    await run_sql(postgres_url, f"DROP DATABASE {name} WITH (FORCE)")


async def test_a_database_without_its_tables_is_not_ready(
    sqlite_api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_players: object, _token: str) -> None:
        raise LookupError("no such table")

    monkeypatch.setattr("server.store.players.Players.identify", broken)

    problem = await sqlite_api.refused("unavailable", "GET", "/readyz")

    assert problem["parts"] == READY | {"database": "away"}


async def test_a_journal_that_takes_no_more_moves_is_not_ready_until_it_does(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(sqlite_url) as api:
        monkeypatch.setattr("server.store.journal.MOST_WAITING", 0)
        problem = await api.refused("unavailable", "GET", "/readyz")
        monkeypatch.undo()
        ready = await api.get("/readyz")

    assert problem["parts"] == READY | {"journal": "full"}
    assert problem["detail"] == "not ready: journal is full; ask again in a moment"
    assert ready == {"ready": True, "parts": READY}


async def test_a_server_that_stops_is_not_ready(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(sqlite_url) as api:
        monkeypatch.setattr("server.live.tasks.Tasks.closed", True)
        problem = await api.refused("unavailable", "GET", "/readyz")

    assert problem["parts"] == READY | {"server": "stopping"}


async def test_a_bus_that_is_away_is_named_and_leaves_the_server_ready(
    sqlite_url: str,
) -> None:
    async with serving(sqlite_url, redis_url="redis://127.0.0.1:1") as api:
        assert await api.get("/readyz") == {"ready": True, "parts": READY | {"bus": "away"}}


@pytest.mark.parametrize("bus", ["ready", "away", "none"])
def test_races_go_on_without_a_bus(bus: BusState) -> None:
    parts = Parts(database="ready", journal="ready", bus=bus, server="ready")

    assert parts.missing == []


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics", "/openapi.json"])
async def test_what_is_served_beside_the_calls_is_only_read(sqlite_api: Api, path: str) -> None:
    await sqlite_api.refused("method_not_allowed", "POST", path)
