import asyncio
from collections import Counter
from typing import Any

import pytest

from server.clock import ManualClock
from server.race.deals import Chance
from tests.api.driver import EXAMPLE, WIN, Api, serving
from tests.api.test_rooms import NOON


async def test_moves_are_acknowledged_in_order(api: Api) -> None:
    ana = await api.register()
    room_id = await ana.race()

    played = await ana.play(room_id, *WIN[:5])

    assert played["reject"] is None
    assert [ack["ply"] for ack in played["acks"]] == [0, 1, 2, 3, 4]
    assert [ack["move"] for ack in played["acks"]] == WIN[:5]
    game = await ana.get(f"/rooms/{room_id}/game")
    last = played["acks"][-1]
    assert (game["ply"], game["hash"], game["score"]) == (5, last["hash"], last["score"])


async def test_a_refused_move_ends_the_list_and_what_came_before_counts(api: Api) -> None:
    ana = await api.register()
    room_id = await ana.race()

    played = await ana.play(room_id, "12", "rf", "21", "d", "d")

    assert [ack["ply"] for ack in played["acks"]] == [0, 1]
    reject = played["reject"]
    assert (reject["ply"], reject["code"], reject["next_ply"]) == (2, "illegal_move", 2)
    assert (await ana.get(f"/rooms/{room_id}/game"))["ply"] == 2


@pytest.mark.parametrize(
    ("text", "code"), [("", "bad_move"), ("12\0", "bad_move"), ("x" * 900, "bad_move")]
)
async def test_a_text_that_is_no_move_is_rejected(api: Api, text: str, code: str) -> None:
    ana = await api.register()
    room_id = await ana.race()

    reject = (await ana.play(room_id, text))["reject"]

    assert (reject["code"], reject["next_ply"]) == (code, 0)


async def test_repeats_are_acknowledged_again_and_count_once(api: Api) -> None:
    ana = await api.register()
    room_id = await ana.race()
    first = await ana.play(room_id, *WIN[:5])

    again = await ana.play(room_id, *WIN[:5])
    middle = await ana.play(room_id, *WIN[2:7], ply=2)

    assert again == first
    assert middle["acks"][:3] == first["acks"][2:]
    assert [ack["ply"] for ack in middle["acks"]] == [2, 3, 4, 5, 6]
    assert (await ana.get(f"/rooms/{room_id}/game"))["ply"] == 7


async def test_the_same_moves_sent_many_times_at_once_count_once(api: Api) -> None:
    ana = await api.register()
    room_id = await ana.race()

    answers = await asyncio.gather(*(ana.play(room_id, *WIN[:10]) for _ in range(8)))

    for answer in answers:
        assert (len(answer["acks"]), answer["reject"]) == (10, None)
    assert (await ana.get(f"/rooms/{room_id}/game"))["ply"] == 10


async def test_another_move_where_one_stands_is_a_conflict(api: Api) -> None:
    ana = await api.register()
    room_id = await ana.race()
    await ana.play(room_id, "12", "rf")

    played = await ana.play(room_id, "d", "rf")

    assert played["acks"] == []  # a repeat after what ended the list is not looked at
    reject = played["reject"]
    assert (reject["ply"], reject["code"], reject["next_ply"]) == (0, "ply_conflict", 2)


async def test_a_move_ahead_of_its_turn_is_a_gap(api: Api) -> None:
    ana = await api.register()
    room_id = await ana.race()

    reject = (await ana.play(room_id, "d", ply=3))["reject"]

    assert (reject["ply"], reject["code"], reject["next_ply"]) == (3, "ply_gap", 0)


async def test_nobody_plays_on_after_the_game_but_repeats_are_acknowledged(api: Api) -> None:
    ana, ben = await api.register(), await api.register()
    room_id = await ana.race(ben)
    first = await ana.play(room_id, "12")
    await ana.resign(room_id)

    assert (await ana.play(room_id, "rf", ply=1))["reject"]["code"] == "not_racing"
    assert await ana.play(room_id, "12") == first
    await ben.resign(room_id)
    assert await ana.play(room_id, "12") == first


async def test_an_undo_brings_the_whole_view(sqlite_api: Api) -> None:
    ana = await sqlite_api.register()
    room_id = await ana.race()
    start = await ana.get(f"/rooms/{room_id}/game")

    ack = (await ana.play(room_id, "12", "u"))["acks"][1]

    assert (ack["move"], ack["revealed"]) == ("u", [])
    assert ack["game"]["position"] == start["position"]


async def test_undo_is_rejected_where_the_room_has_it_off(sqlite_api: Api) -> None:
    ana = await sqlite_api.register()
    room_id = await ana.race(undo=False)

    assert (await ana.play(room_id, "12", "u"))["reject"]["code"] == "undo_off"


async def test_the_winner_is_first_and_the_room_finishes(api: Api) -> None:
    ana, ben = await api.register(), await api.register()
    room_id = await ana.race(ben)
    played = await ana.win(room_id)

    racing = await api.get(f"/rooms/{room_id}")
    finished = await ben.resign(room_id)

    assert played["acks"][-1]["state"] == "won"
    assert racing["state"] == "racing"
    best = finished["standings"][0]
    assert (best["player"], best["state"], best["rank"]) == (ana.player, "won", 1)
    assert (best["placed"], best["actions"]) == (52, len(WIN))


async def test_a_move_arrives_when_its_last_byte_does(sqlite_url: str) -> None:
    clock = ManualClock(NOON)
    async with serving(sqlite_url, clock=clock) as api:
        ana = await api.register()
        room_id = await ana.race(time_limit_s=60)

        async def slowly() -> Any:
            yield b'{"ply": 0, '
            for _ in range(3):  # by then the server has begun to read
                await ana.get("/players/me")
            clock.advance(ms=60_100)  # too late, though the room has not been finished yet
            yield b'"moves": ["12"]}'

        response = await ana.send("POST", f"/rooms/{room_id}/moves", content=slowly())

        assert response.json()["reject"]["code"] == "not_racing"


async def test_move_times_are_the_servers(sqlite_url: str) -> None:
    clock = ManualClock(NOON)
    async with serving(sqlite_url, clock=clock) as api:
        ana = await api.register()
        room_id = await ana.race()
        clock.advance(ms=1500)
        await ana.play(room_id, "12")
        clock.advance(ms=2500)

        ack = (await ana.play(room_id, "rf", ply=1))["acks"][0]

        assert (ack["elapsed_ms"], ack["at_ms"]) == (4000, 4000)
        clock.advance(ms=1000)
        game = await ana.get(f"/rooms/{room_id}/game")
        assert (game["elapsed_ms"], game["at_ms"]) == (5000, 4000)


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"moves": ["d"]}, "/ply"),
        ({"ply": -1, "moves": ["d"]}, "/ply"),
        ({"ply": 2**31, "moves": ["d"]}, "/ply"),
        ({"ply": 2**80, "moves": ["d"]}, "/ply"),
        ({"ply": 0.5, "moves": ["d"]}, "/ply"),
        ({"ply": 0}, "/moves"),
        ({"ply": 0, "moves": []}, "/moves"),
        ({"ply": 0, "moves": ["d"] * 101}, "/moves"),
        ({"ply": 0, "moves": "d"}, "/moves"),
        ({"ply": 0, "moves": ["d", "d", 7]}, "/moves/2"),
        ({"ply": 0, "moves": [["d"]]}, "/moves/0"),
        ({"ply": 0, "moves": ["d"], "move": "d"}, "/move"),
    ],
)
async def test_moves_that_cannot_be_are_refused_at_the_field(
    sqlite_api: Api, body: Any, pointer: str
) -> None:
    ana = await sqlite_api.register()
    room_id = await ana.race()

    problem = await ana.refused("invalid", "POST", f"/rooms/{room_id}/moves", json=body)

    assert problem["pointer"] == pointer


@pytest.mark.parametrize(("method", "path"), [("GET", "game"), ("POST", "moves")])
async def test_only_players_of_a_started_room_have_a_game(api: Api, method: str, path: str) -> None:
    ana, ben = await api.register(), await api.register()
    waiting, racing = await ana.open(), await ana.race()
    body = {"json": {"ply": 0, "moves": ["d"]}} if method == "POST" else {}

    problem = await ana.refused("wrong_state", method, f"/rooms/{waiting}/{path}", **body)

    assert problem["state"] == "open"
    await ben.refused("not_a_player", method, f"/rooms/{racing}/{path}", **body)
    await ana.refused("not_found", method, f"/rooms/nowhere/{path}", **body)
    await api.refused("unauthorized", method, f"/rooms/{racing}/{path}", **body)


async def test_a_sealed_game_shows_no_card_that_has_not_been_turned_up(sqlite_api: Api) -> None:
    ana = await sqlite_api.register()
    room_id = await ana.race(code=None, sealed=True)

    game = await ana.get(f"/rooms/{room_id}/game")

    shown = [*game["waste"], game["reserve_top"], *(c for pile in game["columns"] for c in pile)]
    assert (len(shown), game["stock_count"], game["reserve_count"]) == (5, 34, 13)


async def test_games_are_shown_once_the_room_has_finished(api: Api) -> None:
    ana, ben = await api.register(), await api.register()
    room_id = await ana.race(ben)
    await ana.play(room_id, "12", "rf")
    await ana.resign(room_id)
    early = await api.refused("wrong_state", "GET", f"/rooms/{room_id}/games")
    await ben.resign(room_id)

    games = (await api.get(f"/rooms/{room_id}/games"))["items"]
    replay = await api.get(f"/games/{games[0]['id']}")

    assert early["state"] == "racing"
    assert [game["player"] for game in games] == [ana.player, ben.player]
    room = await api.get(f"/rooms/{room_id}")
    assert [game["result"] for game in games] == room["standings"]
    assert (replay["moves"], replay["code"]) == (["12", "rf"], EXAMPLE)
    assert (replay["commitment"], replay["nonce"]) == (room["commitment"], room["nonce"])
    assert len(replay["times_ms"]) == 2
    assert replay["result"] == games[0]["result"]


class Recording(Chance):
    """Chance that remembers every identifier it gave."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[str] = []

    def identifier(self, length: int = 10) -> str:
        self.given.append(super().identifier(length))
        return self.given[-1]


async def test_a_game_that_has_ended_is_not_shown_before_its_room_has(database_url: str) -> None:
    chance = Recording()
    async with serving(database_url, chance=chance) as api:
        ana, ben = await api.register(), await api.register()
        room_id = await ana.race(ben)
        await ana.play(room_id, "12")
        await ana.resign(room_id)

        early = [await api.send("GET", f"/games/{one}") for one in chance.given]
        await ben.resign(room_id)
        late = [await api.send("GET", f"/games/{one}") for one in chance.given]

        assert Counter(answer.status_code for answer in early)[403] == 2
        assert Counter(answer.status_code for answer in late)[200] == 2
        assert not any(answer.is_success for answer in early)


async def test_games_come_page_by_page(sqlite_api: Api) -> None:
    ana, ben = await sqlite_api.register(), await sqlite_api.register()
    room_id = await ana.race(ben)
    for player in (ana, ben):
        await player.resign(room_id)
    path = f"/rooms/{room_id}/games"

    first = await sqlite_api.get(path, limit=1)
    second = await sqlite_api.get(path, limit=1, after=first["next"])

    assert first["items"] + second["items"] == (await sqlite_api.get(path))["items"]
    assert second["next"] is None


@pytest.mark.parametrize("game", ["nothing", "%00", "a%0Ab"])
async def test_a_game_that_is_not_there_is_not_found(api: Api, game: str) -> None:
    await api.refused("not_found", "GET", f"/games/{game}")


async def test_progress_is_shown_while_it_runs_and_hidden_before(api: Api) -> None:
    ana, ben = await api.register(), await api.register()
    waiting = await ana.open()
    room_id = await ana.race(ben)
    await ana.play(room_id, *WIN[:5])

    curves = await api.get(f"/rooms/{room_id}/curves")

    assert [curve["player"] for curve in curves] == [ana.player, ben.player]
    assert curves[1]["points"] == [[0, 1]]
    assert [placed for _, placed in curves[0]["points"]] == [1, 2]
    problem = await api.refused("wrong_state", "GET", f"/rooms/{waiting}/curves")
    assert problem["state"] == "open"
    await api.refused("not_found", "GET", "/rooms/nowhere/curves")


async def test_any_code_can_be_dealt(sqlite_api: Api) -> None:
    deal = await sqlite_api.get(f"/deals/{EXAMPLE.lower()}")

    assert deal["code"] == EXAMPLE
    assert len(set(deal["deck"])) == 52
    dealt = [*deal["reserve"], *(card for pile in deal["columns"] for card in pile), *deal["stock"]]
    assert len(dealt) == 51  # and the base card
    assert deal["deck"][:13] == deal["reserve"]


@pytest.mark.parametrize("code", ["nonsense", "CF1-D2-AAAAACL", "XX1-D3-AAAAACL", "%20"])
async def test_a_code_that_names_no_game_is_refused(sqlite_api: Api, code: str) -> None:
    problem = await sqlite_api.refused("invalid", "GET", f"/deals/{code}")

    assert problem["pointer"] == "/code"
