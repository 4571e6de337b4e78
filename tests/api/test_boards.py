"""Leaderboards over the real server; what is on them is held against raw games in tests/store."""

from server.race.boards import BOARDS
from tests.api.driver import Api


async def test_the_boards_are_listed_with_what_they_are_kept_for(api: Api) -> None:
    listed = await api.get("/leaderboards")

    assert [board["board"] for board in listed["items"]] == sorted(BOARDS)
    assert listed["next"] is None
