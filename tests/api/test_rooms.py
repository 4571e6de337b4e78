import asyncio
import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from server.clock import ManualClock
from tests.api.driver import EXAMPLE, Api, serving

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
COMMANDS = ["join", "leave", "ready", "start", "cancel", "kick", "rematch", "resign"]


async def test_a_room_opens_with_what_was_asked_for_and_its_creator_in_it(api: Api) -> None:
    ana = await api.register()

    wish = {"seats": 3, "time_limit_s": 60, "sealed": True, "title": "  Friday   race "}
    room = await ana.post("/rooms", wish)

    assert (room["state"], room["kind"], room["seats"]) == ("open", "race", 3)
    assert (room["title"], room["host"]) == ("Friday race", ana.player)
    assert (room["code"], room["nonce"], len(room["commitment"])) == (None, None, 64)
    assert [standing["player"] for standing in room["standings"]] == [ana.player]
    assert await api.get(f"/rooms/{room['id']}") == room


async def test_a_room_opens_by_its_defaults_without_a_body(sqlite_api: Api) -> None:
    ana = await sqlite_api.register()

    room = (await ana.send("POST", "/rooms")).json()

    settled = {name: room[name] for name in DEFAULTS}
    assert settled == DEFAULTS


DEFAULTS = {
    "ruleset": "CF1",
    "draw": 3,
    "sealed": False,
    "seats": 8,
    "visibility": "public",
    "time_limit_s": 900,
    "start": "host",
    "start_at": None,
    "countdown_s": 5,
    "undo": True,
    "ranked": True,
}


async def test_a_typed_code_is_shown_at_once_and_never_ranked(sqlite_api: Api) -> None:
    ana = await sqlite_api.register()

    room = await ana.post("/rooms", {"code": EXAMPLE})

    assert (room["code"], room["ranked"], room["nonce"]) == (EXAMPLE, False, None)


@pytest.mark.parametrize(
    ("wish", "code", "pointer"),
    [
        ({"seats": 0}, "invalid", "/seats"),
        ({"seats": 101}, "invalid", "/seats"),
        ({"seats": 5.5}, "invalid", "/seats"),
        ({"seats": "8"}, "invalid", "/seats"),
        ({"time_limit_s": 59}, "invalid", "/time_limit_s"),
        ({"countdown_s": 61}, "invalid", "/countdown_s"),
        ({"draw": 2}, "invalid", "/draw"),
        ({"ruleset": "XX1"}, "invalid", "/ruleset"),
        ({"visibility": "secret"}, "invalid", "/visibility"),
        ({"title": "x" * 81}, "invalid", "/title"),
        ({"title": "a\0b"}, "invalid", "/title"),
        ({"seat": 4}, "invalid", "/seat"),
        ({"start": "at"}, "invalid", "/start_at"),
        ({"start": "at", "start_at": "tomorrow"}, "invalid", "/start_at"),
        ({"start": "at", "start_at": "2099-01-01T00:00:00"}, "invalid", "/start_at"),
        ({"start": "at", "start_at": "2001-01-01T00:00:00Z"}, "invalid", "/start_at"),
        ({"start": "at", "start_at": "0001-01-01T00:00:00+23:59"}, "invalid", "/start_at"),
        ({"start": "at", "start_at": "9999-12-31T23:59:59-23:59"}, "invalid", "/start_at"),
        ({"start_at": "2099-01-01T00:00:00Z"}, "invalid", "/start_at"),
        ({"code": "nonsense"}, "invalid", "/code"),
        ({"code": EXAMPLE, "draw": 1}, "invalid", "/draw"),
        ({"code": EXAMPLE, "ruleset": "CH1"}, "invalid", "/ruleset"),
        ({"code": EXAMPLE, "sealed": True}, "invalid", "/sealed"),
        ({"code": EXAMPLE, "ranked": True}, "invalid", "/ranked"),
        ({"code": EXAMPLE, "winnable": True}, "invalid", "/winnable"),
        ({"ruleset": "CH1", "draw": 1}, "invalid", "/draw"),
        ({"ruleset": "CH1", "undo": True}, "invalid", "/undo"),
        ({"winnable": True}, "not_available", "/winnable"),
    ],
)
async def test_a_wish_that_cannot_be_is_refused_at_the_field(
    sqlite_api: Api, wish: dict[str, Any], code: str, pointer: str
) -> None:
    ana = await sqlite_api.register()

    problem = await ana.refused(code, "POST", "/rooms", json=wish)

    assert problem["pointer"] == pointer


async def test_the_same_key_of_the_same_player_gives_the_same_room(api: Api) -> None:
    ana, ben = await api.register(), await api.register()
    key = {"Idempotency-Key": "friday"}

    first = await ana.post("/rooms", headers=key)
    again = await ana.post("/rooms", {"seats": 2}, headers=key)
    other_key = await ana.post("/rooms", headers={"Idempotency-Key": "monday"})
    other_player = await ben.post("/rooms", headers=key)

    assert again == first
    assert len({first["id"], other_key["id"], other_player["id"]}) == 3


async def test_many_calls_with_one_key_at_once_open_one_room(api: Api) -> None:
    ana = await api.register()

    key = {"Idempotency-Key": "friday"}
    calls = [ana.post("/rooms", headers=key) for _ in range(12)]
    rooms = await asyncio.gather(*calls)

    assert len({room["id"] for room in rooms}) == 1


@pytest.mark.parametrize("key", ["", "x" * 201, "caf\u00e9", "a\tb"])
async def test_a_key_is_short_and_printable(sqlite_api: Api, key: str) -> None:
    ana = await sqlite_api.register()

    headers = {"Idempotency-Key": key.encode("latin-1")}
    problem = await ana.refused("invalid", "POST", "/rooms", headers=headers)

    assert "Idempotency-Key" in problem["detail"]


async def test_the_lobby_lists_rooms_newest_first_without_unlisted_ones(database_url: str) -> None:
    clock = ManualClock(NOON)
    async with serving(database_url, clock=clock) as api:
        ana = await api.register()
        old = await ana.open()
        clock.advance(seconds=1)
        hidden = await ana.open(visibility="unlisted")
        cancelled = await ana.open()
        clock.advance(seconds=1)
        new = await ana.open()
        await ana.post(f"/rooms/{cancelled}/cancel")

        lobby = await api.get("/rooms", state="open")

        assert [room["id"] for room in lobby["items"]] == [new, old]
        assert lobby["next"] is None
        assert (await api.get(f"/rooms/{hidden}"))["visibility"] == "unlisted"
        gone = await api.get("/rooms", state="cancelled")
        assert [room["id"] for room in gone["items"]] == [cancelled]
        assert (await api.get("/rooms", kind="daily"))["items"] == []


async def test_pages_of_the_lobby_hold_every_room_once_even_of_one_instant(
    database_url: str,
) -> None:
    async with serving(database_url, clock=ManualClock(NOON)) as api:
        ana = await api.register()
        opened = {await ana.open() for _ in range(7)}

        pages, page = [], cast(dict[str, Any], {"next": ""})
        while page["next"] is not None:
            page = await api.get("/rooms", limit=3, after=page["next"])
            pages.append([room["id"] for room in page["items"]])

        assert [len(page) for page in pages] == [3, 3, 1]
        assert {room for page in pages for room in page} == opened


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("limit=0", "/limit"),
        ("limit=101", "/limit"),
        ("limit=ten", "/limit"),
        ("limit=2&limit=3", "/limit"),
        ("state=asleep", "/state"),
        ("kind=weekly", "/kind"),
        ("page=2", "/page"),
        ("page=", "/page"),
        ("after=nonsense", "/after"),
        ("after=W10", "/after"),
        ("after=%F0%9F%83%8F", "/after"),
        ("after=a%00", "/after"),
        ("after=WzEsIlx1MDAwMCJd", "/after"),  # [1,"\u0000"]
        ("after=Wzk5OTk5OTk5OTk5OTk5OTksImEiXQ", "/after"),  # [9999999999999999,"a"]
        ("after=" + "W" * 500, "/after"),
    ],
)
async def test_a_page_of_the_lobby_that_cannot_be_is_refused_at_the_parameter(
    api: Api, query: str, pointer: str
) -> None:
    problem = await api.refused("invalid", "GET", f"/rooms?{query}")

    assert problem["pointer"] == pointer


async def test_joining_and_leaving_again_change_nothing(api: Api) -> None:
    ana, ben = await api.register(), await api.register()
    room_id = await ana.open()

    joined = await ben.post(f"/rooms/{room_id}/join")
    assert await ben.post(f"/rooms/{room_id}/join") == joined
    left = await ben.post(f"/rooms/{room_id}/leave")
    assert await ben.post(f"/rooms/{room_id}/leave") == left

    assert (joined["player_count"], left["player_count"]) == (2, 1)


async def test_an_unlisted_room_is_joined_by_its_id(sqlite_api: Api) -> None:
    ana, ben = await sqlite_api.register(), await sqlite_api.register()
    room_id = await ana.open(visibility="unlisted")

    assert (await ben.post(f"/rooms/{room_id}/join"))["player_count"] == 2


async def test_of_many_who_join_at_once_exactly_as_many_as_seats_get_in(api: Api) -> None:
    ana = await api.register()
    room_id = await ana.open(seats=8)
    crowd = await asyncio.gather(*(api.register() for _ in range(40)))

    calls = [
        (player if number % 5 else ana).send("POST", f"/rooms/{room_id}/join")
        for number, player in enumerate(crowd * 2, start=1)
    ]
    calls += [player.send("POST", f"/rooms/{room_id}/join") for player in crowd[:20]]
    statuses = [response.status_code for response in await asyncio.gather(*calls)]

    room = await api.get(f"/rooms/{room_id}")
    assert len(calls) == 100
    assert set(statuses) == {200, 409}
    assert room["player_count"] == len({s["player"]["id"] for s in room["standings"]}) == 8
    late = await (await api.register()).refused("room_full", "POST", f"/rooms/{room_id}/join")
    assert "8 seats" in late["detail"]


async def test_many_starts_at_once_give_one_start(api: Api) -> None:
    ana = await api.register()
    room_id = await ana.open(countdown_s=60)

    rooms = await asyncio.gather(*(ana.post(f"/rooms/{room_id}/start") for _ in range(20)))

    assert {room["state"] for room in rooms} == {"countdown"}
    assert len({room["starts_at"] for room in rooms}) == 1
    assert len({room["version"] for room in rooms}) == 1


async def test_only_the_host_starts_cancels_and_kicks(sqlite_api: Api) -> None:
    ana, ben = await sqlite_api.register(), await sqlite_api.register()
    room_id = await ana.open()
    await ben.post(f"/rooms/{room_id}/join")

    await ben.refused("not_host", "POST", f"/rooms/{room_id}/start")
    await ben.refused("not_host", "POST", f"/rooms/{room_id}/cancel")
    await ben.refused("not_host", "POST", f"/rooms/{room_id}/kick", json={"player": ana.id})


async def test_who_is_kicked_is_out_and_cannot_come_back(api: Api) -> None:
    ana, ben = await api.register(), await api.register()
    room_id = await ana.open()
    await ben.post(f"/rooms/{room_id}/join")

    room = await ana.post(f"/rooms/{room_id}/kick", {"player": ben.id})

    assert room["player_count"] == 1
    assert await ana.post(f"/rooms/{room_id}/kick", {"player": ben.id}) == room
    await ben.refused("kicked", "POST", f"/rooms/{room_id}/join")


async def test_kicking_oneself_or_a_stranger_is_refused(sqlite_api: Api) -> None:
    ana = await sqlite_api.register()
    path = f"/rooms/{await ana.open()}/kick"

    itself = await ana.refused("invalid", "POST", path, json={"player": ana.id})
    nobody = await ana.refused("invalid", "POST", path, json={})

    assert (itself["pointer"], nobody["pointer"]) == ("/player", "/player")
    await ana.refused("not_found", "POST", path, json={"player": "p_\0"})


async def test_a_room_that_starts_when_all_are_ready_does(api: Api) -> None:
    ana, ben = await api.register(), await api.register()
    room_id = await ana.open(start="ready", countdown_s=0)
    await ben.post(f"/rooms/{room_id}/join")

    one = await ana.post(f"/rooms/{room_id}/ready")
    not_any_more = await ana.post(f"/rooms/{room_id}/ready", {"ready": False})
    await ben.post(f"/rooms/{room_id}/ready", {"ready": True})
    both = await ana.post(f"/rooms/{room_id}/ready", {"ready": True})

    assert [standing["state"] for standing in one["standings"]] == ["ready", "joined"]
    assert [standing["state"] for standing in not_any_more["standings"]] == ["joined", "joined"]
    assert both["state"] == "racing"


async def test_ready_takes_a_truth_and_only_of_players(sqlite_api: Api) -> None:
    ana, ben = await sqlite_api.register(), await sqlite_api.register()
    path = f"/rooms/{await ana.open()}/ready"

    problem = await ana.refused("invalid", "POST", path, json={"ready": "yes"})

    assert problem["pointer"] == "/ready"
    await ben.refused("not_a_player", "POST", path, json={"ready": True})


async def test_a_race_that_is_on_refuses_what_belongs_before_it(api: Api) -> None:
    ana, ben = await api.register(), await api.register()
    cleo = await api.register()
    room_id = await ana.race(ben)

    refusals = [
        await cleo.refused("wrong_state", "POST", f"/rooms/{room_id}/join"),
        await ben.refused("wrong_state", "POST", f"/rooms/{room_id}/leave"),
        await ben.refused("wrong_state", "POST", f"/rooms/{room_id}/ready"),
        await ana.refused("wrong_state", "POST", f"/rooms/{room_id}/cancel"),
        await ana.refused("wrong_state", "POST", f"/rooms/{room_id}/kick", json={"player": ben.id}),
        await ana.refused("wrong_state", "POST", f"/rooms/{room_id}/rematch"),
    ]

    assert {problem["state"] for problem in refusals} == {"racing"}
    assert "resign" in refusals[1]["detail"]
    assert (await ana.post(f"/rooms/{room_id}/start"))["state"] == "racing"


async def test_resigning_again_changes_nothing_and_the_last_one_finishes_the_room(
    api: Api,
) -> None:
    ana, ben = await api.register(), await api.register()
    room_id = await ana.race(ben)

    once = await ana.resign(room_id)
    again = await ana.resign(room_id)
    last = await ben.resign(room_id)

    assert (once["state"], again["state"], last["state"]) == ("racing", "racing", "finished")
    assert await ben.resign(room_id) == last
    assert {standing["state"] for standing in last["standings"]} == {"resigned"}


async def test_resigning_is_for_players_of_a_race_that_is_on(sqlite_api: Api) -> None:
    ana, ben = await sqlite_api.register(), await sqlite_api.register()
    waiting, racing = await ana.open(), await ana.race()

    problem = await ana.refused("wrong_state", "POST", f"/rooms/{waiting}/resign")

    assert problem["state"] == "open"
    await ben.refused("not_a_player", "POST", f"/rooms/{racing}/resign")


async def test_a_cancelled_room_stays_cancelled(sqlite_api: Api) -> None:
    ana, ben = await sqlite_api.register(), await sqlite_api.register()
    room_id = await ana.open()

    cancelled = await ana.post(f"/rooms/{room_id}/cancel")

    assert cancelled["state"] == "cancelled"
    assert await ana.post(f"/rooms/{room_id}/cancel") == cancelled
    problem = await ben.refused("wrong_state", "POST", f"/rooms/{room_id}/join")
    assert problem["state"] == "cancelled"


async def test_when_the_host_leaves_the_longest_joined_player_is_host(sqlite_api: Api) -> None:
    ana, ben = await sqlite_api.register(), await sqlite_api.register()
    cleo = await sqlite_api.register()
    room_id = await ana.open()
    for player in (ben, cleo):
        await player.post(f"/rooms/{room_id}/join")

    room = await ana.post(f"/rooms/{room_id}/leave")

    assert room["host"] == ben.player
    assert (await ben.post(f"/rooms/{room_id}/start"))["state"] == "countdown"


async def test_a_hundred_calls_for_a_rematch_give_one_room_with_everyone_in_it(api: Api) -> None:
    players = [await api.register() for _ in range(4)]
    ana = players[0]
    room_id = await ana.race(*players[1:], code=None)
    for player in players:
        await player.resign(room_id)

    calls = [player.post(f"/rooms/{room_id}/rematch") for player in players * 25]
    rooms = await asyncio.gather(*calls)

    finished = await api.get(f"/rooms/{room_id}")
    assert len(calls) == 100
    assert {room["id"] for room in rooms} == {finished["rematch"]}
    rematch = await api.get(f"/rooms/{finished['rematch']}")
    assert rematch["player_count"] == 4
    assert rematch["commitment"] != finished["commitment"]


async def test_a_rematch_is_for_those_who_were_in_a_race_that_is_over(sqlite_api: Api) -> None:
    ana, ben = await sqlite_api.register(), await sqlite_api.register()
    room_id = await ana.race()
    await ana.resign(room_id)
    cancelled = await ana.open()
    await ana.post(f"/rooms/{cancelled}/cancel")

    await ben.refused("not_a_player", "POST", f"/rooms/{room_id}/rematch")
    await ana.refused("wrong_state", "POST", f"/rooms/{cancelled}/rematch")


@pytest.mark.parametrize(
    ("sealed", "shown_while_racing"), [(False, True), (True, False)], ids=["open", "sealed"]
)
async def test_code_and_nonce_are_shown_when_they_may_be_and_fit_the_commitment(
    api: Api, sealed: bool, shown_while_racing: bool
) -> None:
    ana = await api.register()
    room_id = await ana.open(countdown_s=0, sealed=sealed)
    waiting = await api.get(f"/rooms/{room_id}")
    racing = await ana.post(f"/rooms/{room_id}/start")
    finished = await ana.resign(room_id)

    assert (waiting["code"], waiting["nonce"]) == (None, None)
    assert (racing["code"] is not None, racing["nonce"] is not None) == (shown_while_racing,) * 2
    opened = hashlib.sha256(f"{finished['code']}:{finished['nonce']}".encode()).hexdigest()
    assert opened == finished["commitment"] == waiting["commitment"]


async def test_times_are_the_scheduled_ones_however_late_they_are_processed(
    database_url: str,
) -> None:
    clock = ManualClock(NOON)
    async with serving(database_url, clock=clock) as api:
        ana = await api.register()
        room_id = await ana.open(countdown_s=60, time_limit_s=60)
        await ana.post(f"/rooms/{room_id}/start")
        clock.advance(seconds=3600)

        room = await api.get(f"/rooms/{room_id}")

        assert room["state"] == "finished"
        assert room["starts_at"] == room["started_at"] == "2026-11-29T12:01:00.000Z"
        assert room["ends_at"] == room["finished_at"] == "2026-11-29T12:02:00.000Z"
        assert room["standings"][0]["state"] == "out_of_time"


async def test_a_room_starts_at_its_time(sqlite_url: str) -> None:
    clock = ManualClock(NOON)
    async with serving(sqlite_url, clock=clock) as api:
        ana = await api.register()
        start_at = (NOON + timedelta(minutes=10)).isoformat()
        room_id = await ana.open(start="at", start_at=start_at)

        await ana.refused("wrong_state", "POST", f"/rooms/{room_id}/start")
        clock.advance(seconds=599)
        counting = await api.get(f"/rooms/{room_id}")
        clock.advance(seconds=1)
        racing = await api.get(f"/rooms/{room_id}")

        assert (counting["state"], racing["state"]) == ("countdown", "racing")
        assert racing["started_at"] == racing["start_at"] == "2026-11-29T12:10:00.000Z"


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("room_id", ["nowhere", "%00", "%F0%9F%83%8F"])
async def test_a_room_that_is_not_there_is_not_found(api: Api, room_id: str, command: str) -> None:
    ana = await api.register()

    body = {"player": "p_x"} if command == "kick" else {}
    await ana.refused("not_found", "POST", f"/rooms/{room_id}/{command}", json=body)


@pytest.mark.parametrize("command", COMMANDS)
async def test_commands_take_a_token(sqlite_api: Api, command: str) -> None:
    ana = await sqlite_api.register()
    room_id = await ana.open()

    await sqlite_api.refused("unauthorized", "POST", f"/rooms/{room_id}/{command}")


async def test_reading_takes_no_token(sqlite_api: Api) -> None:
    ana = await sqlite_api.register()
    room_id = await ana.open()

    for path in (
        f"/rooms/{room_id}",
        "/rooms",
        f"/rooms/{room_id}/standings",
        f"/players/{ana.id}",
    ):
        await sqlite_api.get(path)
