import asyncio

import pytest
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

from server.api.app import ENDPOINTS
from server.api.endpoint import Endpoint
from server.api.problems import STATUS
from server.race.errors import Unavailable
from tests.api.driver import Api, serving

PLACES = {"room": "x", "player": "x", "token": "x", "game": "x", "code": "x"}


@pytest.mark.parametrize(
    "call", [call for call in ENDPOINTS if call.auth == "required"], ids=lambda call: call.name
)
async def test_a_call_that_takes_a_token_is_refused_without_one(
    sqlite_api: Api, call: Endpoint
) -> None:
    response = await sqlite_api.send(call.method, call.path.format(**PLACES))

    assert response.status_code == STATUS["unauthorized"]
    assert response.headers["www-authenticate"] == "Bearer"
    assert "Authorization: Bearer <token>" in response.json()["detail"]


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer nonsense", "Bearer a b", "Basic YTpi", "Bearer \xe9\xe9"]
)
async def test_a_header_that_is_no_valid_token_is_refused(sqlite_api: Api, header: str) -> None:
    headers = {"Authorization": header.encode("latin-1")}
    response = await sqlite_api.send("GET", "/players/me", headers=headers)

    assert response.status_code == STATUS["unauthorized"]
    assert response.headers["www-authenticate"] == "Bearer"
    assert "token" in response.json()["detail"]


async def test_the_scheme_of_a_token_may_be_written_in_any_case(sqlite_api: Api) -> None:
    ana = await sqlite_api.register()

    headers = {"Authorization": f"bEARER  {ana.token}"}
    response = await sqlite_api.send("GET", "/players/me", headers=headers)

    assert response.json() == ana.player


async def test_what_anyone_may_read_is_read_with_a_bad_token_too(sqlite_api: Api) -> None:
    response = await sqlite_api.send("GET", "/rooms", headers={"Authorization": "Bearer gone"})

    assert response.is_success


async def test_calls_are_counted_by_player_whatever_address_they_come_from(
    sqlite_url: str,
) -> None:
    async with serving(sqlite_url, calls_per_minute=60) as api:
        ana, ben = await api.register(), await api.register()
        for _ in range(60):
            await ana.get("/limits")

        response = await ana.send("GET", "/players/me")

        assert response.status_code == STATUS["too_many_requests"]
        assert 1 <= int(response.headers["retry-after"]) <= 61
        assert "60 calls a minute" in response.json()["detail"]
        assert await ben.get("/players/me") == ben.player
        await api.get("/limits")


async def test_calls_without_a_valid_token_are_counted_by_address(sqlite_url: str) -> None:
    async with serving(sqlite_url, calls_per_minute=60) as api:
        ana = await api.register()
        guess = {"Authorization": "Bearer guess"}
        for _ in range(59):
            await api.refused("unauthorized", "GET", "/players/me", headers=guess)

        await api.refused("too_many_requests", "GET", "/players/me", headers=guess)

        await api.refused("too_many_requests", "GET", "/rooms")
        assert await ana.get("/players/me") == ana.player


async def test_a_fault_of_the_server_is_a_problem_too(
    sqlite_api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = await sqlite_api.register()

    def broken(_view: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("server.live.hub.view_room", broken)

    with capture_logs(processors=[merge_contextvars]) as lines:
        problem = await ana.refused("server_fault", "POST", "/rooms")

    [line] = [line for line in lines if line["event"] == "call.failed"]
    assert problem["request_id"] == line["request_id"]
    assert "request_id" in problem["detail"]


async def test_every_answer_has_the_id_that_the_call_came_with_or_one_of_its_own(
    sqlite_api: Api,
) -> None:
    async def answered(path: str, **headers: str) -> str:
        response = await sqlite_api.send("GET", path, headers=headers)
        return str(response.headers["x-request-id"])

    made = {await answered(path) for path in ("/limits", "/limits", "/rooms/x", "/players/me")}

    assert len(made) == 4
    assert await answered("/limits", **{"X-Request-Id": "edge-7"}) == "edge-7"
    assert await answered("/rooms/x", **{"X-Request-Id": "edge-8"}) == "edge-8"
    assert len(await answered("/limits", **{"X-Request-Id": "x" * 65})) == 32


async def test_what_is_not_the_callers_fault_tells_the_id_in_the_problem_too(
    sqlite_api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(_players: object, _token: str) -> None:
        raise Unavailable("away")

    monkeypatch.setattr("server.store.players.Players.identify", away)
    call = ("GET", "/players/me")
    headers = {"Authorization": "Bearer x", "X-Request-Id": "edge-9"}

    problem = await sqlite_api.refused("unavailable", *call, headers=headers)

    assert problem["request_id"] == "edge-9"


async def test_a_caller_who_goes_before_the_body_is_whole_harms_nothing(
    sqlite_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async with serving(sqlite_url) as api:
        address = api.client.base_url
        _, writer = await asyncio.open_connection(address.host, address.port)
        writer.write(b"POST /api/v1/players HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\n{")
        await writer.drain()
        await api.get("/limits")
        writer.close()
        await writer.wait_closed()

        await api.register()

        assert "call.failed" not in capsys.readouterr().err


def test_every_call_has_a_name_of_its_own() -> None:
    names = [endpoint.name for endpoint in ENDPOINTS]

    assert len(set(names)) == len(names)
