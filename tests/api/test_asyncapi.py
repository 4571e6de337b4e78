from typing import get_args

import pytest
from jsonschema import Draft202012Validator
from msgspec import Struct

from server.api.asyncapi import CLOSE_CODES, ROOM_EVENTS, TO_CLIENTS
from server.live import messages
from server.live.messages import FRAMES
from server.race.events import RoomEvent
from tests.api.driver import ASYNCAPI, Api, Player, a_name
from tests.api.listening import RECEIVED, SENT, Listener, listening


def test_the_document_has_the_shape_of_asyncapi_3() -> None:
    assert ASYNCAPI["asyncapi"] == "3.0.0"
    assert ASYNCAPI["info"].keys() >= {"title", "version"}
    channel = ASYNCAPI["channels"]["live"]
    assert channel["address"] == "/api/v1/rooms/{room}/live"
    assert channel["parameters"].keys() == {"room"}
    for operation in ASYNCAPI["operations"].values():
        assert operation["action"] in ("send", "receive")
        assert operation["channel"] == {"$ref": "#/channels/live"}
        answers = operation.get("reply", {}).get("messages", [])
        for reference in [*operation["messages"], *answers]:
            place, _, name = reference["$ref"].rpartition("/")
            assert place == "#/channels/live/messages"
            assert name in channel["messages"]


def test_every_schema_is_one() -> None:
    for schema in ASYNCAPI["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_every_frame_that_clients_send_is_described() -> None:
    assert RECEIVED.keys() == FRAMES.keys()
    assert len(get_args(messages.AnyClientFrame)) == len(RECEIVED)


def test_every_room_event_and_every_other_frame_is_described() -> None:
    assert set(RoomEvent.__subclasses__()) == set(ROOM_EVENTS)
    answers = {
        frame
        for frame in vars(messages).values()
        if isinstance(frame, type)
        and issubclass(frame, Struct)
        and frame.__struct_config__.tag is not None
        and str(frame.__struct_config__.tag) not in FRAMES.keys() - {"ready"}
        and not issubclass(frame, messages.ClientFrame)
        and frame is not RoomEvent
    }
    assert answers <= set(TO_CLIENTS)


def test_the_close_codes_are_listed_with_what_to_do() -> None:
    listed = ASYNCAPI["channels"]["live"]["x-close-codes"]

    assert [entry["code"] for entry in listed] == [code for code, _, _ in CLOSE_CODES]
    for entry in listed:
        assert f"- {entry['code']}: " in ASYNCAPI["channels"]["live"]["description"]


async def test_every_frame_of_a_race_is_as_described(sqlite_api: Api) -> None:
    ana, ben, cleo = [await sqlite_api.register() for _ in range(3)]
    room_id = await ana.open(countdown_s=0, code="CF1-D3-AAAAACL")
    async with listening(ana, room_id) as host, listening(sqlite_api, room_id) as watcher:
        await host.expect("you")
        await host.say("ready", ready=True)
        await watcher.expect("ready")
        await guests_come_and_go(ana, ben, cleo, room_id)
        await watcher.expect("kicked")
        await host.say("start")
        await watcher.expect("started")
        await host.expect("game")
        await the_race(host, watcher)
        await ben.resign(room_id)
        await host.say("resign")
        await watcher.expect("finished")
        await ana.post(f"/rooms/{room_id}/rematch")
        await watcher.expect("rematch")
        heard = {frame["type"] for frame in host.heard + watcher.heard}

    assert heard == SENT.keys() - {"cancelled"}


async def guests_come_and_go(host: Player, stays: Player, goes: Player, room_id: str) -> None:
    await stays.post(f"/rooms/{room_id}/join")
    await stays.send("PATCH", "/players/me", json={"name": a_name("Ben")})
    await goes.post(f"/rooms/{room_id}/join")
    await goes.post(f"/rooms/{room_id}/leave")
    await goes.post(f"/rooms/{room_id}/join")
    await host.post(f"/rooms/{room_id}/kick", {"player": goes.id})


async def the_race(host: Listener, watcher: Listener) -> None:
    await host.say("move", ply=0, move="12")
    await host.say("move", ply=1, move="u")
    await host.say("move", ply=9, move="12")
    await host.say("ping", t=1.5)
    await host.say("sync")
    await watcher.say("start")
    await watcher.expect("error")
    await host.expect("game")  # what `sync` asked for: everything before it has been answered


async def test_a_room_that_is_cancelled_says_so_as_described(sqlite_api: Api) -> None:
    ana = await sqlite_api.register()
    room_id = await ana.open()
    async with listening(sqlite_api, room_id) as watcher:
        await watcher.expect("welcome")
        await ana.post(f"/rooms/{room_id}/cancel")

        assert (await watcher.expect("cancelled"))["reason"] == "host"


@pytest.mark.parametrize("frame", sorted(SENT))
def test_every_frame_is_told_apart_by_its_type(frame: str) -> None:
    schema = ASYNCAPI["components"]["schemas"][SENT[frame]]

    assert schema["properties"]["type"]["enum"] == [frame]
    assert "type" in schema["required"]
