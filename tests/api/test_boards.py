"""Leaderboards over the real server; what is on them is held against raw games in tests/store."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest

from server.api.cursors import write_cursor
from server.clock import ManualClock
from server.race.boards import BOARDS
from server.race.instants import instant
from server.store.counting import Counting
from server.store.database import Database
from tests.api.driver import Api, Player, serving
from tests.store.builders import register
from tests.store.finished import NOON, Finished, Result, keep, somebody

WINS = [3, 1, 2, 2, 5]
PEOPLE = [somebody(number) for number in range(len(WINS))]
LOSER = somebody(99)
RANKED = [(1, 4, 5), (2, 0, 3), (3, 2, 2), (3, 3, 2), (5, 1, 1)]
"""Rank, number and wins of the people, the best first."""


@asynccontextmanager
async def a_league(database_url: str, *more: Finished) -> AsyncIterator[Api]:
    """Serve a database in which everyone has won as often as `WINS` says, on one day."""
    races = [
        Finished(f"r_{number}_{win}", [Result(person, won=True, rank=1), Result(LOSER, rank=2)])
        for number, (person, wins) in enumerate(zip(PEOPLE, WINS, strict=True))
        for win in range(wins)
    ]
    database = Database(database_url)
    await database.open()
    try:
        await register(database, *PEOPLE)
        await keep(database, *races, *more)
        kept = Counting(database)
        for room_id in await kept.unsettled():
            assert await kept.settle(room_id)
    finally:
        await database.close()
    async with serving(database_url, clock=ManualClock(NOON)) as api:
        yield api


def played(page: Any) -> list[tuple[int, str, float]]:
    """Rank, player and value of a page's items."""
    return [(item["rank"], item["player"]["id"], item["value"]) for item in page["items"]]


def expected(*places: int) -> set[tuple[int, str, float]]:
    """What is at these places of the board of wins; equal ones may stand in any order."""
    return {
        (rank, PEOPLE[number].id, wins) for rank, number, wins in map(RANKED.__getitem__, places)
    }


def as_player(api: Api, number: int) -> Player:
    person = PEOPLE[number]
    return Player(api.client, f"cr_{person.id}", {"id": person.id})


async def test_the_boards_are_listed_with_what_they_are_kept_for(api: Api) -> None:
    listed = await api.get("/leaderboards")
    first = await api.get("/leaderboards", limit=2)
    second = await api.get("/leaderboards", limit=100, after=first["next"])

    assert [board["board"] for board in listed["items"]] == sorted(BOARDS)
    assert listed["next"] is None
    assert first["items"] + second["items"] == listed["items"]
    [streak] = [board for board in listed["items"] if board["board"] == "streak"]
    assert streak["variants"] == [{"ruleset": "CF1", "draw": 3}]


async def test_a_board_is_read_page_by_page_and_around_oneself(database_url: str) -> None:
    async with a_league(database_url) as api:
        whole = await api.get("/leaderboards/wins")
        first = await api.get("/leaderboards/wins", limit=3)
        second = await api.get("/leaderboards/wins", limit=3, after=first["next"])
        around = await as_player(api, 0).get("/leaderboards/wins", around="me", limit=3)
        onwards = await api.get("/leaderboards/wins", limit=3, after=around["next"])

    assert set(played(whole)) == expected(0, 1, 2, 3, 4)
    assert (whole["board"], whole["period"], whole["next"]) == ("wins", "all", None)
    assert whole["as_of"] == instant(NOON)
    assert whole["items"][0] == {
        "rank": 1,
        "player": {"id": "p_0004", "name": "Human-4", "kind": "human"},
        "value": 5,
        "games": 5,
    }
    assert first["items"] + second["items"] == whole["items"]
    assert second["next"] is None
    assert around["items"] == whole["items"][:3]
    assert onwards["items"] == whole["items"][3:]


async def test_who_is_not_on_a_board_sees_nobody_around_and_needs_a_token(
    database_url: str,
) -> None:
    async with a_league(database_url) as api:
        path = "/leaderboards/winnings"
        nobody = await as_player(api, 0).get(path, around="me")
        await api.refused("unauthorized", "GET", path, params={"around": "me"})
        both = {"around": "me", "after": write_cursor((1, "p_1"))}
        problem = await as_player(api, 0).refused("invalid", "GET", path, params=both)

    assert (nobody["items"], nobody["next"]) == ([], None)
    assert problem["pointer"] == "/around"


async def test_periods_kinds_and_variants_have_lists_of_their_own(database_url: str) -> None:
    bot, rival = somebody(50, "bot"), somebody(51, "bot")
    earlier = NOON - timedelta(days=5)  # of the same week and month, on its Tuesday
    async with a_league(
        database_url,
        Finished("r_a", [Result(PEOPLE[1], won=True), Result(LOSER)], started_at=earlier),
        Finished("r_b", [Result(bot, won=True, took_s=60), Result(rival)]),
        Finished("r_c", [Result(PEOPLE[0], score=-7), Result(LOSER, score=3)], ruleset="CH1"),
    ) as api:

        async def values(board: str, **query: Any) -> dict[str, float]:
            page = await api.get(f"/leaderboards/{board}", **query)
            return {who: value for _, who, value in played(page)}

        one = PEOPLE[1].id
        assert (await values("wins", period="day"))[one] == 1
        assert (await values("wins", period="week"))[one] == 2
        assert (await values("wins", period="month", at="2026-11-01"))[one] == 2
        assert await values("wins", period="day", at="2026-11-24") == {one: 1}
        assert await values("wins", period="day", at="2026-11-30") == {}
        assert await values("wins", kind="bot") == {bot.id: 1}
        assert await values("fastest", kind="bot") == {bot.id: 60_000}
        assert await values("winnings") == {PEOPLE[0].id: -7, LOSER.id: 3}
        assert await values("wins", draw=1) == {}
        ratings = await values("rating")
        profile = await api.get(f"/players/{one}")
        assert [ratings[one]] == [r["rating"] for r in profile["ratings"]]
        page = await api.get("/leaderboards/rating", limit=2)
        rest = await api.get("/leaderboards/rating", after=page["next"])
        assert [v for *_, v in played(page) + played(rest)] == sorted(ratings.values())[::-1]


LIST_OF_WINS = "wins/all/1970-01-01/CF1-D3/human"
LIST_OF_RATINGS = "rating/all/1970-01-01/CF1-D3/human"
"""Lists as cursors name them."""


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("wins?period=year", "/period"),
        ("wins?at=yesterday", "/at"),
        ("wins?at=1969-12-31", "/at"),
        ("wins?at=10000-01-01", "/at"),
        ("wins?at=2027-02-29", "/at"),
        ("wins?draw=2", "/draw"),
        ("wins?ruleset=CH1&draw=1", "/draw"),
        ("streak?ruleset=CH1", "/ruleset"),
        ("streak?draw=1", "/draw"),
        ("winnings?ruleset=CF1", "/ruleset"),
        ("wins?kind=robot", "/kind"),
        ("wins?limit=0", "/limit"),
        ("wins?limit=101", "/limit"),
        ("wins?around=you", "/around"),
        ("wins?after=x", "/after"),
        ("wins?best=1", "/best"),
        (f"wins?after={write_cursor((LIST_OF_WINS, 2**31, 'p_1'))}", "/after"),
        (f"wins?after={write_cursor((LIST_OF_WINS, 1.5, 'p_1'))}", "/after"),
        (f"wins?after={write_cursor((LIST_OF_WINS, 1, 'P 1'))}", "/after"),
        (f"rating?after={write_cursor((LIST_OF_RATINGS, '1', 'p_1'))}", "/after"),
    ],
)
async def test_what_cannot_be_asked_for_is_refused_at_the_parameter(
    sqlite_api: Api, query: str, pointer: str
) -> None:
    problem = await sqlite_api.refused("invalid", "GET", f"/leaderboards/{query}")

    assert problem["pointer"] == pointer


@pytest.mark.parametrize(
    "elsewhere",
    ["placed", "rating", "wins?period=month", "wins?kind=bot", "wins?draw=1", "wins?ruleset=CH1"],
)
async def test_a_cursor_leads_on_in_its_own_list_only(sqlite_api: Api, elsewhere: str) -> None:
    cursor = write_cursor((LIST_OF_WINS, 3, "p_1"))
    await sqlite_api.get("/leaderboards/wins", after=cursor)

    joint = "&" if "?" in elsewhere else "?"
    path = f"/leaderboards/{elsewhere}{joint}after={cursor}"
    problem = await sqlite_api.refused("invalid", "GET", path)

    assert problem["pointer"] == "/after"


async def test_an_unknown_board_is_not_found_and_those_there_are_are_named(
    sqlite_api: Api,
) -> None:
    problem = await sqlite_api.refused("not_found", "GET", "/leaderboards/losses")

    assert all(board in problem["detail"] for board in BOARDS)


@pytest.mark.parametrize("at", ["1970-01-01", "9999-12-31"])
async def test_the_first_and_the_last_day_can_be_asked_for(api: Api, at: str) -> None:
    for period in ("day", "week", "month"):
        page = await api.get("/leaderboards/wins", period=period, at=at)
        assert page["items"] == []


async def test_a_race_is_on_the_boards_when_it_has_finished(api: Api) -> None:
    ana, ben = await api.register(kind="bot"), await api.register(kind="bot")
    room_id = await ana.race(ben, code=None, ruleset="CH1", ranked=True)
    page = await ana.get("/leaderboards/placed", ruleset="CH1", kind="bot", around="me")
    assert page["items"] == []

    await ana.resign(room_id)
    await ben.resign(room_id)

    page = await ana.get("/leaderboards/placed", ruleset="CH1", kind="bot", around="me")
    mine = {ana.id, ben.id}
    assert [(i["value"], i["games"]) for i in page["items"] if i["player"]["id"] in mine] == [
        (1, 1),
        (1, 1),
    ]


async def test_who_leaves_for_good_stays_on_the_boards_without_a_name(database_url: str) -> None:
    async with a_league(database_url) as api:
        before = await api.get("/leaderboards/wins")
        assert (await as_player(api, 4).send("DELETE", "/players/me")).is_success

        after = await api.get("/leaderboards/wins")

    assert after["items"][0]["player"] == {"id": PEOPLE[4].id, "name": "", "kind": "human"}
    assert after["items"][1:] == before["items"][1:]
    assert played(after) == played(before)
