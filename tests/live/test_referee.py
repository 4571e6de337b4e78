import asyncio
from datetime import datetime, timedelta

import pytest

from server.clock import ManualClock, SystemClock, now
from server.live import referee as referee_module
from server.race.course import GRACE
from server.race.errors import Invalid, NotAPlayer, NotFound, NotHost, Unavailable, WrongState
from server.race.events import RoomEvent
from server.race.instants import elapsed_ms, instant
from server.race.proof import Opening
from server.race.room import Room
from server.store.database import Database
from tests.live.builders import OPENING, WIN, Socket, a_node, brief, until
from tests.live.conftest import Logs
from tests.race.builders import ANA, BO, CY, OPENED, STRANGER, after, everything
from tests.store.builders import a_kept_room, another_room, register, rows

ENDS = after(10 + 900)
"""When the race of `a_kept_room` ends."""


async def stored(database: Database) -> list[tuple[object, ...]]:
    return await rows(database, "SELECT * FROM rooms") + await rows(
        database, "SELECT * FROM games ORDER BY id"
    )


def told(socket: Socket) -> list[str]:
    """The types of the room events that a socket has been told of."""
    socket.listen()
    beside = ("welcome", "you", "game", "standings", "ack")
    return [frame["type"] for frame in socket.heard if frame["type"] not in beside]


# Changes


async def test_a_change_is_kept_and_told_with_the_room_as_it_is_then(database: Database) -> None:
    async with a_node(database) as node:
        room = await a_kept_room(database, players=2)
        with node.socket(room.id) as eye:
            await eye.hello()

            changed = await node.referee.change(
                room.id, lambda room, at: room.set_ready(BO, ready=True, at=at)
            )

            assert everything(await node.rooms.load(room.id)) == everything(changed)
            assert told(eye) == ["ready"]
            assert (await node.hub.view(changed)).standings[1].state == "ready"


async def test_a_refused_change_leaves_everything_as_it_was(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2)
        before = await stored(lite)
        with node.socket(room.id) as eye:
            await eye.hello()

            with pytest.raises(NotHost):
                await node.referee.change(room.id, lambda room, at: room.start(BO, at=at))

            assert (await stored(lite), told(eye)) == (before, [])


async def test_what_is_so_already_is_not_told_again(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2)
        with node.socket(room.id) as eye:
            await eye.hello()
            for _ in range(3):
                await node.referee.change(
                    room.id, lambda room, at: room.set_ready(BO, ready=True, at=at)
                )

            assert told(eye) == ["ready"]


async def test_a_room_that_is_not_there_is_not_found(lite: Database) -> None:
    async with a_node(lite) as node:
        for ask in (node.referee.present, node.referee.advance):
            with pytest.raises(NotFound):
                await ask("nowhere")


async def test_of_two_commands_at_once_the_second_decides_on_what_the_first_has_made(
    database: Database,
) -> None:
    async with a_node(database) as one, a_node(database) as other:
        room = await a_kept_room(database, players=3)
        seen: list[int] = []

        def leaving(room: Room, at: datetime) -> list[RoomEvent]:
            seen.append(room.version)
            return room.leave(CY, at=at)

        def readying(room: Room, at: datetime) -> list[RoomEvent]:
            seen.append(room.version)
            return room.set_ready(BO, ready=True, at=at)

        await asyncio.gather(
            one.referee.change(room.id, leaving), other.referee.change(room.id, readying)
        )

        after_both = await one.rooms.load(room.id)
        assert [seat.player for seat in after_both.seats] == [ANA, BO]
        assert after_both.seats[1].state == "ready"
        assert after_both.version == room.version + 2
        assert set(seen) == {room.version, room.version + 1}


async def test_of_two_hosts_that_start_at_once_one_does_and_both_see_it(
    database: Database,
) -> None:
    async with a_node(database) as one, a_node(database) as other:
        room = await a_kept_room(database, players=2)

        started = await asyncio.gather(
            *(
                node.referee.change(room.id, lambda room, at: room.start(ANA, at=at))
                for node in (one, other, one, other)
            )
        )

        assert {everything(one) for one in started} == {everything(started[0])}
        assert started[0].version == room.version + 1


async def test_a_storm_is_left_to_who_asked(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(referee_module, "MOST_TRIES", 3)
    async with a_node(lite) as node, a_node(lite) as other:
        room = await a_kept_room(lite, players=2)
        real_save = node.rooms.save

        async def save(
            room: Room, events: list[RoomEvent], *, opening: Opening | None = None
        ) -> bool:
            ready = (await other.rooms.load(room.id)).seats[0].state != "ready"
            await other.referee.change(
                room.id, lambda room, at: room.set_ready(ANA, ready=ready, at=at)
            )
            return await real_save(room, events, opening=opening)

        monkeypatch.setattr(node.rooms, "save", save)
        with pytest.raises(Unavailable):
            await node.referee.change(
                room.id, lambda room, at: room.set_ready(BO, ready=True, at=at)
            )

        assert (await node.rooms.load(room.id)).seats[1].state == "joined"


# What time does


async def test_a_start_fires_at_its_instant(lite: Database) -> None:
    async with a_node(lite, clock=SystemClock()) as node:
        await register(lite, ANA)
        room = another_room(countdown_s=1)
        room.created_at = room.last_event_at = now(node.clock)
        await node.rooms.create(room)
        with node.socket(room.id) as socket:
            await socket.hello(ANA)
            await socket.say("start")
            countdown = await socket.expect("countdown")
            started = await socket.expect("started")
            late_ms = elapsed_ms(
                (await node.rooms.load(room.id)).started_at or OPENED, now(node.clock)
            )

            assert started["started_at"] == countdown["starts_at"]
            assert 0 <= late_ms < 200
            assert (await socket.expect("game"))["started_at"] == started["started_at"]


async def test_a_start_takes_effect_at_its_instant_however_late_it_is_processed(
    database: Database,
) -> None:
    clock = ManualClock(after(20))
    async with a_node(database, clock=clock) as node:
        room = await a_kept_room(database, players=2)
        await node.referee.change(room.id, lambda room, at: room.start(ANA, at=at))
        clock.advance(seconds=300)

        started = await node.referee.present(room.id)

        assert (started.state, started.started_at) == ("racing", after(25))
        assert started.ends_at == after(25 + 900)


async def test_a_command_on_an_overdue_room_makes_what_was_due_first(lite: Database) -> None:
    clock = ManualClock(after(20))
    async with a_node(lite, clock=clock) as node:
        room = await a_kept_room(lite, players=2)
        await register(lite, CY)
        await node.referee.change(room.id, lambda room, at: room.start(ANA, at=at))
        clock.advance(seconds=5)

        with pytest.raises(WrongState) as refusal:
            await node.join(room.id, CY)

        assert refusal.value.state == "racing"
        assert (await node.rooms.load(room.id)).state == "racing"


async def test_what_comes_due_just_before_a_command_is_decided_is_made_first(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = ManualClock(after(20))
    async with a_node(lite, clock=clock) as node:
        room = await a_kept_room(lite, players=2)
        await register(lite, CY)
        await node.referee.change(room.id, lambda room, at: room.start(ANA, at=at))
        real_load = node.rooms.load

        async def load(room_id: str) -> Room:
            found = await real_load(room_id)
            clock.advance(seconds=3)
            return found

        monkeypatch.setattr(node.rooms, "load", load)
        with pytest.raises(WrongState):
            await node.join(room.id, CY)


async def test_time_ends_games_at_their_end_and_not_before_the_grace_is_over(
    database: Database,
) -> None:
    clock = ManualClock(ENDS + GRACE - timedelta(milliseconds=1))
    async with a_node(database, clock=clock) as node:
        room = await a_kept_room(database, players=2, racing=True)
        assert (await node.referee.present(room.id)).state == "racing"

        clock.advance(ms=1)
        finished = await node.referee.present(room.id)

        assert (finished.state, finished.finished_at) == ("finished", ENDS)
        assert [(s.state, s.ended_at, s.rank) for s in finished.seats] == [
            ("out_of_time", ENDS, 1),
            ("out_of_time", ENDS, 1),
        ]


async def test_a_move_that_arrived_in_time_counts_though_it_is_written_after_the_end(
    database: Database,
) -> None:
    clock = ManualClock(ENDS - timedelta(milliseconds=1))
    async with a_node(database, clock=clock) as node:
        room = await a_kept_room(database, players=2, racing=True)
        with node.socket(room.id) as socket:
            await socket.hello(ANA)
            node.gate.hold()
            await socket.play("12")
            await node.gate.began.wait()
            clock.advance(ms=1)
            await socket.play("rf", ply=1)
            clock.advance(seconds=1)

            ending = asyncio.create_task(node.referee.advance(room.id))
            await until(lambda: node.referee._locks.get(room.id))
            node.gate.release()
            finished = await ending

            assert [brief(answer) for answer in await socket.answers(2)] == [
                ("ack", 0, "12"),
                ("not_racing", 1, 1),
            ]
            assert [(s.player, s.ply) for s in finished.seats] == [(ANA, 1), (BO, 0)]
            log = await node.games.log("g_ana")
            assert [action.move for action in log.actions] == ["12"]
            assert (log.state, log.ended_at) == ("out_of_time", ENDS)


async def test_the_end_does_not_wait_for_ever_for_moves_to_be_written(
    lite: Database, monkeypatch: pytest.MonkeyPatch, logs: Logs
) -> None:
    monkeypatch.setattr(referee_module, "DRAIN_S", 0.02)
    clock = ManualClock(ENDS - timedelta(milliseconds=1))
    async with a_node(lite, clock=clock) as node:
        room = await a_kept_room(lite, players=1, racing=True)
        with node.socket(room.id) as socket:
            await socket.hello(ANA)
            node.gate.hold()
            await socket.play("12")
            clock.advance(seconds=1)

            finished = await node.referee.present(room.id)
            node.gate.release()
            [answer] = await socket.answers(1)
            await socket.play("12")
            [again] = await socket.answers(1)

            assert finished.state == "finished"
            assert "room.moves_left_behind" in [entry["event"] for entry in logs]
            assert (brief(answer), brief(again)) == (("unavailable", 0, 0), ("not_racing", 0, 0))


async def test_a_fresh_server_picks_up_what_came_due_while_there_was_none(
    database: Database,
) -> None:
    await register(database, ANA, BO)
    clock = ManualClock(after(20))
    async with a_node(database, clock=clock) as node:
        idle, starting, ending, deserted = [
            await node.rooms.create(another_room(ANA, countdown_s=5, time_limit_s=limit))
            for limit in (60, 7200, 60, 7200)
        ]
        for room in (starting, ending, deserted):
            await node.join(room.id, BO)
            await node.referee.change(room.id, lambda room, at: room.start(ANA, at=at))
        clock.advance(seconds=5)
        await node.referee.present(ending.id)
        race = await node.referee.present(deserted.id)
        for player in (ANA, BO):  # the games end, and nobody is there to finish the room
            seat = node.seat(race, player)
            await node.games.end(seat.game_id, state="resigned", at=after(26))
    clock.advance(seconds=1900)

    async with a_node(database, clock=clock) as fresh:
        await fresh.deadlines.sweep_once()
        await until(lambda: not fresh.tasks._running)

        rooms = [await fresh.rooms.load(one.id) for one in (idle, starting, ending, deserted)]
        assert [room.state for room in rooms] == ["cancelled", "racing", "finished", "finished"]
        assert rooms[1].started_at == after(25)
        assert rooms[2].finished_at == after(25 + 60)
        assert rooms[3].finished_at == after(26)
        assert await rows(database, "SELECT count(*) FROM actions") == [(0,)]


async def test_a_room_that_is_over_has_nothing_due(lite: Database) -> None:
    clock = ManualClock(ENDS + GRACE)
    async with a_node(lite, clock=clock) as node:
        room = await a_kept_room(lite, players=2, racing=True)
        finished = await node.referee.present(room.id)
        before = await stored(lite)
        clock.advance(seconds=10**6)

        await node.referee.advance(room.id)

        assert await stored(lite) == before
        assert await node.rooms.due(now(clock)) == []
        assert finished.due_at is None


# Ends


async def test_a_win_ends_the_winners_game_and_the_last_end_finishes_the_room(
    database: Database,
) -> None:
    async with a_node(database) as node:
        room = await a_kept_room(database, players=2, racing=True)
        with node.socket(room.id) as ana, node.socket(room.id) as bo:
            await ana.hello(ANA)
            await bo.hello(BO)
            await ana.play(*WIN)
            acks = await ana.answers(len(WIN))
            while (await ana.expect("you"))["state"] != "won":
                pass
            assert (await node.rooms.load(room.id)).state == "racing"

            await bo.play("12")
            await bo.say("resign")
            finished = await ana.expect("finished")

            assert acks[-1]["state"] == "won"
            first, second = finished["standings"]
            assert (first["player"]["id"], first["state"], first["rank"]) == (ANA.id, "won", 1)
            assert (second["state"], second["actions"], second["rank"]) == ("resigned", 1, 2)
            assert finished["code"] == str(room.deal.code)


async def test_a_win_of_the_only_player_finishes_the_room_at_that_instant(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1, racing=True)
        with node.socket(room.id) as ana:
            await ana.hello(ANA)
            await ana.play(*WIN)

            finished = await ana.expect("finished")

            assert finished["finished_at"] == instant(after(20))


async def test_a_finished_game_is_packed_as_it_was_played(database: Database) -> None:
    async with a_node(database) as node:
        room = await a_kept_room(database, players=2, racing=True)
        with node.socket(room.id) as ana, node.socket(room.id) as bo:
            await ana.hello(ANA)
            await bo.hello(BO)
            await ana.play(*OPENING)
            await bo.play("d", "u", "1")
            await ana.answers(len(OPENING))
            await bo.answers(3)
            live = [await node.games.log(game) for game in ("g_ana", "g_bo")]

            await ana.say("resign")
            assert await rows(database, "SELECT DISTINCT game_id FROM actions") == [("g_bo",)]
            await bo.say("resign")

            packed = [await node.games.log(game) for game in ("g_ana", "g_bo")]
            assert [log.actions for log in packed] == [log.actions for log in live]
            assert await rows(database, "SELECT count(*) FROM actions") == [(0,)]


async def test_resigning_keeps_what_was_placed_and_again_changes_nothing(
    database: Database,
) -> None:
    async with a_node(database) as node:
        room = await a_kept_room(database, players=2, racing=True)
        with node.socket(room.id) as ana:
            await ana.hello(ANA)
            await ana.play(*OPENING)
            await ana.answers(len(OPENING))
            first = await node.referee.resign(room.id, player=ANA)
            before = await stored(database)

            again = await node.referee.resign(room.id, player=ANA)

            assert everything(again) == everything(first)
            assert await stored(database) == before
            seat = node.seat(again, ANA)
            assert (seat.state, seat.placed, seat.ply) == ("resigned", 2, len(OPENING))
            assert seat.ended_at == after(20)


async def test_resigning_is_of_no_use_once_the_time_is_over(lite: Database) -> None:
    clock = ManualClock(ENDS)
    async with a_node(lite, clock=clock) as node:
        room = await a_kept_room(lite, players=2, racing=True)

        with pytest.raises(WrongState):
            await node.referee.resign(room.id, player=ANA)
        clock.advance(seconds=1)
        with pytest.raises(WrongState):
            await node.referee.resign(room.id, player=ANA)

        finished = await node.rooms.load(room.id)
        assert {seat.state for seat in finished.seats} == {"out_of_time"}
        assert finished.finished_at == ENDS


async def test_a_winner_cannot_resign(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)
        with node.socket(room.id) as ana:
            await ana.hello(ANA)
            await ana.play(*WIN)
            await ana.answers(len(WIN))

            with pytest.raises(WrongState, match="won"):
                await node.referee.resign(room.id, player=ANA)


async def test_only_who_races_resigns(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2)
        with pytest.raises(NotAPlayer):
            await node.referee.resign(room.id, player=STRANGER)
        with pytest.raises(WrongState):
            await node.referee.resign(room.id, player=ANA)


async def test_moves_sent_before_resigning_are_written_first(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)
        with node.socket(room.id) as ana:
            await ana.hello(ANA)
            node.gate.hold()
            await ana.play("12", "rf")
            resigning = asyncio.create_task(ana.say("resign"))
            await node.gate.began.wait()
            node.gate.release()
            await resigning
            await ana.play("24x2", ply=2)

            assert [brief(answer) for answer in await ana.answers(3)] == [
                ("ack", 0, "12"),
                ("ack", 1, "rf"),
                ("not_racing", 2, 2),
            ]
            assert node.seat(await node.rooms.load(room.id), ANA).placed == 2


async def test_ranks_are_written_once_by_however_many_finish_the_room(database: Database) -> None:
    clock = ManualClock(ENDS + GRACE)
    async with a_node(database, clock=clock) as one, a_node(database, clock=clock) as other:
        room = await a_kept_room(database, players=3, racing=True)

        finished = await asyncio.gather(
            *(node.referee.present(room.id) for node in (one, other, one, other))
        )

        assert {everything(one) for one in finished} == {everything(finished[0])}
        assert finished[0].version == room.version + 1
        assert [seat.rank for seat in (await one.rooms.load(room.id)).seats] == [1, 1, 1]


async def test_a_new_name_is_taken_over_in_the_middle_of_a_race(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)
        with node.socket(room.id) as ana:
            await ana.hello(ANA)
            renamed = ANA.__class__(ANA.id, "Anna", ANA.kind)
            await node.referee.change(room.id, lambda room, at: room.rename(renamed, at=at))
            await ana.play("12")
            [entry] = (await ana.expect("standings"))["entries"]

            assert entry["player"]["name"] == "Anna"
            assert node.session_of(room, ANA).player.id == ANA.id


async def test_a_game_is_there_only_in_a_room_that_has_started_and_for_who_joined(
    lite: Database,
) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2)
        with pytest.raises(WrongState):
            node.session_of(room, ANA)
        with pytest.raises(NotAPlayer):
            node.session_of(room, STRANGER)
        with pytest.raises(Invalid):
            await node.referee.present("r\x00")
