import pytest

from tests.api.driver import Api


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
        "/leaderboards",
        "/leaderboards/wins",
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
