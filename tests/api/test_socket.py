import pytest

from tests.api.driver import Api, Player, serving
from tests.api.listening import listening


async def test_a_frame_that_is_no_json_object_ends_the_socket(sqlite_api: Api) -> None:
    ana = await sqlite_api.register()
    room_id = await ana.open()
    for frame in ("{", "[]", '{"type": "shout"}', b'{"type": "hello"}'):
        async with listening(ana, room_id) as socket:
            await socket.connection.send(frame)

            assert await socket.closed() == 4400


@pytest.mark.parametrize("frame", ['{"type": "sync"}', '{"type": "move", "ply": 0, "move": "d"}'])
async def test_the_first_frame_is_hello(sqlite_api: Api, frame: str) -> None:
    ana = await sqlite_api.register()
    async with listening(ana, await ana.open(), hello=False) as socket:
        await socket.connection.send(frame)

        assert await socket.closed() == 4400


async def test_a_frame_with_wrong_fields_is_told_and_the_socket_stays(sqlite_api: Api) -> None:
    ana = await sqlite_api.register()
    async with listening(ana, await ana.open()) as socket:
        await socket.connection.send('{"type": "ready", "ready": "yes"}')
        error = await socket.expect("error")
        await socket.say("ping", t="still here")

        assert error["code"] == "invalid"
        assert "ready" in error["detail"]
        assert (await socket.expect("pong"))["t"] == "still here"


async def test_a_frame_over_the_limit_ends_the_socket(sqlite_api: Api) -> None:
    ana = await sqlite_api.register()
    async with listening(ana, await ana.open()) as socket:
        await socket.connection.send('{"type": "ping", "t": "' + "x" * 5000 + '"}')

        assert await socket.closed() == 1009


async def test_a_socket_of_no_room_or_with_a_bad_token_is_closed(sqlite_api: Api) -> None:
    ana = await sqlite_api.register()
    room_id = await ana.open()
    async with listening(ana, "nowhere") as socket:
        assert await socket.closed() == 4404
    async with listening(Api(ana.client, "nonsense"), room_id) as socket:
        assert await socket.closed() == 4401


async def test_a_socket_that_says_nothing_is_closed(sqlite_url: str) -> None:
    async with serving(sqlite_url, hello_within_s=0.1) as api:
        ana = await api.register()
        async with listening(ana, await ana.open(), hello=False) as socket:
            assert await socket.closed() == 4408


async def test_sockets_of_a_revoked_token_are_closed(sqlite_api: Api) -> None:
    ana = await sqlite_api.register()
    room_id = await ana.open()
    issued = await ana.post("/players/me/tokens", {"label": "phone"})
    phone = Player(ana.client, issued["token"], ana.player)
    async with listening(phone, room_id) as socket:
        await socket.expect("welcome")
        await ana.send("DELETE", f"/players/me/tokens/{issued['id']}")

        assert await socket.closed() == 4401


async def test_sockets_of_a_player_who_leaves_for_good_are_closed_and_others_told(
    sqlite_api: Api,
) -> None:
    ana, ben = await sqlite_api.register(), await sqlite_api.register()
    room_id = await ana.race(ben)
    async with listening(ana, room_id) as own, listening(ben, room_id) as other:
        await own.expect("game")
        await other.expect("game")
        await ana.send("DELETE", "/players/me")

        assert await own.closed() == 4401
        renamed = await other.expect("renamed")
        assert renamed["player"] == {"id": ana.id, "name": "", "kind": "human"}
        standings = [frame for frame in other.heard if frame["type"] == "standings"]
        mine = [e for f in standings for e in f["entries"] if e["player"]["id"] == ana.id]
        assert not mine or mine[-1]["state"] in ("racing", "resigned")


async def test_a_move_over_rest_is_acknowledged_on_the_socket_as_well(sqlite_api: Api) -> None:
    ana = await sqlite_api.register()
    room_id = await ana.race()
    async with listening(ana, room_id) as socket:
        await socket.expect("game")
        played = await ana.play(room_id, "12")

        ack = await socket.expect("ack")
        assert {name: ack[name] for name in played["acks"][0]} == played["acks"][0]
