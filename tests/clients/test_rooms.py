from __future__ import annotations

import json

import httpx2
import msgspec
from canfield_race_client import Client

from tests.clients.builders import ANA, a_room, a_standing


def recorded(answer: object) -> tuple[Client, list[httpx2.Request]]:
    """A client that gets one answer to everything, and what it asked."""
    seen: list[httpx2.Request] = []

    def handler(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return httpx2.Response(200, json=msgspec.to_builtins(answer))

    return Client("http://race.example", http_transport=httpx2.MockTransport(handler)), seen


async def test_a_call_that_changes_the_room_gives_it_and_keeps_it() -> None:
    client, seen = recorded(a_room(state="open"))
    async with client as me:
        room = me.room("k3x9q2ab")
        assert (await room.ready()).state == "open"
        assert room.snapshot == a_room(state="open")
    assert (seen[0].method, seen[0].url.path) == ("POST", "/api/v1/rooms/k3x9q2ab/ready")
    assert json.loads(seen[0].content) == {"ready": True}


async def test_a_list_of_moves_says_the_ply_of_its_first() -> None:
    answer = {"acks": [{"type": "ack", "ply": 3, "move": "12"}], "reject": None}
    client, seen = recorded(answer)
    async with client as me:
        played = await me.room("r").moves(3, ["12"])
    assert json.loads(seen[0].content) == {"ply": 3, "moves": ["12"]}
    assert [ack.move for ack in played.acks] == ["12"]


async def test_the_page_of_standings_with_me_is_asked_for() -> None:
    client, seen = recorded({"items": [a_standing(rank=1)], "next": "c1"})
    async with client as me:
        page = await me.room("r").standings(around_me=True)
    assert seen[0].url.query == b"around=me"
    assert page.next == "c1"
    assert page.items[0].rank == 1


async def test_a_room_id_cannot_lead_to_another_address() -> None:
    client, seen = recorded(a_room())
    async with client as me:
        await me.room("../players/me").get()
    assert seen[0].url.raw_path == b"/api/v1/rooms/..%2Fplayers%2Fme"


async def test_a_rematch_is_another_room() -> None:
    client, _ = recorded(a_room(id="next1234"))
    async with client as me:
        room = await me.room("k3x9q2ab").rematch()
    assert room.id == "next1234"


async def test_curves_are_those_of_the_best_or_of_those_around_me() -> None:
    client, seen = recorded([{"player": ANA, "points": [[0, 1], [4210, 2]]}])
    async with client as me:
        [curve] = await me.room("r").curves(around_me=True, limit=20)
        await me.room("r").curves()
    assert curve.points == [(0, 1), (4210, 2)]
    assert dict(seen[0].url.params) == {"around": "me", "limit": "20"}
    assert dict(seen[1].url.params) == {}


async def test_an_export_is_given_line_by_line() -> None:
    client, seen = recorded({"id": "g_1"})
    async with client as me:
        assert [line async for line in me.room("r").export()] == [b'{"id":"g_1"}']
    assert seen[0].url.path == "/api/v1/rooms/r/export"
