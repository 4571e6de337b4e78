"""The daily around midnight, with clocks advanced by hand, two nodes, and restarts."""

import asyncio
from collections.abc import Iterator
from datetime import date, datetime, timedelta

import pytest

from server.clock import ManualClock
from server.race.course import GRACE
from server.race.daily import DAY, LATECOMERS, start_of
from server.race.errors import DailyOver, WrongState
from server.race.instants import MILLISECOND, instant
from server.store.database import Database
from server.store.proofs import Proofs
from tests.live.builders import WIN, Ear
from tests.live.conftest import Logs
from tests.live.days import (
    a_keeper,
    counted,
    events_of,
    go_to,
    plan,
    results,
    runs_of,
    seconds,
    two_keepers,
)
from tests.race.builders import ANA, BO, COMPANY, CY, DI, EVA, NONCE, OPEN_CODE, STRANGER, TODAY
from tests.store.builders import ON_POSTGRESQL, register, rows

NEXT = TODAY + DAY
MIDNIGHT = start_of(NEXT)
HALF_AN_HOUR = timedelta(minutes=30)
STARTED = ["countdown", "started"]
FINISHED = [*STARTED, "finished"]


def before(**duration: float) -> datetime:
    """The instant so long before midnight."""
    return MIDNIGHT - timedelta(**duration)


def past(**duration: float) -> datetime:
    """The instant so long after midnight."""
    return MIDNIGHT + timedelta(**duration)


@pytest.fixture(autouse=True)
def nothing_goes_wrong(logs: Logs) -> Iterator[None]:
    """Whatever nodes do at the same time, none of it fails behind their backs."""
    yield
    assert [entry for entry in logs if entry["log_level"] == "error"] == []


# The day's beginning


@pytest.mark.parametrize("late", [timedelta(0), MILLISECOND, timedelta(hours=7)])
async def test_a_day_begins_at_midnight_however_late_that_is_noticed(
    lite: Database, late: timedelta
) -> None:
    today, tomorrow = await plan(lite, TODAY, NEXT)
    clock = ManualClock(before(milliseconds=1))
    async with a_keeper(lite, clock) as keeper:
        await keeper.second()
        assert (await keeper.present(today)).state == "racing"
        assert (await keeper.present(tomorrow)).state == "open"
        assert await events_of(lite, tomorrow) == []
        go_to(clock, MIDNIGHT + late)

        await keeper.second()

        begun = await keeper.present(tomorrow)
        assert (begun.state, begun.started_at) == ("racing", MIDNIGHT)
        assert begun.ends_at == MIDNIGHT + DAY + HALF_AN_HOUR
        assert await events_of(lite, tomorrow) == STARTED


@ON_POSTGRESQL
async def test_two_nodes_begin_a_day_once_and_everyone_hears_of_it_once(
    database: Database,
) -> None:
    [tomorrow] = await plan(database, NEXT)
    await register(database, ANA)
    clock = ManualClock(before(milliseconds=1))
    async with two_keepers(database, clock) as (here, there):
        with (
            here.node.socket(tomorrow.id) as ana,
            here.node.socket(tomorrow.id) as eye,
            there.node.socket(tomorrow.id) as other_eye,
        ):
            await ana.hello(ANA)
            for watching in (eye, other_eye):
                await watching.hello()
            await seconds(here, there)
            assert {kind for ear in (ana, eye, other_eye) for kind in kinds(ear)} == {"welcome"}
            go_to(clock, MIDNIGHT)

            await seconds(here, there)

            for ear in (ana, eye, other_eye):
                assert kinds(ear) == ["welcome", *STARTED]
                started = ear.heard[-1]
                assert started["started_at"] == instant(MIDNIGHT)
                assert (started["code"], started["nonce"]) == (None, None)
        assert await events_of(database, tomorrow) == STARTED


@ON_POSTGRESQL
async def test_who_comes_back_after_midnight_to_a_renewed_node_hears_what_was_missed(
    database: Database,
) -> None:
    today, tomorrow = await plan(database, TODAY, NEXT)
    clock = ManualClock(before(milliseconds=1))
    async with a_keeper(database, clock) as keeper:
        since = {}
        for daily in (today, tomorrow):
            with keeper.node.socket(daily.id) as eye:
                [welcome] = (await eye.hello()).listen()
                since[daily.id] = {"epoch": welcome["epoch"], "offset": welcome["offset"]}

    go_to(clock, MIDNIGHT + LATECOMERS)
    async with a_keeper(database, clock) as keeper:
        await seconds(keeper)
        with keeper.node.socket(today.id) as eye:
            await eye.say("hello", since=since[today.id])
            assert kinds(eye) == ["welcome", "finished"]
            assert eye.heard[0]["recovered"] is True
        with keeper.node.socket(tomorrow.id) as eye:
            await eye.say("hello", since=since[tomorrow.id])
            assert kinds(eye) == ["welcome"], "nothing had happened in it: it is told whole"
            assert eye.heard[0]["room"]["started_at"] == instant(MIDNIGHT)


async def test_a_replaced_day_begins_with_its_other_deal_only(lite: Database) -> None:
    clock = ManualClock(before(hours=1))
    async with a_keeper(lite, clock) as keeper:
        withdrawn = await keeper.the_daily(NEXT)
        with keeper.node.socket(withdrawn.id) as eye:
            await eye.hello()
            chosen = await keeper.planner.replace(withdrawn, number=0)
            await seconds(keeper)
            assert kinds(eye) == ["welcome", "cancelled"]
    await register(lite, ANA)
    go_to(clock, MIDNIGHT)
    async with a_keeper(lite, clock) as keeper:
        await seconds(keeper)

        assert (await keeper.present(withdrawn)).state == "cancelled"
        with pytest.raises(WrongState):
            await keeper.node.join(withdrawn.id, ANA)
        assert (await keeper.present(chosen)).state == "racing"
        assert (await keeper.node.join(chosen.id, ANA)).player_count == 1
        assert await events_of(lite, withdrawn) == ["cancelled"]
        assert await events_of(lite, chosen) == STARTED


async def test_a_node_that_was_down_over_midnight_plans_the_day_that_has_begun(
    lite: Database,
) -> None:
    await register(lite, ANA)
    clock = ManualClock(past(hours=2))
    async with a_keeper(lite, clock) as keeper:
        await keeper.planner.plan_ahead()
        await keeper.second()

        daily = await keeper.the_daily(NEXT)
        assert (daily.state, daily.started_at) == ("racing", MIDNIGHT)
        seat = keeper.node.seat(await keeper.node.join(daily.id, ANA), ANA)
        assert seat.ends_at == past(hours=2, minutes=30)
        assert await events_of(lite, daily) == STARTED


# The day's end


async def test_players_in_every_state_come_through_midnight_and_a_restart(
    database: Database,
) -> None:
    today, tomorrow = await plan(database, TODAY, NEXT)
    await register(database, *COMPANY, STRANGER)
    clock = ManualClock(start_of(TODAY) + timedelta(hours=12))
    async with a_keeper(database, clock) as keeper:
        await keeper.node.join(today.id, DI)
        assert await keeper.play(today, DI, WIN) == "won"
        await keeper.node.join(today.id, CY)
        await keeper.play(today, CY, WIN[:2])
        await keeper.node.referee.resign(today.id, player=CY)
        await keeper.node.join(today.id, EVA)
        go_to(clock, before(minutes=15))
        await keeper.second()
        await keeper.node.join(today.id, BO)
        await keeper.play(today, BO, WIN[:2])
        go_to(clock, before(milliseconds=1))
        await keeper.node.join(today.id, ANA)
        await keeper.play(today, ANA, ["d"])

    go_to(clock, past(minutes=2))
    async with a_keeper(database, clock) as keeper:
        await keeper.second()
        with pytest.raises(DailyOver):
            await keeper.node.join(today.id, STRANGER)
        assert (await keeper.node.join(tomorrow.id, STRANGER)).player_count == 1
        assert await keeper.play(today, BO, ["24x2"], ply=2) == "racing"
        await keeper.node.join(today.id, ANA)
        assert await keeper.play(today, ANA, ["d"], ply=1) == "racing", "there is one attempt"
        go_to(clock, past(minutes=29))
        await seconds(keeper)
        assert (await keeper.present(today)).state == "racing", "one attempt runs on"
        assert await counted(database, TODAY) == []
        go_to(clock, past(minutes=31))
        await seconds(keeper)

        finished = await keeper.present(today)
        assert finished.finished_at == past(minutes=30) - MILLISECOND, "the last attempt's end"
        assert results(finished, [DI, BO, CY, EVA, ANA]) == [
            ("won", 1),
            ("out_of_time", 3),
            ("resigned", 2),
            ("out_of_time", 4),
            ("out_of_time", 5),
        ]
        ends = {seat.player.id: seat.ended_at for seat in finished.seats}
        noon = start_of(TODAY) + timedelta(hours=12)
        assert ends == {
            DI.id: noon,
            CY.id: noon,
            EVA.id: noon + HALF_AN_HOUR,
            BO.id: past(minutes=15),
            ANA.id: past(minutes=30) - MILLISECOND,
        }
        assert [seat.ply for seat in finished.seats] == [len(WIN), 2, 3, 0, 2]
        games = [(who.id, 1, int(who is DI)) for who in (ANA, BO, CY, DI, EVA)]
        assert await counted(database, TODAY) == games
        assert await counted(database, NEXT) == [], "that day goes on"
        assert await runs_of(database, DI) == [(str(TODAY), 1)]


@ON_POSTGRESQL
async def test_a_days_sockets_hear_its_code_when_its_last_attempt_has_ended(
    database: Database,
) -> None:
    [today] = await plan(database, TODAY)
    await register(database, ANA, BO)
    clock = ManualClock(before(hours=1))
    async with two_keepers(database, clock) as (here, there):
        with here.node.socket(today.id) as ana, there.node.socket(today.id) as eye:
            await ana.hello(ANA)
            await eye.hello()
            await there.node.join(today.id, BO)
            await there.node.referee.resign(today.id, player=BO)
            go_to(clock, before(milliseconds=1))
            await here.node.join(today.id, ANA)
            await ana.expect("game")
            await ana.play("d", "d")
            await ana.answers(2)
            for then in (MIDNIGHT, MIDNIGHT + LATECOMERS, past(minutes=30) - 2 * MILLISECOND):
                go_to(clock, then)
                await seconds(here, there)
                assert "finished" not in [*kinds(ana), *kinds(eye)]
            told = str([*ana.heard, *eye.heard])
            assert OPEN_CODE not in told
            assert NONCE not in told
            go_to(clock, past(minutes=30) + LATECOMERS)

            await seconds(here, there)

            for ear in (ana, eye):
                assert kinds(ear).count("finished") == 1
                [finished] = [frame for frame in ear.heard if frame["type"] == "finished"]
                assert (finished["code"], finished["nonce"]) == (OPEN_CODE, NONCE)
                assert finished["finished_at"] == instant(past(minutes=30) - MILLISECOND)
                assert [one["player"]["id"] for one in finished["standings"]] == [BO.id, ANA.id]
        assert await events_of(database, today) == FINISHED


async def test_a_move_counts_if_it_arrived_before_its_players_own_end(lite: Database) -> None:
    [today] = await plan(lite, TODAY)
    await register(lite, ANA)
    joined = before(minutes=10)
    clock = ManualClock(joined)
    async with a_keeper(lite, clock) as keeper:
        await keeper.node.join(today.id, ANA)
        with keeper.node.socket(today.id) as ana:
            await ana.hello(ANA)
            keeper.node.gate.hold()
            go_to(clock, joined + HALF_AN_HOUR - MILLISECOND)
            await ana.play("d")
            go_to(clock, joined + HALF_AN_HOUR)
            await ana.play("d", ply=1)
            go_to(clock, joined + HALF_AN_HOUR + GRACE)
            ending = asyncio.create_task(keeper.second())
            await keeper.node.gate.began.wait()
            assert (await keeper.present(today)).state == "racing", "a move is on its way to disk"

            keeper.node.gate.release()
            await ending
            await seconds(keeper)

            ack, reject = await ana.answers(2)
            assert (ack["type"], ack["elapsed_ms"]) == ("ack", 30 * 60_000 - 1)
            assert (reject["code"], reject["ply"], reject["next_ply"]) == ("not_racing", 1, 1)
        finished = await keeper.present(today)
        seat = keeper.node.seat(finished, ANA)
        assert (seat.state, seat.ply) == ("out_of_time", 1)
        assert seat.ended_at == finished.finished_at == joined + HALF_AN_HOUR
        kept = await rows(lite, "SELECT transcript FROM games")
        assert kept == [(f"d@{30 * 60_000 - 1}",)]


@ON_POSTGRESQL
async def test_a_move_that_another_node_has_overtaken_with_the_end_is_not_acknowledged(
    database: Database,
) -> None:
    [today] = await plan(database, TODAY)
    await register(database, ANA)
    joined = before(minutes=10)
    clock = ManualClock(joined)
    async with two_keepers(database, clock) as (here, there):
        await here.node.join(today.id, ANA)
        with here.node.socket(today.id) as ana:
            await ana.hello(ANA)
            here.node.gate.hold()
            go_to(clock, joined + HALF_AN_HOUR - MILLISECOND)
            await ana.play("d")
            go_to(clock, joined + HALF_AN_HOUR + GRACE)
            await there.second()

            here.node.gate.release()
            [answer] = await ana.answers(1)
            assert (answer["type"], answer["code"]) == ("reject", "unavailable")
            await ana.play("d")
            [again] = await ana.answers(1)
            assert (again["code"], again["next_ply"]) == ("not_racing", 0)
        await seconds(here, there)
        assert here.node.seat(await here.present(today), ANA).ply == 0


# Nobody there at midnight


@ON_POSTGRESQL
@pytest.mark.parametrize("hours", [5, 29])
async def test_what_was_due_while_every_node_was_down_has_happened_when_it_was_due(
    database: Database, hours: int
) -> None:
    today, tomorrow, later = await plan(database, TODAY, NEXT, NEXT + DAY)
    await register(database, ANA, BO, CY)
    clock = ManualClock(before(minutes=20))
    async with two_keepers(database, clock) as (here, there):
        for player, keeper, then in (
            (ANA, here, before(minutes=20)),
            (BO, there, before(minutes=5)),
        ):
            go_to(clock, then)
            await keeper.node.join(today.id, player)
            assert await keeper.play(today, player, WIN[:3]) == "racing"
        await there.node.join(today.id, CY)
        await there.node.referee.resign(today.id, player=CY)

    go_to(clock, past(hours=hours))
    async with two_keepers(database, clock) as (here, there):
        await seconds(here, there, count=5)

        finished = await there.present(today)
        assert finished.finished_at == past(minutes=25)
        assert results(finished, [ANA, BO, CY]) == [
            ("out_of_time", 1),
            ("out_of_time", 1),
            ("resigned", 3),
        ]
        assert here.node.seat(finished, ANA).ended_at == past(minutes=10)
        begun = await here.present(tomorrow)
        assert begun.started_at == MIDNIGHT
        assert begun.finished_at == (None if hours < 24 else MIDNIGHT + DAY)
        assert (await here.present(later)).started_at == (None if hours < 24 else MIDNIGHT + DAY)
        assert await events_of(database, today) == FINISHED
        assert await counted(database, TODAY) == [(who.id, 1, 0) for who in (ANA, BO, CY)]


async def test_a_day_is_counted_before_the_next_even_if_the_next_is_finished_first(
    lite: Database,
) -> None:
    today, tomorrow = await plan(lite, TODAY, NEXT)
    await register(lite, ANA)
    clock = ManualClock(MIDNIGHT)
    async with a_keeper(lite, clock) as keeper:
        for daily, then in ((today, before(minutes=1)), (tomorrow, past(minutes=1))):
            go_to(clock, then)
            await keeper.node.join(daily.id, ANA)
            assert await keeper.play(daily, ANA, WIN) == "won"

    go_to(clock, MIDNIGHT + DAY + LATECOMERS)
    async with a_keeper(lite, clock) as keeper:
        assert (await keeper.present(tomorrow)).state == "finished"
        await keeper.bookkeeping.settle()
        assert await runs_of(lite, ANA) == [], "the day before is not counted"

        await seconds(keeper)

        assert await runs_of(lite, ANA) == [(str(TODAY), 1), (str(NEXT), 2)]
        assert await counted(lite, NEXT) == [(ANA.id, 1, 1)]


# Clocks that differ, days that are special


@ON_POSTGRESQL
async def test_nodes_whose_clocks_differ_begin_and_end_days_at_the_same_instants(
    database: Database,
) -> None:
    today, tomorrow = await plan(database, TODAY, NEXT)
    await register(database, ANA, BO)
    ahead, behind = ManualClock(past(milliseconds=20)), ManualClock(before(milliseconds=20))
    async with two_keepers(database, ahead, behind) as (here, there):
        early = await here.node.join(tomorrow.id, ANA)
        assert here.node.seat(early, ANA).started_at == past(milliseconds=20)
        with pytest.raises(DailyOver):
            await here.node.join(today.id, ANA)
        late = await there.node.join(today.id, BO)
        assert there.node.seat(late, BO).started_at == before(milliseconds=20)
        with pytest.raises(WrongState):
            await there.node.join(tomorrow.id, BO)
        await seconds(here, there)
        for clock in (ahead, behind):
            clock.advance(seconds=30 * 60 + 1)

        await seconds(here, there)

        assert (await there.present(tomorrow)).started_at == MIDNIGHT
        assert (await here.present(today)).finished_at == past(minutes=30) - 20 * MILLISECOND
        assert await events_of(database, tomorrow) == STARTED
        assert await events_of(database, today) == FINISHED


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(date(2028, 2, 28), id="a leap day"),
        pytest.param(date(2026, 12, 30), id="new year"),
    ],
)
async def test_runs_go_on_day_by_day_and_a_missed_day_ends_them(
    lite: Database, first: date
) -> None:
    await register(lite, ANA, BO, CY)
    days = [first + number * DAY for number in range(4)]
    clock = ManualClock(start_of(first))
    async with a_keeper(lite, clock) as keeper:
        for day in days[:3]:
            daily = await keeper.the_daily(day)
            await keeper.second()
            go_to(clock, start_of(day) + timedelta(hours=23, minutes=59))
            for player in (ANA, CY) if day == days[1] else (ANA, BO):
                await keeper.node.join(daily.id, player)
                assert await keeper.play(daily, player, await line_of(lite, daily.id)) == "won"
            go_to(clock, start_of(day + DAY) + LATECOMERS)
            await seconds(keeper)

        assert await runs_of(lite, ANA) == [(str(day), run) for run, day in enumerate(days[:3], 1)]
        assert await runs_of(lite, BO) == [(str(days[0]), 1), (str(days[2]), 1)]
        assert await runs_of(lite, CY) == [(str(days[1]), 1)]
        for day in days[:3]:
            assert len(await counted(lite, day)) == 2
        assert await counted(lite, days[3]) == []


async def line_of(database: Database, room_id: str) -> tuple[str, ...]:
    """Moves that win a day's deal, as its proof has them."""
    proof = await Proofs(database).of_room(room_id)
    assert proof is not None
    return proof.line


def kinds(ear: Ear) -> list[str]:
    """The types of everything heard, without how everyone stands."""
    ear.listen()
    return [frame["type"] for frame in ear.heard if frame["type"] not in ("standings", "you")]
