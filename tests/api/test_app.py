import asyncio
from typing import Any

import pytest

from tests.api.driver import Api, serving

PROVEN_WITHIN_S = 60


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/api",
        "/api/v1",
        "/api/v2/rooms",
        "/rooms/",
        "/rooms/x/y/z",
        "/rooms/a%2Fb",
        "/dailies",
        "/leaderboard",
        "/boards/wins",
    ],
)
async def test_a_path_that_is_not_there_is_a_problem(sqlite_api: Api, path: str) -> None:
    problem = await sqlite_api.refused("not_found", "GET", path)

    assert "/openapi.json" in problem["detail"]


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/rooms", {"GET", "HEAD", "POST"}),
        ("PUT", "/players/me", {"GET", "HEAD", "PATCH", "DELETE"}),
        ("GET", "/rooms/x/join", {"POST"}),
        ("OPTIONS", "/limits", {"GET", "HEAD"}),
    ],
)
async def test_a_wrong_method_is_told_the_right_ones(
    sqlite_api: Api, method: str, path: str, allowed: set[str]
) -> None:
    response = await sqlite_api.send(method, path)

    assert response.status_code == 405
    assert response.json()["code"] == "method_not_allowed"
    assert set(response.headers["allow"].split(", ")) == allowed


async def test_head_answers_like_get_without_a_body(sqlite_api: Api) -> None:
    response = await sqlite_api.client.head("/api/v1/limits")

    assert (response.status_code, response.content) == (200, b"")


async def when_proven(api: Api, method: str, path: str, **request: Any) -> Any:
    """Ask until the server has proven a deal for the answer."""
    async with asyncio.timeout(PROVEN_WITHIN_S):
        while (answer := await api.send(method, path, **request)).status_code == 503:
            assert "retry-after" in answer.headers
            await asyncio.sleep(0.1)
    assert answer.is_success, answer.text
    return answer.json()


async def test_a_server_with_a_solver_plans_dailies_and_opens_winnable_rooms(
    database_url: str,
) -> None:
    async with serving(database_url, solver_processes=1, winnable_stock=1) as api:
        ana = await api.register()

        daily = await when_proven(ana, "GET", "/daily")
        wish = {"winnable": True, "sealed": True, "ranked": True}
        room = await when_proven(ana, "POST", "/rooms", json=wish)

    assert (daily["kind"], daily["sealed"], daily["code"]) == ("daily", True, None)
    assert (room["state"], room["sealed"], room["code"]) == ("open", True, None)
