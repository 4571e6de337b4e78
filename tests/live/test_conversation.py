import asyncio

import msgspec
import pytest

from server.clock import ManualClock
from server.live.conversation import Limits
from server.live.offsets import Place
from server.race.errors import Unavailable
from server.race.room import Room
from server.store.database import Database
from server.store.players import Players
from tests.live.builders import OPENING, a_node, brief, until
from tests.race.builders import ANA, BO, CY, STRANGER, after
from tests.store.builders import a_kept_room, register, rows

# Hello


async def test_hello_is_answered_by_the_room_as_it_is(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2)
        with node.socket(room.id) as socket:
            await socket.hello(ANA)

            [welcome, you] = socket.listen()
            assert (welcome["type"], you["type"]) == ("welcome", "you")
            assert welcome["epoch"] == await node.truth.epoch()
            assert welcome["offset"] == Place(room.version, 0).offset
            assert welcome["recovered"] is False
            assert welcome["server_time"] == "2026-11-29T19:00:20.000Z"
            assert welcome["room"] == msgspec.to_builtins(await node.hub.view(room))
            assert (you["player"]["id"], you["host"], you["state"]) == (ANA.id, True, "joined")
            assert you["entry"] == welcome["room"]["standings"][0]


async def test_a_player_in_a_race_is_shown_the_game_as_well(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)
        with node.socket(room.id) as socket:
            await socket.hello(ANA)

            frames = socket.listen()
            assert [frame["type"] for frame in frames] == ["welcome", "you", "game"]
            assert (frames[2]["ply"], frames[2]["elapsed_ms"]) == (0, 10_000)


@pytest.mark.parametrize("who", [None, STRANGER])
async def test_who_has_not_joined_watches(lite: Database, who: object) -> None:
    async with a_node(lite) as node:
        await register(lite, STRANGER)
        room = await a_kept_room(lite, players=2, racing=True)
        with node.socket(room.id) as socket:
            await socket.hello(STRANGER if who else None)

            [welcome] = socket.listen()
            assert welcome["room"]["spectators"] == 1
            for frame in (
                {"type": "move", "ply": 0, "move": "d"},
                {"type": "ready", "ready": True},
                {"type": "start"},
                {"type": "resign"},
                {"type": "sync"},
            ):
                await socket.raw(msgspec.json.encode(frame).decode())
                [error] = socket.listen()
                assert (error["type"], error["code"]) == ("error", "not_a_player")
            assert socket.outbox.close_code is None


async def test_hello_is_said_once(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2)
        with node.socket(room.id) as socket:
            await socket.hello(ANA)
            socket.listen()

            await socket.hello(BO)

            [error] = socket.listen()
            assert (error["code"], error["pointer"]) == ("invalid", "/type")
            assert socket.conversation.player == ANA
            assert socket.outbox.close_code is None


async def test_a_token_that_nobody_holds_closes_the_socket(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1)
        with node.socket(room.id) as socket:
            await socket.hello(STRANGER)

            assert await socket.closed() == 4401
            assert socket.heard == []


async def test_a_room_that_is_not_there_closes_the_socket(lite: Database) -> None:
    async with a_node(lite) as node:
        for room_id in ("nowhere", "a\0b"):
            with node.socket(room_id) as socket:
                await socket.hello()

                assert await socket.closed() == 4404


@pytest.mark.parametrize("kind", ["sync", "start", "resign", "ping"])
async def test_what_comes_before_hello_closes_the_socket(lite: Database, kind: str) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1)
        for frame in (f'{{"type": "{kind}"}}', '{"type": "move", "ply": 0, "move": "d"}'):
            with node.socket(room.id) as socket:
                await socket.raw(frame)

                assert await socket.closed() == 4400


async def test_storage_that_does_not_answer_hello_is_told_and_hello_may_be_said_again(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1)

        async def away(_room_id: str) -> Room:
            raise Unavailable("the database is away", retry_after_s=2)

        with node.socket(room.id) as socket:
            with monkeypatch.context() as patch:
                patch.setattr(node.rooms, "load", away)
                await socket.hello(ANA)
            [error] = socket.listen()
            await socket.hello(ANA)

            assert (error["code"], error["retry_after_ms"]) == ("unavailable", 2000)
            assert socket.listen()[0]["type"] == "welcome"


async def test_a_game_that_cannot_be_read_closes_the_socket_so_that_it_comes_back(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1, racing=True)

        async def away(_game_id: str) -> object:
            raise Unavailable("the database is away")

        monkeypatch.setattr(node.games, "log", away)
        with node.socket(room.id) as socket:
            await socket.hello(ANA)

            assert await socket.closed() == 4500


# Frames


async def test_a_frame_with_wrong_fields_is_told_with_a_pointer_and_the_socket_stays(
    lite: Database,
) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1)
        with node.socket(room.id) as socket:
            await socket.hello(ANA)
            socket.listen()

            await socket.raw('{"type": "move", "ply": -1, "move": "d"}')

            [error] = socket.listen()
            assert (error["code"], error["pointer"]) == ("invalid", "/ply")
            assert socket.outbox.close_code is None


async def test_a_ping_is_answered_with_the_same_t(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1)
        with node.socket(room.id) as socket:
            await socket.hello()
            socket.listen()

            await socket.say("ping", t=17)

            at = "2026-11-29T19:00:20.000Z"
            assert socket.listen() == [{"type": "pong", "t": 17, "server_time": at}]


FEW = Limits(frames_per_s=10, frames_burst=10, outbox_frames=100)


@pytest.mark.parametrize("frame", ['{"type": "ping"}', '{"type": "ping", "t": []}'])
async def test_too_many_frames_are_told_how_long_to_wait_and_close_the_socket(
    lite: Database, frame: str
) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1)
        with node.socket(room.id, limits=FEW) as socket:
            await socket.hello()
            for _ in range(9):
                await socket.raw(frame)
            assert socket.outbox.close_code is None

            await socket.raw(frame)

            assert await socket.closed() == 4429
            error = socket.heard[-1]
            assert (error["code"], error["retry_after_ms"]) == ("too_many_requests", 100)


async def test_costly_frames_cost_more(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1, racing=True)
        with node.socket(room.id, limits=FEW) as socket:
            await socket.hello(ANA)
            for _ in range(4):
                await socket.say("sync")
            assert socket.outbox.close_code is None

            await socket.say("sync")

            assert await socket.closed() == 4429


async def test_moves_at_human_speed_are_never_too_many(lite: Database) -> None:
    clock = ManualClock(after(20))
    async with a_node(lite, clock=clock) as node:
        room = await a_kept_room(lite, players=1, racing=True)
        with node.socket(room.id, limits=FEW) as socket:
            await socket.hello(ANA)
            for ply in range(100):
                clock.advance(ms=100)
                await socket.play("d", ply=ply)

            assert {answer["type"] for answer in await socket.answers(100)} == {"ack"}


# Playing


async def test_moves_are_answered_in_order_without_waiting_for_answers(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1, racing=True)
        with node.socket(room.id) as socket:
            await socket.hello(ANA)

            await socket.play(*OPENING)

            answers = [brief(answer) for answer in await socket.answers(len(OPENING))]
            assert answers == [("ack", ply, move) for ply, move in enumerate(OPENING)]


async def test_a_move_before_the_start_is_refused_and_the_same_socket_plays_later(
    lite: Database,
) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1, countdown_s=0)
        with node.socket(room.id) as socket:
            await socket.hello(ANA)
            await socket.play("12")
            [early] = await socket.answers(1)
            await socket.say("start")
            await socket.play("12")
            [ack] = await socket.answers(1)

            assert brief(early) == ("not_racing", 0, 0)
            assert brief(ack) == ("ack", 0, "12")


async def test_sync_before_the_start_tells_the_rooms_state(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1)
        with node.socket(room.id) as socket:
            await socket.hello(ANA)
            await socket.say("start")
            socket.listen()

            await socket.say("sync")

            [error] = socket.listen()
            assert (error["code"], error["state"]) == ("wrong_state", "countdown")


async def test_commands_do_what_they_do_over_rest_and_refusals_are_told(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, countdown_s=0)
        with node.socket(room.id) as ana, node.socket(room.id) as bo:
            await ana.hello(ANA)
            await bo.hello(BO)
            await bo.say("start")
            assert (await bo.expect("error"))["code"] == "not_host"

            await bo.say("ready", ready=True)
            assert (await ana.expect("ready"))["player"]["id"] == BO.id
            await ana.say("start")
            await bo.expect("started")
            await bo.expect("game")
            await bo.say("resign")
            await bo.say("resign")
            await ana.say("resign")
            finished = await bo.expect("finished")

            states = {s["player"]["id"]: s["state"] for s in finished["standings"]}
            assert states == {ANA.id: "resigned", BO.id: "resigned"}
            assert not any(frame["type"] == "error" for frame in ana.heard)


async def test_everyone_is_shown_the_own_game_at_the_start(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, countdown_s=0)
        with node.socket(room.id) as ana, node.socket(room.id) as bo, node.socket(room.id) as eye:
            await ana.hello(ANA)
            await bo.hello(BO)
            await eye.hello()
            await ana.say("start")

            games = [await socket.expect("game") for socket in (ana, bo)]
            assert [game["ply"] for game in games] == [0, 0]
            await eye.expect("standings")
            assert not {"game", "you", "ack"} & {frame["type"] for frame in eye.heard}


async def test_sync_shows_what_is_on_disk_after_everything_before_it(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1, racing=True)
        with node.socket(room.id) as socket:
            await socket.hello(ANA)
            socket.listen()
            node.gate.hold()
            await socket.play("12", "rf")

            syncing = asyncio.create_task(socket.say("sync"))
            await node.gate.began.wait()
            assert socket.listen() == []
            node.gate.release()
            await syncing

            kinds = [frame["type"] for frame in socket.listen() if frame["type"] != "standings"]
            assert kinds == ["ack", "ack", "game"]
            assert socket.heard[-1]["ply"] == 2


async def test_a_move_in_steady_state_asks_the_database_for_nothing(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1, racing=True)
        with node.socket(room.id) as socket:
            await socket.hello(ANA)
            await socket.play("12")
            await socket.answers(1)

            def asked() -> object:
                raise AssertionError("the database was asked")

            monkeypatch.setattr(lite, "read", asked)
            monkeypatch.setattr(lite, "write", asked)
            await socket.play(*OPENING[1:], ply=1)
            await socket.play("what", ply=9)

            assert [answer["type"] for answer in await socket.answers(6)] == ["ack"] * 5 + [
                "reject"
            ]


# More than one socket


async def test_a_socket_that_connects_is_shown_no_move_that_is_not_on_disk(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1, racing=True)
        with node.socket(room.id) as old, node.socket(room.id) as new:
            await old.hello(ANA)
            node.gate.lose = ["before"]
            node.gate.hold()
            await old.play("12")
            await node.gate.began.wait()

            greeting = asyncio.create_task(new.hello(ANA))
            await until(lambda: old.outbox.close_code)
            assert old.outbox.close_code == 4409
            assert not any(frame["type"] == "game" for frame in new.listen())
            node.gate.release()
            await greeting

            assert (await new.expect("game"))["ply"] == 0
            await new.play("12")
            assert brief((await new.answers(1))[0]) == ("ack", 0, "12")


async def test_answers_go_to_the_newest_socket_and_the_older_one_plays_no_more(
    lite: Database,
) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1, racing=True)
        with node.socket(room.id) as old, node.socket(room.id) as new:
            await old.hello(ANA)
            await new.hello(ANA)
            old.listen()
            new.listen()

            await old.play("12")
            await new.play("d")

            assert old.listen() == []
            assert [brief(answer) for answer in await new.answers(1)] == [("ack", 0, "d")]


async def test_a_socket_that_was_replaced_while_it_looked_for_its_game_does_not_take_it_back(
    lite: Database,
) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1, racing=True)
        may_go_on = asyncio.Event()
        node.games.slowly = may_go_on.wait
        with node.socket(room.id) as old, node.socket(room.id) as new:
            greeting = asyncio.create_task(old.hello(ANA))
            await until(lambda: node.games.logs_read == 1)
            taking_over = asyncio.create_task(new.hello(ANA))
            await until(lambda: old.outbox.close_code is not None)
            may_go_on.set()
            await greeting
            await taking_over

            assert old.outbox.close_code == 4409
            assert node.session_of(room, ANA).outbox is new.outbox
            await new.play("12")
            assert [brief(answer) for answer in await new.answers(1)] == [("ack", 0, "12")]


async def test_a_socket_that_has_gone_leaves_its_game_to_the_next(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1, racing=True)
        with node.socket(room.id) as socket:
            await socket.hello(ANA)
            await socket.play("12")  # and goes before the answer
        session = node.session_of(room, ANA)
        await session.settled()
        assert session.idle

        with node.socket(room.id) as socket:
            await socket.hello(ANA)
            assert (await socket.expect("game"))["ply"] == 1


async def test_a_spectator_becomes_a_player_and_a_spectator_again(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2)
        await register(lite, CY)
        with node.socket(room.id) as cy:
            await cy.hello(CY)
            cy.listen()

            await node.join(room.id, CY)
            assert [frame["type"] for frame in cy.listen()] == ["joined", "you"]
            await cy.say("ready", ready=True)
            assert (await cy.expect("ready"))["player"]["id"] == CY.id

            await node.referee.change(room.id, lambda room, at: room.leave(CY, at=at))
            cy.listen()
            await cy.say("ready", ready=False)
            assert [frame["code"] for frame in cy.listen()] == ["not_a_player"]

            await node.join(room.id, CY)
            await node.referee.change(
                room.id, lambda room, at: room.kick(ANA, target_id=CY.id, at=at)
            )
            assert (await cy.expect("kicked"))["player"]["id"] == CY.id
            cy.listen()
            await cy.say("ready", ready=True)
            assert [frame["code"] for frame in cy.listen()] == ["not_a_player"]


async def test_nobody_gets_an_answer_or_a_game_of_somebody_else(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)
        with node.socket(room.id) as ana, node.socket(room.id) as bo, node.socket(room.id) as eye:
            for socket, player in ((ana, ANA), (bo, BO), (eye, None)):
                await socket.hello(player)
                socket.listen()

            await ana.play(*OPENING)
            await ana.play("u", ply=len(OPENING))
            await ana.answers(len(OPENING) + 1)
            await ana.say("sync")
            await eye.expect("standings")

            assert {frame["type"] for frame in bo.listen()} == {"standings"}
            assert {frame["type"] for frame in eye.heard} == {"welcome", "standings"}


async def test_a_socket_of_a_token_revoked_during_its_hello_is_closed(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1, racing=True)
        real_load = node.rooms.load

        async def revoke_meanwhile(room_id: str) -> Room:
            await Players(lite).revoke_token(ANA, f"t_{ANA.id}")
            node.hub.revoke(f"t_{ANA.id}")
            return await real_load(room_id)

        with node.socket(room.id) as socket:
            monkeypatch.setattr(node.rooms, "load", revoke_meanwhile)
            await socket.hello(ANA)

            assert await socket.closed() == 4401
            assert socket.heard == []


async def test_a_command_is_told_even_if_its_socket_goes_meanwhile(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2)
        with node.socket(room.id) as bo:
            await bo.hello(BO)
            with node.socket(room.id) as ana:
                await ana.hello(ANA)
                starting = asyncio.create_task(ana.say("start"))
                await until(lambda: node.referee._locks.get(room.id))
                starting.cancel()
                await asyncio.gather(starting, return_exceptions=True)

            await bo.expect("countdown")
            assert await rows(lite, "SELECT state FROM rooms") == [("countdown",)]
