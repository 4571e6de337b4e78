"""The daily over the real server: today's, days before and after, and joining by arrival."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date, datetime, timedelta
from typing import Any

import pytest

from server.api.cursors import write_cursor
from server.clock import ManualClock, SystemClock, now
from server.race.daily import DAY, Daily, day_of
from server.race.proof import Proof
from server.store.dailies import Dailies
from server.store.database import Database
from server.store.rooms import Rooms
from tests.api.driver import Api, a_name, serving
from tests.race.builders import a_daily

ISO = "2026-11-29"
OPENS, CLOSES = a_daily().opens_at, a_daily().closes_at
NOON = OPENS + timedelta(hours=12)
MS = timedelta(milliseconds=1)
VERBS: dict[str, Any] = {
    "leave": {},
    "ready": {"ready": True},
    "start": {},
    "cancel": {},
    "kick": {"player": "p_somebody"},
    "rematch": {},
}


def today() -> date:
    return day_of(now(SystemClock()))


async def plan(url: str, *dailies: Daily) -> None:
    """Plan days, as the house does it."""
    database = Database(url)
    await database.open()
    for daily in dailies:
        line = Proof(line=("d", "12"), positions=1)
        await Dailies(database).plan(daily, line, number=0, at=daily.created_at)
    await database.close()


@asynccontextmanager
async def served(url: str, *, at: datetime = NOON) -> AsyncIterator[tuple[Api, ManualClock]]:
    """A server with the day of the tests and the next one planned, and its clock."""
    await plan(url, a_daily(), a_daily(day=CLOSES.date(), room_id="rnext"))
    clock = ManualClock(at)
    async with serving(url, clock=clock) as api:
        yield api, clock


async def test_todays_daily_is_a_room_with_its_day(api: Api) -> None:
    daily = await api.get("/daily")

    assert (daily["kind"], daily["state"], daily["date"]) == ("daily", "racing", str(today()))
    assert daily["start_at"] == daily["started_at"] == f"{today()}T00:00:00.000Z"
    assert daily["closes_at"] == f"{today() + DAY}T00:00:00.000Z"
    assert daily["ends_at"] == f"{today() + DAY}T00:30:00.000Z"
    assert (daily["ruleset"], daily["draw"], daily["sealed"]) == ("CF1", 3, True)
    assert (daily["code"], daily["nonce"], daily["winning_line"]) == (None, None, None)
    assert (await api.get(f"/daily/{daily['date']}"))["id"] == daily["id"]
    assert (await api.get(f"/rooms/{daily['id']}"))["kind"] == "daily"


@pytest.mark.parametrize("kind", ["human", "bot"])
async def test_joining_starts_the_callers_own_clock_once(api: Api, kind: str) -> None:
    player = await api.register(kind=kind)
    before = await api.get("/daily")

    joined = await player.post("/daily/join")
    game = await player.get(f"/rooms/{joined['id']}/game")
    again = await player.post("/daily/join")
    like_a_room = await player.post(f"/rooms/{joined['id']}/join")

    assert joined["player_count"] == before["player_count"] + 1
    assert again["player_count"] == like_a_room["player_count"] == joined["player_count"]
    assert joined["version"] == before["version"]
    assert (game["state"], game["ply"]) == ("racing", 0)
    after = await player.get(f"/rooms/{joined['id']}/game")
    assert (after["started_at"], after["ends_at"]) == (game["started_at"], game["ends_at"])


async def test_without_a_token_nobody_joins(sqlite_api: Api) -> None:
    await sqlite_api.refused("unauthorized", "POST", "/daily/join")


@pytest.mark.parametrize("verb", VERBS)
async def test_what_is_done_to_races_is_not_in_a_daily(sqlite_api: Api, verb: str) -> None:
    player = await sqlite_api.register()
    daily = await player.post("/daily/join")
    path = f"/rooms/{daily['id']}/{verb}"

    await player.refused("not_in_a_daily", "POST", path, json=VERBS[verb])
    stranger = await sqlite_api.register()
    await stranger.refused("not_in_a_daily", "POST", path, json=VERBS[verb])

    assert (await player.get("/daily"))["version"] == daily["version"]


async def test_a_day_to_come_shows_its_commitment_and_takes_nobody(sqlite_api: Api) -> None:
    tomorrow = today() + DAY
    player = await sqlite_api.register()

    daily = await player.get(f"/daily/{tomorrow}")

    assert (daily["state"], daily["date"], daily["standings"]) == ("open", str(tomorrow), [])
    assert daily["commitment"] == a_daily(day=tomorrow).deal.commitment
    assert (daily["code"], daily["nonce"], daily["winning_line"]) == (None, None, None)
    problem = await player.refused("wrong_state", "POST", f"/rooms/{daily['id']}/join")
    assert problem["state"] == "open"
    listed = await sqlite_api.get("/rooms", kind="daily")
    assert daily["id"] not in {room["id"] for room in listed["items"]}


@pytest.mark.parametrize("day", ["2020-02-29", "0001-01-01", "9999-12-31"])
async def test_a_day_without_a_daily_is_not_found(api: Api, day: str) -> None:
    await api.refused("not_found", "GET", f"/daily/{day}")


@pytest.mark.parametrize("day", ["2026-02-29", "today", "2026-13-01", "0000-01-01", "1e3"])
async def test_what_is_no_day_is_invalid(sqlite_api: Api, day: str) -> None:
    problem = await sqlite_api.refused("invalid", "GET", f"/daily/{day}")

    assert problem["pointer"] == "/date"


async def test_there_is_no_daily_before_its_deal_is_chosen(sqlite_url: str) -> None:
    async with serving(sqlite_url, clock=ManualClock(NOON)) as api:
        player = await api.register()

        for call in (("GET", "/daily"), ("GET", f"/daily/{ISO}"), ("POST", "/daily/join")):
            await player.refused("unavailable", *call)
        await player.refused("not_found", "GET", "/daily/2026-11-30")


# Standings


async def test_pages_of_a_daily_are_its_standings(api: Api) -> None:
    players = [await api.register() for _ in range(4)]
    daily: Any = None
    for number, player in enumerate(players, start=1):
        daily = await player.post("/daily/join")
        await player.play(daily["id"], *["d"] * number)
    path = f"/rooms/{daily['id']}/standings"

    whole = (await api.get(path))["items"]
    found: list[Any] = []
    after: dict[str, str] = {}
    while True:
        page = await api.get(path, limit=1, **after)
        found += page["items"]
        if page["next"] is None:
            break
        after = {"after": page["next"]}

    assert found == whole
    assert len(whole) == (await api.get("/daily"))["player_count"]
    for player in players:
        around = (await player.get(path, around="me", limit=3))["items"]
        assert player.id in {standing["player"]["id"] for standing in around}
        first = whole.index(around[0])
        assert around == whole[first : first + 3]


async def test_who_has_not_joined_has_no_place(sqlite_api: Api) -> None:
    daily = await sqlite_api.get("/daily")
    path = f"/rooms/{daily['id']}/standings"
    player = await sqlite_api.register()

    await player.refused("not_a_player", "GET", path, params={"around": "me"})
    await sqlite_api.refused("unauthorized", "GET", path, params={"around": "me"})
    await player.refused("not_a_player", "GET", f"/rooms/{daily['id']}/game")
    await player.refused("not_a_player", "POST", f"/rooms/{daily['id']}/resign")


@pytest.mark.parametrize(
    "key",
    [
        [[True, -1, 2**31, 0], "p_x"],
        [[True, -(2**63), 0, 0], "p_x"],
        [[True, 0, 0, 2**63], "p_x"],
        [[True, 0, 0, 0], "p_\0"],
    ],
)
async def test_a_forged_cursor_is_refused(api: Api, key: list[Any]) -> None:
    daily = await api.get("/daily")
    params = {"after": write_cursor(key)}

    await api.refused("invalid", "GET", f"/rooms/{daily['id']}/standings", params=params)


# The end


async def test_joining_goes_by_the_day_of_arrival(sqlite_url: str) -> None:
    async with served(sqlite_url, at=CLOSES - MS) as (api, clock):
        early, late = await api.register(), await api.register()
        yesterdays = await early.post("/daily/join")
        assert (yesterdays["date"], yesterdays["player_count"]) == (ISO, 1)

        clock.advance(ms=1)

        todays = await late.post("/daily/join")
        assert (todays["date"], todays["player_count"]) == ("2026-11-30", 1)
        await late.refused("daily_over", "POST", f"/rooms/{yesterdays['id']}/join")
        again = await early.post(f"/rooms/{yesterdays['id']}/join")
        assert (again["state"], again["player_count"]) == ("racing", 1)
        assert (await early.post("/daily/join"))["id"] == todays["id"], "one attempt each day"
        assert (await api.get(f"/daily/{ISO}"))["state"] == "racing"


async def test_a_finished_day_shows_the_deal_a_win_and_all_games(sqlite_url: str) -> None:
    deal = a_daily().deal
    async with served(sqlite_url) as (api, clock):
        ana, bo = await api.register(), await api.register()
        daily = await ana.post("/daily/join")
        room = f"/rooms/{daily['id']}"
        await bo.post("/daily/join")
        await ana.play(daily["id"], "d", "d")
        await ana.resign(daily["id"])
        clock.advance(seconds=12 * 3600 + 1800 + 5)

        finished = await api.get(f"/daily/{ISO}")

        assert (finished["state"], finished["finished_at"]) == (
            *("finished", "2026-11-30T00:00:00.000Z"),
        )
        assert (finished["code"], finished["nonce"]) == (str(deal.code), deal.nonce)
        assert finished["winning_line"] == ["d", "12"]
        assert [one["state"] for one in finished["standings"]] == ["out_of_time", "resigned"]
        games = (await api.get(f"{room}/games"))["items"]
        moves = {game["player"]["id"]: game["id"] for game in games}
        replay = await api.get(f"/games/{moves[ana.id]}")
        assert (replay["moves"], replay["started_at"]) == (["d", "d"], "2026-11-29T12:00:00.000Z")
        assert replay["result"]["rank"] == 2
        late = await api.register()
        await late.refused("daily_over", "POST", f"{room}/join")
        assert (await bo.post(f"{room}/join"))["player_count"] == 2


async def test_a_withdrawn_day_takes_nobody_and_another_is_in_its_place(sqlite_url: str) -> None:
    withdrawn, by = a_daily(room_id="rold"), a_daily(room_id="rnew")
    await plan(sqlite_url, withdrawn)
    database = Database(sqlite_url)
    await database.open()
    events = withdrawn.withdraw(at=OPENS - MS)
    proof = Proof(line=("d",), positions=1)
    assert await Dailies(database).replace(
        withdrawn, events, by=by, proof=proof, number=1, at=OPENS - MS
    )
    assert (await Rooms(database).load("rold")).state == "cancelled"
    await database.close()

    async with serving(sqlite_url, clock=ManualClock(NOON)) as api:
        player = await api.register()
        problem = await player.refused("wrong_state", "POST", "/rooms/rold/join")
        assert problem["state"] == "cancelled"
        assert (await api.get("/rooms/rold"))["code"] is None
        assert (await player.post("/daily/join"))["id"] == "rnew"


async def test_who_leaves_for_good_leaves_a_nameless_result(sqlite_url: str) -> None:
    async with served(sqlite_url) as (api, clock):
        ana = await api.register(a_name("Gone"))
        daily = await ana.post("/daily/join")
        await ana.play(daily["id"], "d")

        assert (await ana.send("DELETE", "/players/me")).is_success

        (standing,) = (await api.get(f"/rooms/{daily['id']}/standings"))["items"]
        assert standing["player"] == {"id": ana.id, "name": "", "kind": "human"}
        assert (standing["state"], standing["actions"], standing["rank"]) == ("resigned", 1, 1)
        await ana.refused("unauthorized", "POST", "/daily/join")
        clock.advance(seconds=12 * 3600 + 5)
        finished = await api.get(f"/daily/{ISO}")
        assert finished["state"] == "finished"
        assert "Gone" not in json.dumps(finished)


# What nobody may know


async def test_before_the_end_no_answer_gives_the_deal_or_others_games(api: Api) -> None:
    deal = a_daily(day=today()).deal
    ana, bo = await api.register(), await api.register()
    daily = await ana.post("/daily/join")
    await bo.post("/daily/join")
    room = f"/rooms/{daily['id']}"
    await ana.play(daily["id"], "d", "d")
    await ana.resign(daily["id"])
    own = await ana.get(f"{room}/game")

    async def answers(caller: Api) -> AsyncIterator[str]:
        for path in ("/daily", f"/daily/{today()}", "/rooms?kind=daily", room):
            yield (await caller.send("GET", path)).text
        for path in (f"{room}/standings", f"{room}/curves", f"/players/{ana.id}"):
            yield (await caller.send("GET", path)).text
        await caller.refused("wrong_state", "GET", f"{room}/games")
        await caller.refused("wrong_state", "GET", f"{room}/export")

    for caller in (api, bo):
        async for answer in answers(caller):
            assert deal.nonce not in answer
            assert deal.code.letters not in answer
            assert own["position"] not in answer
            assert '"moves"' not in answer
    bos = await bo.get(f"{room}/game")
    assert (bos["ply"], bos["waste"]) == (0, [])
