"""Attempts at the daily, on real databases, with a clock that is advanced by hand."""

import asyncio
from datetime import datetime, timedelta

import msgspec
import pytest

from server.clock import ManualClock
from server.live import attempts
from server.live.buses.bus import MemoryBus
from server.race.course import GRACE
from server.race.daily import ATTEMPT_S, LATECOMERS, Daily
from server.race.errors import DailyOver, NotFound, WrongState
from server.race.instants import MILLISECOND, to_epoch_ms
from server.race.player import Player
from server.race.room import Room
from server.store.database import Database
from tests.live.builders import WIN, Node, a_node, brief
from tests.live.days import plan
from tests.race.builders import ANA, BO, CY, a_daily, after
from tests.store.builders import a_kept_daily, a_kept_room, register, rows

DAY = a_daily()
NOON = DAY.opens_at + timedelta(hours=12)


ENDED = "SELECT state, ended_at, ply, transcript FROM games"


def at(instant: datetime) -> ManualClock:
    return ManualClock(instant)


async def seat_states(database: Database, room: Room) -> dict[str, str]:
    query = "SELECT player_id, state FROM games WHERE room_id = :room"
    return dict(await rows(database, query, room=room.id))


async def played(node: Node, room: Room, player: Player, *moves: str) -> None:
    """Have a player make moves over REST."""
    room = await node.referee.present(room.id, asking=player)
    session = node.session_of(room, player)
    for ply, move in enumerate(moves):
        await session.play(ply, move, received_ms=node.clock.now_ms())
    await session.settled()


async def test_an_attempt_runs_on_its_own_clock_from_its_arrival(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    await register(database, ANA)
    async with a_node(database, clock=at(NOON)) as node:
        version = (await node.rooms.load(daily.id)).version

        room = await node.join(daily.id, ANA)

        seat = node.seat(room, ANA)
        assert (seat.state, seat.placed) == ("racing", 1)
        assert seat.started_at == NOON
        assert seat.ends_at == NOON + timedelta(minutes=30)
        assert room.version == version, "joining changes nothing that joiners share"
        assert room.player_count == 1


async def test_joining_again_gives_the_same_attempt_whatever_the_time(lite: Database) -> None:
    daily = await a_kept_daily(lite, racing=True)
    await register(lite, ANA)
    clock = at(NOON)
    async with a_node(lite, clock=clock) as node:
        first = node.seat(await node.join(daily.id, ANA), ANA)
        clock.advance(seconds=24 * 3600)

        again = node.seat(await node.join(daily.id, ANA), ANA)

        assert (again.game_id, again.started_at) == (first.game_id, first.started_at)


@pytest.mark.parametrize(
    ("arrival", "refusal"),
    [
        (DAY.opens_at - timedelta(milliseconds=1), WrongState),
        (DAY.opens_at, None),
        (DAY.closes_at - timedelta(milliseconds=1), None),
        (DAY.closes_at, DailyOver),
    ],
)
async def test_joining_is_from_midnight_to_midnight_by_arrival_to_the_millisecond(
    lite: Database, arrival: datetime, refusal: type[Exception] | None
) -> None:
    daily = await a_kept_daily(lite)
    await register(lite, ANA)
    async with a_node(lite, clock=at(arrival)) as node:
        if refusal is None:
            assert node.seat(await node.join(daily.id, ANA), ANA).started_at == arrival
        else:
            with pytest.raises(refusal):
                await node.join(daily.id, ANA)
            assert await seat_states(lite, daily) == {}


async def test_who_arrived_in_time_is_let_in_late(lite: Database) -> None:
    daily = await a_kept_daily(lite, racing=True)
    await register(lite, ANA)
    arrived = DAY.closes_at - timedelta(milliseconds=1)
    async with a_node(lite, clock=at(DAY.closes_at + timedelta(seconds=3))) as node:
        room = await node.attempts.enter(
            daily.id, player=ANA, arrived_ms=int(arrived.timestamp() * 1000)
        )

        assert node.seat(room, ANA).started_at == arrived


async def test_a_race_is_no_daily(lite: Database) -> None:
    room = await a_kept_room(lite)
    async with a_node(lite) as node:
        with pytest.raises(NotFound):
            await node.attempts.enter(room.id, player=ANA, arrived_ms=node.clock.now_ms())


async def test_an_attempt_ends_by_its_own_clock_and_is_put_away(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    await register(database, ANA, BO)
    clock = at(NOON)
    async with a_node(database, clock=clock) as node:
        await node.join(daily.id, ANA)
        clock.advance(seconds=60)
        await node.join(daily.id, BO)
        await played(node, daily, ANA, "d", "d")
        clock.advance(seconds=30 * 60 - 60)
        await node.attempts.end_run_out()
        assert await seat_states(database, daily) == {ANA.id: "racing", BO.id: "racing"}
        clock.advance(ms=GRACE // MILLISECOND)

        await node.attempts.end_run_out()

        assert await seat_states(database, daily) == {ANA.id: "out_of_time", BO.id: "racing"}
        kept = await rows(database, "SELECT transcript FROM games WHERE player_id = 'p_ana'")
        assert kept == [("d@60000 d@0",)]
        seat = await node.attempts_kept.seat(daily.id, ANA.id)
        assert seat is not None
        assert seat.ended_at == NOON + timedelta(minutes=30)


async def test_the_day_finishes_when_the_last_attempt_has_ended(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    await register(database, ANA, BO, CY)
    clock = at(DAY.closes_at - timedelta(minutes=10))
    async with a_node(database, clock=clock) as node:
        for player in (ANA, BO, CY):
            await node.join(daily.id, player)
        await played(node, daily, BO, "d")
        await node.referee.resign(daily.id, player=BO)
        clock.advance(seconds=600 + LATECOMERS.seconds)
        assert (await node.referee.present(daily.id)).state == "racing", "two attempts run on"
        with pytest.raises(DailyOver):
            await node.join(daily.id, Player(id="p_late", name="Late", kind="human"))
        clock.advance(seconds=20 * 60)
        await node.attempts.end_run_out()
        await node.deadlines.sweep_once()
        await node.at_rest()

        finished = await node.rooms.load_shown(daily.id)

        assert finished.state == "finished"
        assert finished.finished_at == DAY.closes_at + timedelta(minutes=20)
        ranks = {seat.player.id: seat.rank for seat in finished.seats}
        assert ranks == {ANA.id: 1, CY.id: 1, BO.id: 3}, "equal results share their rank"


async def test_a_day_that_nobody_joined_finishes_at_midnight(lite: Database) -> None:
    daily = await a_kept_daily(lite)
    async with a_node(lite, clock=at(DAY.closes_at + timedelta(hours=3))) as node:
        finished = await node.referee.present(daily.id)

        assert isinstance(finished, Daily)
        assert (finished.state, finished.finished_at) == ("finished", DAY.closes_at)


async def test_attempts_that_ran_out_while_no_server_ran_end_at_their_own_time(
    database: Database,
) -> None:
    daily = await a_kept_daily(database, racing=True)
    await register(database, ANA)
    async with a_node(database, clock=at(NOON)) as node:
        await node.join(daily.id, ANA)

    async with a_node(database, clock=at(DAY.closes_at + timedelta(hours=3))) as node:
        finished = await node.referee.present(daily.id)

        assert finished.state == "finished"
        assert node.seat(finished, ANA).ended_at == NOON + timedelta(minutes=30)


async def test_a_watching_socket_plays_once_its_player_joins_on_another_node(
    database: Database,
) -> None:
    daily = await a_kept_daily(database, racing=True)
    await register(database, ANA)
    medium = set()  # type: ignore[var-annotated]
    clock = at(NOON)
    async with (
        a_node(database, clock=clock, medium=medium) as here,
        a_node(database, clock=clock, medium=medium) as there,
    ):
        with here.socket(daily.id) as socket:
            await socket.hello(ANA)
            assert [frame["type"] for frame in socket.listen()] == ["welcome"]

            await there.join(daily.id, ANA)

            you = await socket.expect("you")
            assert (you["state"], you["entry"]["rank"]) == ("racing", 1)
            assert you["ends_at"] == "2026-11-29T12:30:00.000Z"
            game = await socket.expect("game")
            assert game["ends_at"] == "2026-11-29T12:30:00.000Z"
            await socket.play("d")
            assert (await socket.expect("ack"))["state"] == "racing"


async def test_who_joins_on_two_nodes_at_once_has_one_attempt(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    await register(database, ANA)
    clock = at(NOON)
    async with a_node(database, clock=clock) as here, a_node(database, clock=clock) as there:
        rooms = await asyncio.gather(*(node.join(daily.id, ANA) for node in (here, there) * 3))

        assert len({here.seat(room, ANA).game_id for room in rooms}) == 1
        assert await seat_states(database, daily) == {ANA.id: "racing"}


async def test_a_move_counts_that_arrived_in_time_however_slowly_it_is_written(
    database: Database,
) -> None:
    daily = await a_kept_daily(database, racing=True)
    await register(database, ANA)
    clock = at(NOON)
    async with a_node(database, clock=clock) as node:
        session = node.session_of(await node.join(daily.id, ANA), ANA)
        await session.load()
        node.gate.hold()
        end_ms = node.clock.now_ms() + ATTEMPT_S * 1000
        answers: list[bytes] = []
        await session.play(0, "d", received_ms=end_ms - 1, reply=answers.append)
        await session.play(1, "d", received_ms=end_ms, reply=answers.append)
        clock.advance(seconds=ATTEMPT_S, ms=GRACE // MILLISECOND)
        ending = asyncio.create_task(node.attempts.end_run_out())
        await node.gate.began.wait()
        await asyncio.sleep(0)
        assert await seat_states(database, daily) == {ANA.id: "racing"}

        node.gate.release()
        await ending

        kinds = [msgspec.json.decode(answer)["type"] for answer in answers]
        assert kinds == ["ack", "reject"]
        (ended,) = await rows(database, ENDED)
        assert ended == ("out_of_time", to_epoch_ms(NOON) + ATTEMPT_S * 1000, 1, "d@1799999")


async def test_an_attempt_ends_though_what_was_played_is_not_written(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "DRAIN_S", 0)
    daily = await a_kept_daily(lite, racing=True)
    await register(lite, ANA)
    clock = at(NOON)
    async with a_node(lite, clock=clock) as node:
        session = node.session_of(await node.join(daily.id, ANA), ANA)
        await session.load()
        node.gate.hold()
        answers: list[bytes] = []
        await session.play(0, "d", received_ms=node.clock.now_ms(), reply=answers.append)
        clock.advance(seconds=ATTEMPT_S + 1)

        await node.attempts.end_run_out()
        node.gate.release()
        await session.settled()

        assert [msgspec.json.decode(answer)["code"] for answer in answers] == ["unavailable"]
        (ended,) = await rows(lite, ENDED)
        assert ended == ("out_of_time", to_epoch_ms(NOON) + ATTEMPT_S * 1000, 0, "")


async def test_a_move_that_is_looked_at_too_late_is_told_that_the_game_has_ended(
    lite: Database,
) -> None:
    daily = await a_kept_daily(lite, racing=True)
    await register(lite, ANA)
    clock = at(NOON)
    async with a_node(lite, clock=clock) as node:
        session = node.session_of(await node.join(daily.id, ANA), ANA)
        await session.load()
        in_time_ms = node.clock.now_ms()
        clock.advance(seconds=ATTEMPT_S + 1)
        await node.attempts.end_run_out()
        answers: list[bytes] = []

        await session.play(0, "d", received_ms=in_time_ms, reply=answers.append)
        await session.settled()

        assert [msgspec.json.decode(answer)["code"] for answer in answers] == ["not_racing"]


async def test_a_game_that_is_over_is_not_ended_again(lite: Database) -> None:
    daily = await a_kept_daily(lite, racing=True)
    await register(lite, ANA)
    clock = at(NOON)
    async with a_node(lite, clock=clock) as node:
        await node.join(daily.id, ANA)
        clock.advance(seconds=ATTEMPT_S, ms=-1)
        await node.referee.resign(daily.id, player=ANA)
        clock.advance(seconds=60)

        await node.attempts.end_run_out()

        assert await seat_states(lite, daily) == {ANA.id: "resigned"}


async def test_nobody_resigns_whose_time_has_run_out(lite: Database) -> None:
    daily = await a_kept_daily(lite, racing=True)
    await register(lite, ANA)
    clock = at(NOON)
    async with a_node(lite, clock=clock) as node:
        await node.join(daily.id, ANA)
        clock.advance(seconds=ATTEMPT_S)

        with pytest.raises(WrongState, match="out of time"):
            await node.referee.resign(daily.id, player=ANA)

        await node.attempts.end_run_out()
        assert await seat_states(lite, daily) == {ANA.id: "racing"}, "moves may still land"
        clock.advance(ms=GRACE // MILLISECOND)
        await node.attempts.end_run_out()
        assert await seat_states(lite, daily) == {ANA.id: "out_of_time"}


async def test_a_win_ends_the_attempt_and_is_put_away_at_once(database: Database) -> None:
    (daily,) = await plan(database, DAY.day)
    await register(database, ANA, BO)
    async with a_node(database, clock=at(NOON)) as node:
        await node.join(daily.id, BO)
        session = node.session_of(await node.join(daily.id, ANA), ANA)
        for ply, move in enumerate(WIN):
            await session.play(ply, move, received_ms=node.clock.now_ms())
            if ply % 100 == 0:
                await session.settled()
        await session.settled()
        await node.at_rest()

        query = "SELECT state, ended_at, transcript FROM games WHERE player_id = 'p_ana'"
        ((state, ended_at, transcript),) = await rows(database, query)
        assert (state, ended_at) == ("won", to_epoch_ms(NOON))
        assert len(transcript.split()) == len(WIN)
        assert await rows(database, "SELECT 1 FROM actions") == []
        assert (await node.referee.present(daily.id)).state == "racing"


async def test_a_player_is_told_on_every_node_that_the_time_is_out(lite: Database) -> None:
    daily = await a_kept_daily(lite, racing=True)
    await register(lite, ANA)
    clock = at(NOON)
    medium = set[MemoryBus]()
    async with (
        a_node(lite, clock=clock, medium=medium) as here,
        a_node(lite, clock=clock, medium=medium) as there,
    ):
        await here.join(daily.id, ANA)
        with here.socket(daily.id) as socket:
            await socket.hello(ANA)
            await socket.expect("game")
            clock.advance(seconds=ATTEMPT_S + 1)

            await asyncio.gather(here.attempts.end_run_out(), there.attempts.end_run_out())

            you = await socket.expect("you")
            assert (you["state"], you["entry"]["rank"]) == ("out_of_time", 1)
            await socket.say("sync")
            game = await socket.expect("game")
            assert (game["state"], game["elapsed_ms"]) == ("out_of_time", ATTEMPT_S * 1000)
            await socket.play("d")
            assert brief((await socket.answers(1))[0]) == ("not_racing", 0, 0)


async def test_two_nodes_that_finish_a_day_at_once_finish_it_once(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    await register(database, ANA)
    clock = at(DAY.closes_at - MILLISECOND)
    async with a_node(database, clock=clock) as here, a_node(database, clock=clock) as there:
        await here.join(daily.id, ANA)
        clock.advance(seconds=ATTEMPT_S + LATECOMERS.seconds + 1)

        rooms = await asyncio.gather(*(node.referee.present(daily.id) for node in (here, there)))

        ended_at = DAY.closes_at - MILLISECOND + timedelta(seconds=ATTEMPT_S)
        assert [room.state for room in rooms] == ["finished"] * 2
        assert [room.finished_at for room in rooms] == [ended_at] * 2
        query = "SELECT count(*) FROM room_events WHERE event LIKE '%\"finished\"%'"
        assert await rows(database, query) == [(1,)]


async def test_a_day_finishes_no_earlier_than_five_seconds_after_midnight(lite: Database) -> None:
    daily = await a_kept_daily(lite, racing=True)
    clock = at(DAY.closes_at + LATECOMERS - MILLISECOND)
    async with a_node(lite, clock=clock) as node:
        await node.deadlines.sweep_once()
        await node.at_rest()
        assert (await node.referee.present(daily.id)).state == "racing"

        clock.advance(ms=1)

        assert (await node.referee.present(daily.id)).finished_at == DAY.closes_at


async def test_a_day_that_was_withdrawn_or_is_to_come_takes_nobody(lite: Database) -> None:
    daily = await a_kept_daily(lite)
    await register(lite, ANA)
    clock = at(DAY.opens_at - MILLISECOND)
    async with a_node(lite, clock=clock) as node:
        with pytest.raises(WrongState):
            await node.join(daily.id, ANA)
        assert await node.rooms.save(daily, daily.withdraw(at=DAY.opens_at - MILLISECOND))
        clock.advance(ms=1)

        with pytest.raises(WrongState) as refusal:
            await node.join(daily.id, ANA)

        assert refusal.value.state == "cancelled"
        assert await seat_states(lite, daily) == {}


def test_the_tests_day_is_the_one_that_rooms_are_opened_on() -> None:
    assert DAY.opens_at <= after(0) < DAY.closes_at
