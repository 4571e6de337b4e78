"""Attempts at the daily, on real databases, with a clock that is advanced by hand."""

from datetime import datetime, timedelta

import pytest

from server.clock import ManualClock
from server.race.course import GRACE
from server.race.daily import LATECOMERS, Daily
from server.race.errors import DailyOver, NotFound, WrongState
from server.race.instants import MILLISECOND
from server.race.player import Player
from server.race.room import Room
from server.store.database import Database
from tests.live.builders import Node, a_node
from tests.race.builders import ANA, BO, CY, a_daily, after
from tests.store.builders import a_kept_daily, a_kept_room, register, rows

DAY = a_daily()
NOON = DAY.opens_at + timedelta(hours=12)


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


def test_the_tests_day_is_the_one_that_rooms_are_opened_on() -> None:
    assert DAY.opens_at <= after(0) < DAY.closes_at
