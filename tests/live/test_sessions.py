import gc
import weakref
from datetime import timedelta

import msgspec
import pytest

from server.live import sessions as sessions_module
from server.live.outbox import Outbox
from server.live.session import Session
from server.race.instants import to_epoch_ms
from server.race.marks import RoomMark, SeatMark
from server.race.player import Player
from server.race.room import Room
from server.store.database import Database
from tests.live.builders import Node, a_node
from tests.race.builders import ANA, BO, CY, after, an_entry
from tests.store.builders import a_kept_room, finish


def sessions_of(node: Node, room: Room) -> list[Session]:
    return [node.session_of(room, seat.player) for seat in room.seats]


async def play(node: Node, room: Room, *moves: str) -> None:
    """Play Ana's first moves on a node."""
    session = node.session_of(room, ANA)
    for ply, move in enumerate(moves):
        await session.play(ply, move, received_ms=node.clock.now_ms())
    await session.settled()


async def test_a_game_has_one_session(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)

        ana, bo = sessions_of(node, room)

        assert node.session_of(await node.rooms.load(room.id), ANA) is ana
        assert (ana.game_id, bo.game_id) == ("g_ana", "g_bo")
        assert ana.stale
        assert node.sessions.held(room) == [ana, bo]


async def test_a_session_takes_over_the_present_name(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)
        ana, bo = sessions_of(node, room)
        room.rename(Player(ANA.id, "Anna", "human"), at=after(30))

        node.sessions.rename(room)

        assert (ana.player.name, bo.player.name) == ("Anna", "Bo")


async def test_the_longest_unused_idle_session_makes_room(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions_module, "MOST_SESSIONS", 3)
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=4, racing=True)
        ana, bo, cy = (node.session_of(room, player) for player in (ANA, BO, CY))
        ana.outbox = Outbox(most_frames=10)
        node.session_of(room, BO)  # used again: Cy's is the longest unused of the idle ones

        di = node.session_of(room, room.seats[3].player)

        assert node.sessions.held(room) == [ana, bo, di]
        assert node.session_of(room, CY) is not cy
        assert len(node.sessions._sessions) == 3


async def test_a_game_that_is_being_written_keeps_its_session(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions_module, "MOST_SESSIONS", 1)
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)
        assert room.started_at is not None
        ana = node.session_of(room, ANA)
        node.gate.hold()
        await ana.play(0, "12", received_ms=to_epoch_ms(room.started_at + timedelta(seconds=1)))

        bo = node.session_of(room, BO)

        assert node.sessions.held(room) == [ana, bo]


async def test_sessions_that_are_all_in_use_are_more_than_there_should_be(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions_module, "MOST_SESSIONS", 1)
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=3, racing=True)
        for player in (ANA, BO, CY):
            session = node.session_of(room, player)
            session.outbox = Outbox(most_frames=10)

            assert node.session_of(room, player) is session


async def test_sessions_of_a_finished_room_are_let_go_and_read_again_by_who_holds_one(
    lite: Database,
) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)
        ana, bo = sessions_of(node, room)
        await ana.load()
        kept, gone = ana, weakref.ref(bo)
        finished = await finish(lite, room.id)

        node.sessions.retire(finished)
        del bo
        gc.collect()

        assert (kept.stale, gone(), node.sessions.held(room)) == (True, None, [])
        await kept.load()
        assert kept.state == "out_of_time"


async def test_a_game_whose_seat_is_further_on_is_read_again_before_it_is_used(
    lite: Database,
) -> None:
    async with a_node(lite) as node, a_node(lite) as other:
        room = await a_kept_room(lite, players=2, racing=True)
        ana, bo = sessions_of(node, room)
        await ana.load()
        await bo.load()
        await play(other, room, "12", "rf")
        await other.games.end("g_bo", state="resigned", at=after(20))

        newer = await node.rooms.load(room.id)
        assert sessions_of(node, newer) == [ana, bo]

        assert (ana.stale, bo.stale) == (True, True)
        await ana.load()
        await bo.load()
        assert (ana.entry.actions, bo.state) == (2, "resigned")
        assert sessions_of(node, newer) == [ana, bo]
        assert (ana.stale, bo.stale) == (False, False)


async def test_a_seat_that_was_read_before_the_last_moves_changes_nothing(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)
        ana = node.session_of(room, ANA)
        await play(node, room, "12", "rf")

        assert node.session_of(room, ANA) is ana

        assert (ana.stale, ana.entry.actions) == (False, 2)


async def test_the_games_held_here_catch_up_and_no_other_is_read(lite: Database) -> None:
    async with a_node(lite) as node, a_node(lite) as other:
        room = await a_kept_room(lite, players=2, racing=True)
        ana = node.session_of(room, ANA)
        await ana.load()
        await play(other, room, "12")
        node.games.logs_read = 0
        entries = [seat.entry for seat in (await node.rooms.load(room.id)).seats]
        further = [msgspec.structs.replace(entry, actions=entry.actions + 1) for entry in entries]

        await node.sessions.catch_up(room, [an_entry(CY, actions=5), *entries, further[1]])

        assert (ana.entry.actions, node.sessions.held(room)) == (1, [ana])
        assert node.games.logs_read == 1


async def test_games_are_behind_marks_that_say_more_than_they_know(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=3, racing=True)
        for player in (ANA, BO):
            await node.session_of(room, player).load()
        await play(node, room, "12")

        def are_behind(player: Player, actions: int, *, ended: bool = False) -> bool:
            seats = {player.id: SeatMark(actions=actions, ended=ended, claim=None)}
            return node.sessions.are_behind(room, RoomMark(version=room.version, seats=seats))

        assert [are_behind(ANA, actions) for actions in (0, 1, 2)] == [False, False, True]
        assert are_behind(BO, 0, ended=True)
        assert not are_behind(CY, 9), "it is not held here"


async def test_in_another_history_every_game_is_read_again(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)
        held = sessions_of(node, room)
        for session in held:
            await session.load()

        node.sessions.expire_all()

        assert [session.stale for session in held] == [True, True]
        assert node.sessions.held(room) == held


async def test_a_game_of_a_finished_room_is_read_by_a_session_that_nobody_keeps(
    lite: Database,
) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)
        finished = await finish(lite, room.id)

        session = node.session_of(finished, ANA)
        await session.load()

        assert session.view(now_ms=10**13).elapsed_ms == 900_000
        assert node.sessions.held(finished) == []
