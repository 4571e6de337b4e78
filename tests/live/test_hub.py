import asyncio
import gc
import weakref

import pytest

from server.live import hub as hub_module
from server.live.outbox import Outbox
from server.race.events import Cancelled
from server.race.player import Player
from server.store.database import Database
from server.store.players import Players
from tests.live.builders import OPENING, Frame, a_node, until
from tests.race.builders import ANA, BO, a_room, an_entry
from tests.store.builders import a_kept_room, another_room, register


class Listening:
    """A socket that only listens."""

    def __init__(self, player: Player | None = None) -> None:
        self.player = player
        self.token_id = None if player is None else f"t_{player.id}"
        self.outbox = Outbox(most_frames=100)

    async def enter_game(self) -> None:
        raise NotImplementedError


def entries(frames: list[Frame]) -> list[tuple[str, int]]:
    """Who was told to have come how far, in order."""
    return [
        (entry["player"]["id"], entry["actions"])
        for frame in frames
        if frame["type"] == "standings"
        for entry in frame["entries"]
    ]


async def test_a_socket_hears_nothing_before_its_welcome_and_everything_after(
    lite: Database,
) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1)
        with node.socket(room.id) as socket:
            await node.bus.publish(room.id, Cancelled(reason="host"))
            assert socket.listen() == []

            await socket.hello()
            await node.bus.publish(room.id, Cancelled(reason="idle"))
            await node.bus.publish("r_other", Cancelled(reason="idle"))

            [welcome, event] = socket.listen()
            assert (welcome["type"], welcome["offset"]) == ("welcome", 1)
            assert event == {"type": "cancelled", "offset": 2, "reason": "idle"}


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
    lite: Database,
) -> None:
    loop = asyncio.get_running_loop()
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)
        with node.socket(room.id) as eye:
            await eye.hello()
            heard_at: list[float] = []
            actions = 0
            while len(heard_at) < 6:
                actions += 1
                node.hub.ticker.progress(room.id, an_entry(ANA, actions=actions))
                heard_at += [loop.time() for frame in eye.listen() if frame["type"] == "standings"]
                await asyncio.sleep(0.005)
            node.hub.ticker.progress(room.id, an_entry(ANA, actions=actions + 1))
            node.hub.ticker.progress(room.id, an_entry(BO, actions=1))
            last = await eye.expect("standings")

            assert heard_at[-1] - heard_at[0] >= 5 * hub_module.TICK_S * 0.95
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


async def test_an_entry_that_waits_takes_the_new_name_along(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)
        with node.socket(room.id) as ana, node.socket(room.id) as eye:
            await ana.hello(ANA)
            await eye.hello()
            await ana.play("12")
            await ana.answers(1)
            await eye.expect("standings")
            await ana.play("rf", ply=1)
            await ana.answers(1)  # and its entry waits for the next tick
            renamed = await Players(lite).rename(ANA, "Anna")
            await node.referee.change(room.id, lambda room, at: room.rename(renamed, at=at))

            await eye.expect("renamed")
            [entry] = (await eye.expect("standings"))["entries"]
            assert (entry["player"]["name"], entry["actions"]) == ("Anna", 2)

            await ana.play("24x2", ply=2)
            [entry] = (await eye.expect("standings"))["entries"]
            assert (entry["player"]["name"], entry["actions"]) == ("Anna", 3)


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
            await until(lambda: room.id not in node.hub._changed)

            assert eye.listen() == []


async def test_standings_go_on_after_a_fault_in_telling_them(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)
        with node.socket(room.id) as eye:
            await eye.hello()

            async def fail(_room_id: str, _event: object) -> None:
                raise RuntimeError("a fault")

            with monkeypatch.context() as patch:
                patch.setattr(node.bus, "publish", fail)
                node.hub.ticker.progress(room.id, an_entry(ANA, actions=1))
                await until(lambda: room.id not in node.hub._changed)
            node.hub.ticker.progress(room.id, an_entry(ANA, actions=2))

            assert entries([await eye.expect("standings")]) == [(ANA.id, 2)]


async def test_a_room_that_nobody_watches_is_shown_as_stored(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)

        view = node.hub.view(room)

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

            view = node.hub.view(room)

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

            node.hub.disconnect_token(f"t_{ANA.id}", code=4401, reason="revoked")

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
            assert room.id in node.hub._channels
        assert node.hub._channels == {}

        del first, second
        gc.collect()
        assert channel() is None


async def test_nothing_stays_of_rooms_that_have_come_and_gone(lite: Database) -> None:
    async with a_node(lite) as node:
        await register(lite, ANA, BO)
        for _ in range(12):
            room = await node.rooms.create(another_room(ANA, countdown_s=0))
            await node.lobby.join(room.id, player=BO)
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
        await until(lambda: not node.tasks._running)

        assert (node.hub._channels, node.hub._changed) == ({}, {})
        assert len(node.sessions._sessions) == 0
        assert node.deadlines._timers == {}
        assert len(node.referee._locks) == 0


async def test_a_channel_welcomes_only_once_its_room_has_been_read(lite: Database) -> None:
    async with a_node(lite) as node:
        listener = Listening()
        with (
            node.hub.watching("r_1", listener) as channel,
            pytest.raises(RuntimeError, match="has been read"),
        ):
            node.hub.welcome(channel, listener)


async def test_a_room_is_renewed_only_where_it_is_watched(lite: Database) -> None:
    async with a_node(lite) as node:
        node.hub.renew(a_room())

        assert node.hub._channels == {}
