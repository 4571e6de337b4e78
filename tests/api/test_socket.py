import asyncio
import json
from contextlib import AsyncExitStack, suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from server.store.players import Identity, Players
from tests.api.driver import Api, Player, serving
from tests.api.listening import listening
from tests.game.builders import vectors

WIN: list[str] = vectors("example_win.json")


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

        assert (error["code"], error["pointer"]) == ("invalid", "/ready")
        assert error["detail"]
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


async def test_a_hello_that_came_in_time_may_take_the_server_longer(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(sqlite_url, hello_within_s=0.2) as api:
        ana = await api.register()
        room_id = await ana.open()
        identify = Players.identify

        async def identify_slowly(players: Players, token: str) -> Identity | None:
            await asyncio.sleep(0.5)
            return await identify(players, token)

        monkeypatch.setattr(Players, "identify", identify_slowly)
        async with listening(ana, room_id) as socket:
            assert (await socket.expect("welcome"))["room"]["id"] == room_id


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


async def test_a_ping_is_answered_with_the_same_t_and_the_servers_time(sqlite_api: Api) -> None:
    ana = await sqlite_api.register()
    async with listening(ana, await ana.open()) as socket:
        for t in (17, 1.5, "x", None):
            await socket.say("ping", t=t)
            assert (await socket.expect("pong"))["t"] == t


async def test_moves_sent_without_waiting_are_acknowledged_in_order(sqlite_api: Api) -> None:
    ana = await sqlite_api.register()
    room_id = await ana.race()
    async with listening(ana, room_id) as socket:
        for ply, move in enumerate(WIN[:60]):
            await socket.say("move", ply=ply, move=move)

        acks = [await socket.expect("ack") for _ in range(60)]
        assert [(ack["ply"], ack["move"]) for ack in acks] == [*enumerate(WIN[:60])]


async def test_the_newest_socket_plays_and_the_older_one_is_closed(sqlite_api: Api) -> None:
    ana = await sqlite_api.register()
    room_id = await ana.race()
    async with listening(ana, room_id) as older:
        await older.expect("game")
        async with listening(ana, room_id) as newer:
            assert await older.closed() == 4409
            await newer.expect("game")
            await newer.say("move", ply=0, move="12")
            assert (await newer.expect("ack"))["ply"] == 0


async def test_what_was_sent_by_a_socket_that_broke_is_played_and_may_be_sent_again(
    sqlite_api: Api,
) -> None:
    ana = await sqlite_api.register()
    room_id = await ana.race()
    async with listening(ana, room_id) as socket:
        await socket.expect("game")
        for ply, move in enumerate(WIN[:5]):
            await socket.say("move", ply=ply, move=move)
        await socket.expect("ack")  # so that some have arrived
        socket.connection.transport.abort()
    async with listening(ana, room_id) as socket:
        ply = (await socket.expect("game"))["ply"]
        for number, move in enumerate(WIN[:10]):
            await socket.say("move", ply=number, move=move)
        acks = [await socket.expect("ack") for _ in range(10)]

        assert 1 <= ply <= 5
        assert [ack["move"] for ack in acks] == WIN[:10]
        assert (await ana.get(f"/rooms/{room_id}/game"))["ply"] == 10


async def test_a_spectator_is_told_to_join_and_plays_once_joined(sqlite_api: Api) -> None:
    ana, ben = await sqlite_api.register(), await sqlite_api.register()
    room_id = await ana.open(countdown_s=0)
    async with listening(ben, room_id) as socket:
        for kind, fields in (
            ("move", {"ply": 0, "move": "d"}),
            ("ready", {"ready": True}),
            ("start", {}),
            ("resign", {}),
        ):
            await socket.say(kind, **fields)
            assert (await socket.expect("error"))["code"] == "not_a_player"

        await ben.post(f"/rooms/{room_id}/join")
        assert (await socket.expect("you"))["state"] == "joined"
        await ana.post(f"/rooms/{room_id}/start")
        await socket.expect("game")
        await socket.say("move", ply=0, move="d")
        assert (await socket.expect("ack"))["move"] == "d"


async def test_too_many_frames_end_the_socket_after_an_error_that_says_how_long_to_wait(
    sqlite_url: str,
) -> None:
    async with serving(sqlite_url, frames_per_s=5, frames_burst=10) as api:
        ana = await api.register()
        async with listening(ana, await ana.open()) as socket:
            for _ in range(30):
                await socket.connection.send('{"type": "ping"}')
            error = await socket.expect("error")

            assert error["code"] == "too_many_requests"
            assert 0 < error["retry_after_ms"] <= 200
            assert await socket.closed() == 4429


async def test_a_reader_that_is_too_slow_is_closed_and_others_are_not(sqlite_url: str) -> None:
    generous: dict[str, Any] = {"frames_per_s": 100_000, "frames_burst": 100_000}
    async with serving(sqlite_url, outbox_frames=16, **generous) as api:
        ana = await api.register()
        room_id = await ana.open()
        nobody = Api(ana.client)
        async with listening(nobody, room_id) as other, listening(ana, room_id) as slow:
            await slow.expect("welcome")
            slow.connection.transport.pause_reading()
            frame = json.dumps({"type": "ping", "t": "x" * 4000})
            with suppress(TimeoutError, ConnectionClosed):
                async with asyncio.timeout(3):  # the server takes no more once it has closed
                    for _ in range(5000):
                        await slow.connection.send(frame)
            slow.connection.transport.resume_reading()

            assert await slow.closed() == 4413
            await other.say("ping", t="still here")
            assert (await other.expect("pong"))["t"] == "still here"


async def test_all_sockets_are_told_that_the_server_restarts(sqlite_url: str) -> None:
    async with AsyncExitStack() as sockets:
        async with serving(sqlite_url) as api:
            ana, ben = await api.register(), await api.register()
            room_id = await ana.race(ben)
            open_ones = [
                await sockets.enter_async_context(listening(who, room_id))
                for who in (ana, ben, Api(ana.client))
            ]
            silent = await sockets.enter_async_context(listening(ana, room_id, hello=False))
            for socket in open_ones:
                await socket.expect("welcome")

        codes = [await socket.closed() for socket in [*open_ones, silent]]
        assert codes == [1012] * 4


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from(["ply", "move", "token", "since", "epoch", "offset", "ready", "t"])
KINDS = st.sampled_from(["hello", "move", "ready", "start", "resign", "sync", "ping", "welcome"])
VALUES = JSON | st.sampled_from([0, 1, True, "d", "12", "u", "w", {"epoch": "e", "offset": 1}])
FRAMES = st.builds(
    lambda kind, fields: json.dumps({"type": kind, **fields}),
    KINDS,
    st.dictionaries(FIELDS, VALUES, max_size=3),
)
ANYTHING = st.one_of(
    FRAMES,
    FRAMES,
    JSON.map(json.dumps),
    st.text(max_size=200),
    st.binary(max_size=200),
    st.sampled_from(
        [
            '{"type": "hello", "zzz": ' + "[" * 2000,
            '{"type": "hello", "zzz": ' + "[" * 1900 + "]" * 1900 + "}",
            '{"type": "ping", "t": ' + "9" * 400 + "}",
            "x" * 5000,
        ]
    ),
)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(hello=st.booleans(), frames=st.lists(ANYTHING, min_size=1, max_size=12))
async def test_whatever_a_socket_sends_it_is_answered_or_closed_and_others_play_on(
    sqlite_api: Api, hello: bool, frames: list[str | bytes]
) -> None:
    ana, ben = await sqlite_api.register(), await sqlite_api.register()
    room_id = await ana.race(ben)
    async with listening(ana, room_id, hello=hello) as socket:
        with suppress(ConnectionClosed):
            for frame in frames:
                await socket.connection.send(frame)
            await socket.say("ping", t="the last")
            while (await socket.expect("pong"))["t"] != "the last":
                pass
    if (end := socket.connection.close_code) is not None:
        assert end in (1000, 1009, 4400, 4401)
    async with listening(ben, room_id) as socket:
        await socket.expect("game")
        await socket.say("move", ply=0, move="12")
        assert (await socket.expect("ack"))["move"] == "12"
