import asyncio
from typing import Any

import pytest

from tests.api.driver import Api, Player, a_name

NO_CONTENT, NOT_FOUND = 204, 404


async def test_registering_gives_the_player_and_a_token_that_is_theirs(api: Api) -> None:
    name = a_name()

    ana = await api.register(name, kind="bot")

    assert ana.player == {"id": ana.id, "name": name, "kind": "bot"}
    assert await ana.get("/players/me") == ana.player


@pytest.mark.parametrize("alike", ["Bo", "BO", "\uff22o", "B0", "\u0392\u03bf"])
async def test_a_name_that_looks_like_a_taken_one_is_taken(api: Api, alike: str) -> None:
    if (await api.send("GET", "/players", params={"name": "Bo"})).status_code == NOT_FOUND:
        await api.register("Bo")

    problem = await api.refused("name_taken", "POST", "/players", json={"name": alike})

    assert alike in problem["detail"]


@pytest.mark.parametrize(
    ("body", "pointer", "word"),
    [
        ({}, "/name", "missing"),
        ({"name": 7}, "/name", "str"),
        ({"name": None}, "/name", "str"),
        ({"name": "A"}, "/name", "1 characters"),
        ({"name": "x" * 21}, "/name", "21 characters"),
        ({"name": "x" * 999}, "/name", "length"),
        ({"name": "Ana Maria"}, "/name", "' '"),
        ({"name": "An\0a"}, "/name", "U+0000"),
        ({"name": "An\u0430"}, "/name", "scripts"),
        ({"name": "me"}, "/name", "reserved"),
        ({"name": "Admin"}, "/name", "reserved"),
        ({"name": "Ana", "kind": "robot"}, "/kind", "bot, human"),
        ({"name": "Ana", "nick": "A"}, "/nick", "kind, name"),
        ({"name": "Ana", "a/b~": 1}, "/a~1b~0", "a/b~"),
        ([], "", "object"),
        ("Ana", "", "object"),
    ],
)
async def test_a_player_who_cannot_be_is_refused_at_the_field(
    sqlite_api: Api, body: Any, pointer: str, word: str
) -> None:
    problem = await sqlite_api.refused("invalid", "POST", "/players", json=body)

    assert problem["pointer"] == pointer
    assert word in problem["detail"]


async def test_one_of_many_who_want_a_name_at_once_gets_it(api: Api) -> None:
    wish = {"name": a_name()}

    calls = [api.send("POST", "/players", json=wish) for _ in range(12)]
    statuses = [response.status_code for response in await asyncio.gather(*calls)]

    assert sorted(statuses) == [201, *[409] * 11]


async def test_renaming_frees_the_old_name_and_is_told_to_rooms(api: Api) -> None:
    ana = await api.register()
    room_id = await ana.open()
    before = await api.get(f"/rooms/{room_id}")

    name = a_name("Zoe")

    renamed = (await ana.send("PATCH", "/players/me", json={"name": name})).json()

    assert renamed == ana.player | {"name": name}
    assert await ana.get("/players/me") == renamed
    after = await api.get(f"/rooms/{room_id}")
    assert after["host"] == after["standings"][0]["player"] == renamed
    assert after["version"] == before["version"] + 1
    assert (await api.get("/players", name=name.upper()))["player"] == renamed
    assert (await api.register(ana.player["name"])).id != ana.id


async def test_renaming_to_what_is_taken_or_cannot_be_changes_nothing(api: Api) -> None:
    ana, ben = await api.register(), await api.register()
    bens = ben.player["name"].upper()

    await ana.refused("name_taken", "PATCH", "/players/me", json={"name": bens})
    problem = await ana.refused("invalid", "PATCH", "/players/me", json={"name": "-"})
    await api.refused("unauthorized", "PATCH", "/players/me", json={"name": "Cleo"})

    assert problem["pointer"] == "/name"
    assert await ana.get("/players/me") == ana.player


async def test_one_may_change_how_ones_own_name_is_written(sqlite_api: Api) -> None:
    ana = await sqlite_api.register()

    louder = ana.player["name"].upper()

    response = await ana.send("PATCH", "/players/me", json={"name": louder})

    assert response.json()["name"] == louder


async def test_a_profile_is_found_by_id_and_by_name_without_a_token(api: Api) -> None:
    ana = await api.register()
    room_id = await ana.race()
    await ana.play(room_id, "12", "rf")
    await ana.resign(room_id)

    profile = await api.get(f"/players/{ana.id}")

    assert profile == await api.get("/players", name=ana.player["name"])
    assert (profile["player"], profile["games"], profile["wins"]) == (ana.player, 1, 0)
    assert [game["room"] for game in profile["recent_games"]] == [room_id]
    assert profile["recent_games"][0]["state"] == "resigned"


@pytest.mark.parametrize("path", ["/players/p_nobody", "/players/%00", "/players?name=Nobody"])
async def test_a_player_who_is_not_there_is_not_found(api: Api, path: str) -> None:
    await api.refused("not_found", "GET", path)


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("", "/name"),
        ("?name=", "/name"),
        ("?name=a%00", "/name"),
        ("?name=Ana&name=Ben", "/name"),
        ("?name=Ana&nick=", "/nick"),
        ("?name=" + "x" * 300, "/name"),
    ],
)
async def test_a_search_that_cannot_be_is_refused_at_the_parameter(
    api: Api, query: str, pointer: str
) -> None:
    problem = await api.refused("invalid", "GET", "/players" + query)

    assert problem["pointer"] == pointer


async def test_a_further_token_is_shown_once_and_listed_without_itself(api: Api) -> None:
    ana = await api.register()

    issued = await ana.post("/players/me/tokens", {"label": "phone"})

    phone = Player(api.client, issued["token"], ana.player)
    assert await phone.get("/players/me") == ana.player
    listed = (await ana.send("GET", "/players/me/tokens")).text
    assert issued["token"] not in listed
    assert str(ana.token) not in listed
    tokens = (await phone.get("/players/me/tokens"))["items"]
    assert [(token["label"], token["current"]) for token in tokens] == [
        ("first", False),
        ("phone", True),
    ]


async def test_tokens_are_listed_page_by_page(sqlite_api: Api) -> None:
    ana = await sqlite_api.register()
    for label in ("phone", "bot"):
        await ana.post("/players/me/tokens", {"label": label})

    first = await ana.get("/players/me/tokens", limit=2)
    second = await ana.get("/players/me/tokens", limit=2, after=first["next"])

    labels = [token["label"] for token in first["items"] + second["items"]]
    assert sorted(labels) == ["bot", "first", "phone"]
    assert second["next"] is None


@pytest.mark.parametrize("label", ["", "x" * 41, "a\0b", "two\nlines", 5])
async def test_a_label_is_one_short_line(api: Api, label: Any) -> None:
    ana = await api.register()

    problem = await ana.refused("invalid", "POST", "/players/me/tokens", json={"label": label})

    assert problem["pointer"] == "/label"


async def test_a_revoked_token_is_worthless_at_once(api: Api) -> None:
    ana = await api.register()
    issued = await ana.post("/players/me/tokens", {"label": "phone"})
    phone = Player(api.client, issued["token"], ana.player)

    assert (
        await ana.send("DELETE", f"/players/me/tokens/{issued['id']}")
    ).status_code == NO_CONTENT

    await phone.refused("unauthorized", "GET", "/players/me")
    await ana.refused("not_found", "DELETE", f"/players/me/tokens/{issued['id']}")
    assert await ana.get("/players/me") == ana.player


async def test_nobody_revokes_the_token_of_another(api: Api) -> None:
    ana, ben = await api.register(), await api.register()
    token = (await ana.get("/players/me/tokens"))["items"][0]

    await ben.refused("not_found", "DELETE", f"/players/me/tokens/{token['id']}")

    assert await ana.get("/players/me") == ana.player


async def test_who_leaves_for_good_is_nobody_and_the_name_is_free(api: Api) -> None:
    ana = await api.register()
    issued = await ana.post("/players/me/tokens", {"label": "phone"})

    assert (await ana.send("DELETE", "/players/me")).status_code == NO_CONTENT

    phone = Player(api.client, issued["token"], ana.player)
    for gone in (ana, phone):
        await gone.refused("unauthorized", "GET", "/players/me")
    await api.refused("not_found", "GET", f"/players/{ana.id}")
    name = ana.player["name"]
    await api.refused("not_found", "GET", "/players", params={"name": name})
    assert (await api.register(name)).id != ana.id


async def test_who_leaves_for_good_leaves_rooms_that_wait(api: Api) -> None:
    ana, ben = await api.register(), await api.register()
    shared, own = await ana.open(), await ana.open()
    await ben.post(f"/rooms/{shared}/join")

    await ana.send("DELETE", "/players/me")

    room = await api.get(f"/rooms/{shared}")
    assert (room["host"], room["player_count"]) == (ben.player, 1)
    assert (await api.get(f"/rooms/{own}"))["state"] == "cancelled"


async def test_who_leaves_for_good_resigns_and_results_stay_nameless(api: Api) -> None:
    ana, ben = await api.register(), await api.register()
    room_id = await ana.race(ben)
    await ana.play(room_id, "12", "rf")

    await ana.send("DELETE", "/players/me")

    nameless = {"id": ana.id, "name": "", "kind": "human"}
    room = await api.get(f"/rooms/{room_id}")
    assert room["state"] == "racing"
    first = room["standings"][0]
    assert (first["player"], first["state"], first["placed"]) == (nameless, "resigned", 2)
    await ben.resign(room_id)
    games = (await api.get(f"/rooms/{room_id}/games"))["items"]
    replay = await api.get(f"/games/{games[0]['id']}")
    assert (replay["player"], replay["moves"]) == (nameless, ["12", "rf"])


async def test_who_leaves_for_good_alone_in_a_race_finishes_it(api: Api) -> None:
    ana = await api.register()
    room_id = await ana.race()

    await ana.send("DELETE", "/players/me")

    room = await api.get(f"/rooms/{room_id}")
    assert (room["state"], room["standings"][0]["player"]["name"]) == ("finished", "")


async def test_who_leaves_for_good_after_winning_keeps_the_win(api: Api) -> None:
    ana, ben = await api.register(), await api.register()
    room_id = await ana.race(ben)
    await ana.win(room_id)

    assert (await ana.send("DELETE", "/players/me")).status_code == NO_CONTENT

    room = await api.get(f"/rooms/{room_id}")
    best = room["standings"][0]
    assert (room["state"], best["player"]["name"], best["state"]) == ("racing", "", "won")


async def test_tokens_and_leaving_are_for_those_with_a_token(sqlite_api: Api) -> None:
    for method, path in (
        ("GET", "/players/me"),
        ("DELETE", "/players/me"),
        ("GET", "/players/me/tokens"),
        ("POST", "/players/me/tokens"),
        ("DELETE", "/players/me/tokens/t_x"),
    ):
        await sqlite_api.refused("unauthorized", method, path)
