import asyncio
import gc
import weakref
from itertools import pairwise
from typing import Any

import pytest

from server.live import ticker as ticker_module
from server.live.buses.bus import EVERYONE, Changed, MemoryBus, Progressed, TookOver
from server.live.messages import Since
from server.live.offsets import Place
from server.live.outbox import COME_BACK, REPLACED
from server.race.errors import NotFound, Unavailable
from server.race.room import Change, Room
from server.store.database import Database
from tests.live.builders import OPENING, WIN, Frame, Node, a_node, brief, until
from tests.live.conftest import Logs
from tests.race.builders import ANA, BO, CY, after, an_entry
from tests.store.builders import a_kept_room, another_room, register


def kinds(frames: list[Frame]) -> list[str]:
    return [frame["type"] for frame in frames]


def entries(frames: list[Frame]) -> list[tuple[str, int]]:
    """Who was told to have come how far, in order."""
    return [
        (entry["player"]["id"], entry["actions"])
        for frame in frames
        if frame["type"] == "standings"
        for entry in frame["entries"]
    ]


async def away(*_: object, **__: object) -> object:
    """What storage does that does not answer."""
    raise Unavailable("the database is away")


# What sockets are told


async def test_a_socket_hears_nothing_before_its_welcome_and_everything_after(
    lite: Database,
) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1)
        other = await node.rooms.create(another_room())
        await register(lite, BO, CY)
        with node.socket(room.id) as socket:
            await node.join(room.id, BO)
            assert socket.listen() == []

            await socket.hello()
            await node.join(room.id, CY)
            await node.join(other.id, CY)

            [welcome, event] = socket.listen()
            assert (welcome["type"], welcome["offset"]) == ("welcome", Place(2, 0).offset)
            assert (event["type"], event["offset"]) == ("joined", Place(3, 0).offset)


async def test_offsets_of_a_room_rise(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, countdown_s=0)
        with node.socket(room.id) as ana, node.socket(room.id) as eye:
            await ana.hello(ANA)
            await eye.hello()
            await ana.say("ready", ready=True)
            await ana.say("start")
            await ana.play(*OPENING)
            await ana.answers(len(OPENING))
            await ana.say("resign")
            await eye.expect("standings")
            offsets = [frame["offset"] for frame in eye.heard]
            assert offsets == sorted(set(offsets))
            assert len(offsets) >= 5


async def test_what_changes_within_a_tick_is_told_in_one_frame_as_it_is_in_the_end(
    lite: Database,
) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)
        with node.socket(room.id) as eye:
            await eye.hello()
            for actions in range(1, 6):
                node.hub.ticker.progress(room.id, an_entry(ANA, actions=actions))
            node.hub.ticker.progress(room.id, an_entry(BO, actions=9))

            first = await eye.expect("standings")

            assert sorted(entries([first])) == [(ANA.id, 5), (BO.id, 9)]
            assert "rank" not in first["entries"][0]
            assert first["at"] == "2026-11-29T19:00:20.000Z"


async def test_standings_come_at_most_ten_times_a_second_and_each_change_arrives(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = asyncio.get_running_loop()
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)
        with node.socket(room.id) as eye:
            await eye.hello()
            told_at: list[float] = []
            push = eye.outbox.push

            def note_and_push(frame: bytes) -> None:
                told_at.append(loop.time())
                push(frame)

            monkeypatch.setattr(eye.outbox, "push", note_and_push)
            actions = 0
            while len(told_at) < 4:
                actions += 1
                node.hub.ticker.progress(room.id, an_entry(ANA, actions=actions))
                await asyncio.sleep(0.005)
            eye.listen()
            node.hub.ticker.progress(room.id, an_entry(ANA, actions=actions + 1))
            node.hub.ticker.progress(room.id, an_entry(BO, actions=1))
            last = await eye.expect("standings")

            assert all(
                later - sooner >= ticker_module.TICK_S * 0.95 for sooner, later in pairwise(told_at)
            )
            assert sorted(entries([last])) == [(ANA.id, actions + 1), (BO.id, 1)]


async def test_of_two_entries_within_a_tick_the_one_with_more_actions_is_told(
    lite: Database,
) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)
        with node.socket(room.id) as eye:
            await eye.hello()
            node.hub.ticker.progress(room.id, an_entry(ANA, actions=5))
            node.hub.ticker.progress(room.id, an_entry(ANA, actions=4))

            assert entries([await eye.expect("standings")]) == [(ANA.id, 5)]


async def test_nothing_older_follows_the_final_standings(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)
        with node.socket(room.id) as eye:
            await eye.hello()
            node.hub.ticker.progress(room.id, an_entry(ANA, actions=1))
            await eye.expect("standings")
            node.hub.ticker.progress(room.id, an_entry(ANA, actions=2))
            await node.referee.resign(room.id, player=ANA)
            await node.referee.resign(room.id, player=BO)
            await eye.expect("finished")
            await until(lambda: node.hub.ticker.is_at_rest)

            assert eye.listen() == []


async def test_standings_go_on_after_a_fault_in_telling_them(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)
        with node.socket(room.id) as eye:
            await eye.hello()

            def fail(*_: object, **__: object) -> None:
                raise RuntimeError("a fault")

            with monkeypatch.context() as patch:
                patch.setattr(eye.channel, "standings_frame", fail)
                node.hub.ticker.progress(room.id, an_entry(ANA, actions=1))
                await until(lambda: node.hub.ticker.is_at_rest)
            node.hub.ticker.progress(room.id, an_entry(ANA, actions=2))

            assert entries([await eye.expect("standings")]) == [(ANA.id, 2)]


async def test_a_room_that_nobody_watches_is_shown_as_stored(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)

        view = await node.hub.view(room)

        assert (view.spectators, [s.actions for s in view.standings]) == (0, [0, 0])


async def test_a_room_that_is_watched_is_shown_with_spectators_and_the_freshest_standings(
    lite: Database,
) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)
        with node.socket(room.id) as ana, node.socket(room.id) as eye, node.socket(room.id):
            await ana.hello(ANA)
            await eye.hello()
            node.hub.ticker.progress(room.id, an_entry(BO, actions=3, placed=7))
            await eye.expect("standings")

            view = await node.hub.view(room)

            assert view.spectators == 1
            assert [(s.player.id, s.actions) for s in view.standings] == [(BO.id, 3), (ANA.id, 0)]


async def test_every_socket_of_a_token_is_closed_and_no_other(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2)
        other = await node.rooms.create(another_room(BO))
        with (
            node.socket(room.id) as ana,
            node.socket(other.id) as elsewhere,
            node.socket(room.id) as bo,
            node.socket(room.id) as eye,
        ):
            for socket, player in ((ana, ANA), (elsewhere, ANA), (bo, BO), (eye, None)):
                await socket.hello(player)

            node.hub.revoke(f"t_{ANA.id}")

            codes = [one.outbox.close_code for one in (ana, elsewhere, bo, eye)]
            assert codes == [4401, 4401, None, None]


async def test_all_sockets_are_closed_even_those_that_have_not_said_hello(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1)
        with node.socket(room.id) as ana, node.socket(room.id) as silent:
            await ana.hello(ANA)

            node.hub.close_all(1012, "the server restarts")

            assert (await ana.closed(), await silent.closed()) == (1012, 1012)


async def test_a_channel_goes_with_its_last_socket(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1)
        with node.socket(room.id) as first:
            await first.hello(ANA)
            channel = weakref.ref(first.channel)
            with node.socket(room.id) as second:
                assert second.channel is first.channel
            assert room.id in node.hub.channels
        assert node.hub.channels == {}

        del first, second
        gc.collect()
        assert channel() is None


async def test_nothing_stays_of_rooms_that_have_come_and_gone(lite: Database) -> None:
    async with a_node(lite) as node:
        await register(lite, ANA, BO)
        for _ in range(12):
            room = await node.rooms.create(another_room(ANA, countdown_s=0))
            await node.join(room.id, BO)
            with node.socket(room.id) as ana, node.socket(room.id) as bo:
                await ana.hello(ANA)
                await bo.hello(BO)
                await ana.say("start")
                await ana.expect("game")
                await ana.play("d")
                await ana.answers(1)
                await ana.say("resign")
                await bo.say("resign")
                await bo.expect("finished")
                await ana.play("d")
                await ana.answers(1)
            await node.referee.present(room.id)
        await node.at_rest()

        assert (node.hub.channels, node.hub.ticker._unsent) == ({}, {})
        assert node.hub.ticker.is_at_rest
        assert node.bus._topics == {EVERYONE}
        assert len(node.sessions._sessions) == 0
        assert node.deadlines._timers == {}
        assert len(node.referee._locks) == 0


# Coming in


async def since(node: Node, place: Place) -> Since:
    return Since(epoch=node.hub.epoch, offset=place.offset)


async def test_who_comes_with_a_newer_room_than_is_known_has_the_others_told_first(
    lite: Database,
) -> None:
    async with a_node(lite) as node, a_node(lite) as other:
        room = await a_kept_room(lite, players=1)
        await register(lite, BO)
        with node.socket(room.id) as eye, node.socket(room.id) as newcomer:
            await eye.hello()
            await other.join(room.id, BO)

            await newcomer.hello()

            assert kinds(eye.listen()) == ["welcome", "joined"]
            [welcome] = newcomer.listen()
            assert welcome["room"]["version"] == 2


async def test_a_change_heard_of_while_the_room_was_read_is_in_the_welcome(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    medium = set[MemoryBus]()
    async with a_node(lite, medium=medium) as node, a_node(lite, medium=medium) as other:
        room = await a_kept_room(lite, players=1)
        await register(lite, BO)
        real_load = node.rooms.load

        async def join_meanwhile(room_id: str) -> Room:
            read = await real_load(room_id)
            await other.join(room_id, BO)
            return read

        with node.socket(room.id) as eye:
            monkeypatch.setattr(node.rooms, "load", join_meanwhile)
            await eye.hello()

            assert [frame.get("room", {}).get("version") for frame in eye.listen()] == [2]


async def test_a_game_that_started_while_the_player_came_in_is_shown(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, countdown_s=0)
        place = Place(room.version, 0)
        await node.change(room.id, "set_ready", BO, ready=True)
        real_change_since = node.rooms.change_since

        async def start_meanwhile(room_id: str, version: int) -> Change:
            monkeypatch.setattr(node.rooms, "change_since", real_change_since)
            await node.change(room_id, "start", ANA)
            return await real_change_since(room_id, version)

        with node.socket(room.id) as eye, node.socket(room.id) as ana:
            await eye.hello()
            monkeypatch.setattr(node.rooms, "change_since", start_meanwhile)
            known = {"epoch": node.hub.epoch, "offset": place.offset}
            await ana.say("hello", token=f"cr_{ANA.id}", since=known)

            told = kinds(ana.listen())
            assert told == ["welcome", "ready", "countdown", "started", "standings", "you", "game"]


async def test_of_two_sockets_the_one_that_said_hello_first_is_closed_whichever_is_answered_first(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1)
        await node.change(room.id, "set_ready", ANA, ready=True)
        may_go_on = asyncio.Event()
        real_change_since = node.rooms.change_since

        async def slowly(room_id: str, version: int) -> Change:
            await may_go_on.wait()
            return await real_change_since(room_id, version)

        monkeypatch.setattr(node.rooms, "change_since", slowly)
        with node.socket(room.id) as old, node.socket(room.id) as new:
            known = {"epoch": node.hub.epoch, "offset": Place(room.version, 0).offset}
            waiting = asyncio.create_task(old.say("hello", token=f"cr_{ANA.id}", since=known))
            await until(lambda: old.conversation.claim)
            await new.hello(ANA)
            may_go_on.set()
            await waiting

            assert (old.outbox.close_code, new.outbox.close_code) == (REPLACED, None)
            assert old.listen() == []
            assert new.channel.players == {ANA.id: new.conversation}


async def test_a_socket_closed_while_it_came_in_takes_nothing_over(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1)
        await node.change(room.id, "set_ready", ANA, ready=True)
        real_change_since = node.rooms.change_since

        async def revoke_meanwhile(room_id: str, version: int) -> Change:
            node.hub.disconnect("t_other")
            return await real_change_since(room_id, version)

        with node.socket(room.id) as ana, node.socket(room.id) as revoked:
            await ana.hello(ANA)
            revoked.conversation.player, revoked.conversation.token_id = ANA, "t_other"
            revoked.conversation.claim = "9"
            monkeypatch.setattr(node.rooms, "change_since", revoke_meanwhile)
            known = await since(node, Place(room.version, 0))
            room = await node.rooms.load(room.id)
            await node.hub.welcome(revoked.channel, revoked.conversation, room, since=known)

            assert (ana.outbox.close_code, revoked.outbox.close_code) == (None, 4401)
            assert revoked.listen() == []


# Changes


async def test_a_change_is_told_with_what_came_before_it_on_other_nodes(lite: Database) -> None:
    async with a_node(lite) as node, a_node(lite) as other:
        room = await a_kept_room(lite, players=1)
        await register(lite, BO, CY)
        with node.socket(room.id) as eye:
            await eye.hello()
            await other.join(room.id, BO)

            await node.join(room.id, CY)

            joined = [frame["player"]["id"] for frame in eye.listen()[1:]]
            assert joined == [BO.id, CY.id]


async def test_a_change_is_told_although_storage_does_not_say_what_came_before_it(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_node(lite) as node, a_node(lite) as other:
        room = await a_kept_room(lite, players=1)
        await register(lite, BO, CY)
        with node.socket(room.id) as eye, node.socket(room.id) as late:
            await eye.hello()
            await other.join(room.id, BO)
            with monkeypatch.context() as patch:
                patch.setattr(node.rooms, "change_since", away)
                await node.join(room.id, CY)  # is done, hence no error
            assert kinds(eye.listen()) == ["welcome"]

            await late.hello()

            joined = [frame["player"]["id"] for frame in eye.listen()]
            assert joined == [BO.id, CY.id]


async def test_where_events_have_been_forgotten_everyone_is_welcomed_anew(lite: Database) -> None:
    async with a_node(lite) as node, a_node(lite) as other:
        room = await a_kept_room(lite, players=2, countdown_s=0)
        await register(lite, CY)
        with node.socket(room.id) as ana, node.socket(room.id) as eye:
            await ana.hello(ANA)
            await eye.hello()
            await other.join(room.id, CY)
            await other.rooms.forget_events(before=after(10**6))
            await other.change(room.id, "start", ANA)

            await node.hub.catch_up(node.channel_of(room.id))
            await ana.expect("game")

            assert kinds(ana.heard) == ["welcome", "you", "welcome", "you", "game"]
            for socket in (ana, eye):
                socket.listen()
                [_, anew] = [frame for frame in socket.heard if frame["type"] == "welcome"]
                assert (anew["recovered"], anew["room"]["state"]) == (False, "racing")
                assert anew["offset"] == Place(anew["room"]["version"], 0).offset


async def test_the_last_moves_played_elsewhere_are_acknowledged_before_the_end_is_told(
    lite: Database,
) -> None:
    async with a_node(lite) as node, a_node(lite) as other:
        room = await a_kept_room(lite, players=1, racing=True)
        with node.socket(room.id) as ana:
            await ana.hello(ANA)
            await ana.play(*WIN[:-2])
            await ana.answers(len(WIN) - 2)
            session = other.session_of(await other.referee.present(room.id), ANA)
            for ply in (len(WIN) - 2, len(WIN) - 1):
                await session.play(ply, WIN[ply], received_ms=other.clock.now_ms())
            await session.settled()
            await other.referee.advance(room.id)
            ana.listen()

            await node.hub.catch_up(node.channel_of(room.id))

            told = [frame for frame in ana.listen() if frame["type"] in ("ack", "finished")]
            assert kinds(told) == ["ack", "ack", "finished"]
            assert (told[1]["ply"], told[1]["state"]) == (len(WIN) - 1, "won")
            assert node.sessions.held(room) == []


# Hints


async def test_a_hint_has_what_is_missing_told_and_an_old_one_asks_nobody(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    medium = set[MemoryBus]()
    async with a_node(lite, medium=medium) as node, a_node(lite, medium=medium) as other:
        room = await a_kept_room(lite, players=1)
        await register(lite, BO)
        with node.socket(room.id) as eye:
            await eye.hello()
            eye.listen()

            await other.join(room.id, BO)
            assert (await eye.expect("joined"))["player"]["id"] == BO.id
            await node.at_rest()

            monkeypatch.setattr(node.rooms, "change_since", away)
            for version in (1, 2):
                other.bus.publish(room.id, Changed(version=version))
            await node.at_rest()
            assert eye.listen() == []


async def test_a_burst_of_hints_is_followed_by_few_readings(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_node(lite) as node, a_node(lite) as other:
        room = await a_kept_room(lite, players=1)
        may_go_on, readings = asyncio.Event(), 0
        real_change_since = node.rooms.change_since

        async def slowly(room_id: str, version: int, **how: Any) -> Change:
            nonlocal readings
            readings += 1
            change = await real_change_since(room_id, version, **how)
            await may_go_on.wait()
            return change

        monkeypatch.setattr(node.rooms, "change_since", slowly)
        with node.socket(room.id) as eye:
            await eye.hello()
            for version in range(2, 10):
                ready = version % 2 == 0
                await other.change(room.id, "set_ready", ANA, ready=ready)
                for hear in node.bus._hearers:
                    hear(room.id, Changed(version=version))
                await until(lambda: readings)
            may_go_on.set()
            await node.at_rest()

            assert kinds(eye.listen()) == ["welcome", *["ready"] * 8]
            assert readings == 2, "what was under way, and one more for all the rest"


async def test_a_hint_that_cannot_be_followed_is_made_up_by_the_next(
    lite: Database, monkeypatch: pytest.MonkeyPatch, logs: Logs
) -> None:
    medium = set[MemoryBus]()
    async with a_node(lite, medium=medium) as node, a_node(lite, medium=medium) as other:
        room = await a_kept_room(lite, players=1)
        await register(lite, BO, CY)
        with node.socket(room.id) as eye:
            await eye.hello()
            with monkeypatch.context() as patch:
                patch.setattr(node.rooms, "change_since", away)
                await other.join(room.id, BO)
                await node.at_rest()
            await other.join(room.id, CY)
            await node.at_rest()

            assert kinds(eye.listen()) == ["welcome", "joined", "joined"]
            assert not [entry for entry in logs if entry["log_level"] == "error"]


async def test_hints_about_rooms_that_nobody_watches_here_do_nothing(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    medium = set[MemoryBus]()
    async with a_node(lite, medium=medium) as node, a_node(lite, medium=medium) as other:
        node.bus.watch("r_1")
        for call in ("load", "change_since"):
            monkeypatch.setattr(node.rooms, call, away)

        other.bus.publish("r_1", Changed(version=7))
        other.bus.publish("r_1", Progressed(entries=[an_entry()]))
        other.bus.publish("r_1", TookOver(player_id=ANA.id, claim="9"))

        assert not node.tasks._running
        assert (node.hub.channels, node.hub.ticker._unsent) == ({}, {})


async def test_hints_about_a_room_that_has_not_been_read_yet_do_no_harm(
    lite: Database,
) -> None:
    medium = set[MemoryBus]()
    async with a_node(lite, medium=medium) as node, a_node(lite, medium=medium) as other:
        room = await a_kept_room(lite, players=2, racing=True)
        with node.socket(room.id) as eye:
            other.bus.publish(room.id, Progressed(entries=[an_entry(ANA, actions=3)]))
            other.bus.publish(room.id, TookOver(player_id=ANA.id, claim="9"))
            await node.at_rest()

            await eye.hello()

            assert kinds(eye.listen()) == ["welcome"]


async def test_the_newest_claim_closes_a_players_socket_here(lite: Database) -> None:
    medium = set[MemoryBus]()
    async with a_node(lite, medium=medium) as node, a_node(lite, medium=medium) as other:
        room = await a_kept_room(lite, players=1)
        with node.socket(room.id) as ana:
            await ana.hello(ANA)

            other.bus.publish(room.id, TookOver(player_id=ANA.id, claim="0"))
            assert ana.outbox.close_code is None
            other.bus.publish(room.id, TookOver(player_id=ANA.id, claim="9"))
            assert ana.outbox.close_code == REPLACED


async def test_who_only_watches_takes_nothing_over(lite: Database) -> None:
    medium = set[MemoryBus]()
    async with a_node(lite, medium=medium) as node, a_node(lite, medium=medium) as other:
        room = await a_kept_room(lite, players=1)
        await register(lite, BO)
        heard: list[object] = []
        other.bus.listen(lambda _topic, message: heard.append(message))
        other.bus.watch(room.id)
        with node.socket(room.id) as eye, node.socket(room.id) as bo, node.socket(room.id) as ana:
            await eye.hello()
            await bo.hello(BO)
            assert heard == []

            await ana.hello(ANA)
            assert heard == [TookOver(player_id=ANA.id, claim=ana.conversation.claim)]


# Another history


async def test_another_history_welcomes_everyone_anew(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)
        with node.socket(room.id) as ana, node.socket(room.id) as eye, node.socket(room.id) as new:
            await ana.hello(ANA)
            await eye.hello()
            old = {"epoch": node.hub.epoch, "offset": ana.listen()[0]["offset"]}
            eye.listen()

            await node.hub.begin("e_2")
            await node.at_rest()

            assert kinds(ana.listen()) == ["welcome", "you", "game"]
            assert kinds(eye.listen()) == ["welcome"]
            assert new.listen() == [], "it has not said hello"
            assert [f["epoch"] for f in ana.heard if f["type"] == "welcome"][-1] == "e_2"
            await new.say("hello", since=old)
            assert new.listen()[0]["recovered"] is False


async def test_another_history_may_be_behind_what_was_told_of_the_old_one(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1, racing=True)
        with node.socket(room.id) as ana:
            await ana.hello(ANA)
            await ana.play(*OPENING)
            await ana.answers(len(OPENING))
            channel = node.channel_of(room.id)
            channel.newest = 99
            async with lite.write() as connection:
                await connection.exec_driver_sql("DELETE FROM actions WHERE ply >= 2")
                await connection.exec_driver_sql("UPDATE games SET ply = 2, placed = 2")
            await node.at_rest()

            await node.hub.begin("e_2")
            game = await ana.expect("game")

            assert (game["ply"], channel.is_behind) == (2, False)
            assert [entry.actions for entry in channel.scores.entries(room)] == [2]
            await ana.play(OPENING[2], ply=2)
            assert [brief(answer) for answer in await ana.answers(1)] == [("ack", 2, OPENING[2])]


@pytest.mark.parametrize("error", [NotFound("no such room"), Unavailable("the database is away")])
async def test_sockets_of_a_room_that_cannot_be_read_again_come_back(
    lite: Database, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    async with a_node(lite) as node:
        gone = await a_kept_room(lite, players=2)
        room = await node.rooms.create(another_room())
        real_load = node.rooms.load_shown

        async def load(room_id: str, **how: Any) -> Room:
            if room_id == gone.id:
                raise error
            return await real_load(room_id, **how)

        with (
            node.socket(gone.id) as lost,
            node.socket(gone.id) as silent,
            node.socket(room.id) as eye,
        ):
            await lost.hello()
            await eye.hello()
            monkeypatch.setattr(node.rooms, "load_shown", load)

            await node.hub.begin("e_2")

            codes = [socket.outbox.close_code for socket in (lost, silent, eye)]
            assert codes == [COME_BACK, COME_BACK, None]
            assert [frame["epoch"] for frame in eye.listen()][1:] == ["e_2"]


async def test_who_comes_back_while_another_history_begins_is_told_the_room_whole(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2)
        await node.change(room.id, "set_ready", BO, ready=True)
        real_change_since = node.rooms.change_since

        async def begin_meanwhile(room_id: str, version: int) -> Change:
            await node.hub.begin("e_2")
            return await real_change_since(room_id, version)

        monkeypatch.setattr(node.rooms, "change_since", begin_meanwhile)
        with node.socket(room.id) as eye:
            known = {"epoch": node.hub.epoch, "offset": Place(room.version, 0).offset}
            await eye.say("hello", since=known)

            [welcome] = eye.listen()
            assert (welcome["epoch"], welcome["recovered"]) == ("e_2", False)
            assert welcome["room"]["version"] == room.version + 1
