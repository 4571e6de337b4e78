import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import httpx2
import msgspec
import pytest

from server.api import results
from server.api.cursors import write_cursor
from server.clock import ManualClock
from server.live.winnable import solving
from server.race.errors import Unavailable
from server.race.plays import Action
from server.race.room import Room
from server.race.running import RunningGame
from server.store.database import Database
from server.store.results import read_replays
from tests.api.driver import WIN, Api, Player, serving
from tests.api.test_rooms import NOON
from tests.store.crowds import CODE, Attempt, Crowd, a_crowd

MANY = 130


@asynccontextmanager
async def serving_a_crowd(
    database_url: str, *, finished: bool, count: int = MANY, **settings: Any
) -> AsyncIterator[tuple[Api, Crowd]]:
    """Serve a daily with so many attempts, at noon or after it has finished."""
    database = Database(database_url)
    await database.open()
    crowd = await a_crowd(database, count=count, finished=finished)
    await database.close()
    clock = ManualClock(NOON + timedelta(days=1 if finished else 0))
    async with serving(database_url, clock=clock, **settings) as api:
        yield api, crowd


def player_of(api: Api, attempt: Attempt) -> Api:
    return Api(api.client, f"cr_{attempt.player.id}")


def shown(attempts: list[Attempt]) -> list[Any]:
    """What `curves` shows of attempts."""
    curves: list[Any] = json.loads(msgspec.json.encode([attempt.curve for attempt in attempts]))
    return curves


async def test_an_export_has_each_game_as_it_is_shown_alone(database_url: str) -> None:
    async with serving_a_crowd(database_url, finished=True) as (api, crowd):
        response = await api.send("GET", f"/rooms/{crowd.room.id}/export")
        lines = [json.loads(line) for line in response.content.splitlines()]

        assert len(lines) == MANY
        assert len({line["id"] for line in lines}) == MANY
        assert [line["result"]["rank"] for line in lines] == sorted(crowd.ranks.values())
        for line in (lines[0], lines[77], lines[-1]):
            assert await api.get(f"/games/{line['id']}") == line


async def test_a_game_is_shown_complete_whatever_its_rank(database_url: str) -> None:
    async with serving_a_crowd(database_url, finished=True) as (api, crowd):
        attempt = crowd.attempts[-1]

        replay = await api.get(f"/games/{attempt.game_id}")

        result = json.loads(msgspec.json.encode(crowd.result(attempt)))
        assert replay["result"] == result
        assert replay["result"]["rank"] > 100
        assert (replay["players"], replay["time_limit_s"], replay["undo"]) == (MANY, 1800, True)
        assert replay["moves"] == [action.move for action in attempt.actions]
        assert replay["started_at"] == "2026-11-29T00:01:59.000Z"
        assert replay["ended_at"] == "2026-11-29T00:03:42.929Z"


async def test_games_of_a_crowd_come_page_by_page(database_url: str) -> None:
    async with serving_a_crowd(database_url, finished=True) as (api, crowd):
        path, found = f"/rooms/{crowd.room.id}/games", []
        page = await api.get(path, limit=60)
        found += page["items"]
        while page["next"]:
            page = await api.get(path, limit=60, after=page["next"])
            found += page["items"]

        assert [game["id"] for game in found] == [attempt.game_id for attempt in crowd.attempts]
        assert [game["result"]["rank"] for game in found] == sorted(crowd.ranks.values())


async def test_games_are_not_shown_while_a_daily_runs_and_progress_is(database_url: str) -> None:
    async with serving_a_crowd(database_url, finished=False) as (api, crowd):
        ended = next(attempt for attempt in crowd.attempts if attempt.ended)

        for path in ("games", "export"):
            url = f"/rooms/{crowd.room.id}/{path}"
            assert (await api.refused("wrong_state", "GET", url))["state"] == "racing"
        await player_of(api, ended).refused("forbidden", "GET", f"/games/{ended.game_id}")
        curves = await api.get(f"/rooms/{crowd.room.id}/curves")

        assert curves == shown(crowd.attempts[:100])


async def test_progress_is_shown_of_the_best_and_of_those_around_me(database_url: str) -> None:
    async with serving_a_crowd(database_url, finished=False) as (api, crowd):
        path, me = f"/rooms/{crowd.room.id}/curves", crowd.attempts[110]

        around = await player_of(api, me).get(path, limit=20, around="me")

        assert around == shown([*crowd.attempts[:10], *crowd.attempts[105:115]])
        assert await api.get(path, limit=3) == shown(crowd.attempts[:3])
        for limit in (0, 101):
            problem = await api.refused("invalid", "GET", path, params={"limit": limit})
            assert problem["pointer"] == "/limit"


async def test_those_around_me_are_for_players_of_the_room(sqlite_api: Api) -> None:
    ana, ben = await sqlite_api.register(), await sqlite_api.register()
    room_id = await ana.race()
    call = ("GET", f"/rooms/{room_id}/curves")

    await sqlite_api.refused("unauthorized", *call, params={"around": "me"})
    await ben.refused("not_a_player", *call, params={"around": "me"})
    await ben.refused("invalid", *call, params={"around": "you"})

    [mine] = await ana.get(call[1], around="me")
    assert mine["player"] == ana.player


@pytest.mark.parametrize("key", [(0, "g"), (2**31, "g"), (2**80, "g"), (1.5, "g"), (1, 2), (1,)])
async def test_a_cursor_that_no_page_gave_is_refused(sqlite_api: Api, key: tuple[Any, ...]) -> None:
    ana = await sqlite_api.register()
    room_id = await ana.race()
    await ana.resign(room_id)

    problem = await sqlite_api.refused(
        "invalid", "GET", f"/rooms/{room_id}/games", params={"after": write_cursor(key)}
    )

    assert problem["pointer"] == "/after"


async def test_a_room_that_has_not_finished_is_not_exported(sqlite_api: Api) -> None:
    ana = await sqlite_api.register()
    waiting, cancelled = await ana.open(), await ana.open()
    await ana.post(f"/rooms/{cancelled}/cancel")

    for room_id, state in ((waiting, "open"), (cancelled, "cancelled")):
        problem = await sqlite_api.refused("wrong_state", "GET", f"/rooms/{room_id}/export")
        assert problem["state"] == state
    await sqlite_api.refused("not_found", "GET", "/rooms/nowhere/export")


async def test_an_export_that_storage_breaks_off_is_not_taken_for_the_whole(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def at_first(database: Database, room: Room, **page: Any) -> Any:
        if page.get("after") is not None:
            raise Unavailable("away")
        return await read_replays(database, room, **page)

    monkeypatch.setattr(results, "read_replays", at_first)
    async with serving_a_crowd(sqlite_url, finished=True, count=60) as (api, crowd):
        with pytest.raises(httpx2.RemoteProtocolError):
            await api.send("GET", f"/rooms/{crowd.room.id}/export")


async def test_an_export_that_cannot_begin_is_refused(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object, **__: object) -> None:
        raise Unavailable("away")

    monkeypatch.setattr(results, "read_replays", away)
    async with serving_a_crowd(sqlite_url, finished=True, count=2) as (api, crowd):
        await api.refused("unavailable", "GET", f"/rooms/{crowd.room.id}/export")


DEAD_END = "CF1-D3-IMELROK"
"""A deal in which `rf` places a card, and after it no play ever places another."""


async def a_dead_end(api: Api) -> tuple[Player, str]:
    """A player whose finished game came to a dead end at once, and the game's id."""
    ana = await api.register()
    room_id = await ana.race(code=DEAD_END)
    await ana.play(room_id, "rf")
    await ana.resign(room_id)
    [game] = (await api.get(f"/rooms/{room_id}/games"))["items"]
    return ana, game["id"]


@pytest.fixture
async def solving_api(sqlite_url: str) -> AsyncIterator[Api]:
    """A server with a solver that has hardly anything else to do."""
    async with serving(sqlite_url, solver_processes=2, winnable_stock=0) as api:
        yield api


async def test_an_outlook_tells_a_dead_end_and_what_led_on(solving_api: Api) -> None:
    _, game_id = await a_dead_end(solving_api)

    before = await solving_api.get(f"/games/{game_id}/outlook", ply=0)
    after = await solving_api.get(f"/games/{game_id}/outlook", ply=1)

    assert (before["can_rise"], before["placed"], before["line"]) == ("yes", 1, ["rf"])
    assert (after["can_rise"], after["placed"], after["line"]) == ("no", 2, [])
    assert after["positions"] > 1
    assert await solving_api.get(f"/games/{game_id}/outlook") == after


async def test_the_line_of_an_outlook_places_a_card(solving_api: Api) -> None:
    ana = await solving_api.register()
    room_id = await ana.race()
    await ana.win(room_id)
    [game] = (await solving_api.get(f"/rooms/{room_id}/games"))["items"]

    outlook = await solving_api.get(f"/games/{game['id']}/outlook", ply=40)

    assert outlook["can_rise"] == "yes"
    played = RunningGame(CODE, undo=True)
    played.follow(Action(move, 0) for move in [*WIN[:40], *outlook["line"]])
    assert played.board.placed == outlook["placed"] + 1
    won = await solving_api.get(f"/games/{game['id']}/outlook")
    assert (won["can_rise"], won["placed"], won["positions"]) == ("no", 52, 0)


async def test_an_outlook_that_is_not_found_is_unknown(
    solving_api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, game_id = await a_dead_end(solving_api)
    monkeypatch.setattr(results, "OUTLOOK_POSITIONS", 5)

    outlook = await solving_api.get(f"/games/{game_id}/outlook")

    assert outlook["can_rise"] == "unknown"
    assert outlook["positions"] <= 5


async def test_there_is_no_outlook_while_the_room_races(sqlite_url: str) -> None:
    async with serving_a_crowd(
        sqlite_url, finished=False, count=4, solver_processes=1, winnable_stock=0
    ) as (api, crowd):
        for attempt in crowd.attempts:
            path = f"/games/{attempt.game_id}/outlook"
            await api.refused("forbidden", "GET", path)
            await player_of(api, attempt).refused("forbidden", "GET", path, params={"ply": 3})
        await api.refused("not_found", "GET", "/games/nothing/outlook")


async def test_an_outlook_is_for_a_position_of_the_game(solving_api: Api) -> None:
    _, game_id = await a_dead_end(solving_api)

    for ply in (2, -1, 2**31, "x"):
        problem = await solving_api.refused(
            "invalid", "GET", f"/games/{game_id}/outlook", params={"ply": ply}
        )
        assert problem["pointer"] == "/ply"


async def test_a_server_without_a_solver_has_no_outlooks(sqlite_api: Api) -> None:
    _, game_id = await a_dead_end(sqlite_api)

    await sqlite_api.refused("not_available", "GET", f"/games/{game_id}/outlook")


async def test_a_solver_with_too_much_to_do_is_asked_again_later(
    solving_api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, game_id = await a_dead_end(solving_api)
    monkeypatch.setattr(solving, "MOST_WAITING", 0)

    response = await solving_api.send("GET", f"/games/{game_id}/outlook")

    assert response.json()["code"] == "unavailable"
    assert int(response.headers["retry-after"]) >= 1


async def test_outlooks_have_a_rate_of_their_own_and_refusals_cost_nothing(
    sqlite_url: str,
) -> None:
    async with serving(
        sqlite_url, solver_processes=1, winnable_stock=0, analyses_per_minute=1
    ) as api:
        ana, game_id = await a_dead_end(api)
        call = ("GET", f"/games/{game_id}/outlook")
        await ana.refused("invalid", *call, params={"ply": 9})
        await ana.get(call[1])

        problem = await ana.refused("too_many_requests", *call)

        assert "1 outlooks a minute" in problem["detail"]
        assert (await ana.get(f"/games/{game_id}"))["id"] == game_id
