import asyncio
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from server import clock as clock_module
from server.clock import (
    ManualClock,
    Reading,
    SystemClock,
    Ticks,
    keep_time,
    machine_ms,
    now,
    set_by,
)
from server.race.errors import Unavailable
from server.race.instants import to_epoch_ms

START = datetime(2026, 11, 29, 19, tzinfo=UTC)
START_MS = to_epoch_ms(START)


class Hands:
    """A machine whose time is moved by hand: its ticks, and its clock that somebody may set."""

    def __init__(self, *, ahead_ms: float = 0) -> None:
        self.ticks_ms = 1000.0
        self.ahead_ms = ahead_ms

    def ticks(self) -> float:
        return self.ticks_ms

    def true_ms(self) -> float:
        return START_MS + self.ticks_ms

    def machine(self) -> float:
        return self.true_ms() + self.ahead_ms

    def pass_ms(self, ms: float) -> None:
        self.ticks_ms += ms

    def clock(self) -> SystemClock:
        return SystemClock(ticks=self.ticks, machine=self.machine)

    def reading(self, *, off_ms: float = 0, there_ms: float = 0, back_ms: float = 0) -> Reading:
        """What a database says whose clock is `off_ms` ahead, after so much time on the way."""
        sent = self.ticks_ms
        self.pass_ms(there_ms)
        database_ms = self.true_ms() + off_ms
        self.pass_ms(back_ms)
        return Reading(database_ms, sent=sent, received=self.ticks_ms)


def test_the_system_clock_tells_the_systems_time() -> None:
    before = time.time() * 1000

    told = SystemClock().now_ms()

    assert before - 100 <= told <= time.time() * 1000 + 100


def test_the_system_clock_never_goes_back() -> None:
    clock = SystemClock()
    told = [clock.now_ms() for _ in range(10_000)]

    assert told == sorted(told)


def test_a_machines_clock_that_is_set_meanwhile_changes_nothing() -> None:
    hands = Hands()
    clock = hands.clock()

    hands.ahead_ms = -3_600_000
    hands.pass_ms(5)

    assert clock.now_ms() == hands.true_ms()


@pytest.mark.parametrize("ahead_ms", [-30_000, -3, 0, 3, 30_000])
def test_the_first_reading_sets_the_clock_whatever_the_machines_clock_says(ahead_ms: float) -> None:
    hands = Hands(ahead_ms=ahead_ms)
    clock = hands.clock()

    clock.adjust(hands.reading(there_ms=2, back_ms=2))

    assert clock.now_ms() == hands.true_ms()
    hands.pass_ms(777)
    assert clock.now_ms() == hands.true_ms()


def test_half_of_the_first_round_trip_is_taken_to_be_the_way_back() -> None:
    hands = Hands()
    clock = hands.clock()

    clock.adjust(hands.reading(there_ms=4, back_ms=10))

    assert clock.now_ms() == hands.true_ms() - 3


def test_a_reading_that_the_clock_agrees_with_moves_nothing() -> None:
    hands = Hands()
    clock = hands.clock()
    clock.adjust(hands.reading())

    clock.adjust(hands.reading(there_ms=3000, back_ms=1))
    clock.adjust(hands.reading(there_ms=1, back_ms=3000))

    assert clock.now_ms() == hands.true_ms()


def test_a_clock_that_is_behind_jumps() -> None:
    hands = Hands()
    clock = hands.clock()
    clock.adjust(hands.reading())

    clock.adjust(hands.reading(off_ms=30_000))

    assert clock.now_ms() == hands.true_ms() + 30_000


def test_a_clock_that_is_ahead_runs_at_half_its_pace_until_time_has_caught_up() -> None:
    hands = Hands()
    clock = hands.clock()
    clock.adjust(hands.reading())

    clock.adjust(hands.reading(off_ms=-100))

    ahead = []
    for _ in range(5):
        ahead.append(clock.now_ms() - (hands.true_ms() - 100))
        hands.pass_ms(50)
    assert ahead == [100, 75, 50, 25, 0]
    assert clock.now_ms() == hands.true_ms() - 100
    hands.pass_ms(50)
    assert clock.now_ms() == hands.true_ms() - 100


def test_a_clock_that_nobody_asks_has_caught_up_all_the_same() -> None:
    hands = Hands()
    clock = hands.clock()
    clock.adjust(hands.reading())
    clock.adjust(hands.reading(off_ms=-100))

    hands.pass_ms(10_000)

    assert clock.now_ms() == hands.true_ms() - 100


steps = st.tuples(
    st.integers(0, 20_000),  # what passes before
    st.floats(-50_000, 50_000),  # what the database's clock is off by then
    st.floats(0, 500),  # there
    st.floats(0, 500),  # back
    st.booleans(),  # whether somebody asks in between
)


@given(st.lists(steps, min_size=2))
def test_whatever_the_database_says_time_never_goes_back_and_comes_to_agree(
    script: list[tuple[int, float, float, float, bool]],
) -> None:
    hands = Hands()
    clock = hands.clock()
    clock.adjust(hands.reading())
    told = [clock.now_ms()]

    for passes_ms, off_ms, there_ms, back_ms, asked in script:
        hands.pass_ms(passes_ms)
        clock.adjust(hands.reading(off_ms=off_ms, there_ms=there_ms, back_ms=back_ms))
        if asked:
            told.append(clock.now_ms())
    hands.pass_ms(400_000)
    told.append(clock.now_ms())

    assert told == sorted(told)
    assert abs(clock.now_ms() - (hands.true_ms() + off_ms)) <= there_ms + back_ms + 1


def test_a_machine_that_is_off_by_more_than_a_second_is_warned_of_once() -> None:
    hands = Hands(ahead_ms=-30_000)
    clock = hands.clock()

    with capture_logs() as logged:
        for _ in range(3):
            clock.adjust(hands.reading())

    [warning] = logged
    assert warning["log_level"] == "warning"
    assert warning["ahead_of_the_database_ms"] == -30_000


def test_a_machine_that_is_off_by_less_is_not_warned_of() -> None:
    hands = Hands(ahead_ms=900)
    with capture_logs() as logged:
        hands.clock().adjust(hands.reading())

    assert logged == []


def test_a_manual_clock_stands_until_it_is_advanced() -> None:
    clock = ManualClock(START)
    assert now(clock) == now(clock) == START

    clock.advance(seconds=2, ms=345)
    clock.adjust(Reading(0, sent=0, received=0))

    assert now(clock) == START + timedelta(milliseconds=2345)


def test_a_manual_clock_starts_at_its_instant_to_the_millisecond() -> None:
    for ms in range(1000):
        start = START + timedelta(milliseconds=ms)
        assert ManualClock(start).now_ms() == to_epoch_ms(start)


def test_now_is_aware_and_in_utc() -> None:
    told = now(SystemClock())

    assert told.utcoffset() == timedelta(0)
    assert told.microsecond % 1000 == 0


class Told:
    """A source that tells what it is given, then says so and tells no more."""

    def __init__(self, *answers: float | Unavailable | None) -> None:
        self._answers: Iterator[float | Unavailable | None] = iter(answers)
        self.has_told_all = asyncio.Event()

    async def read_time(self, ticks: Ticks) -> Reading | None:
        try:
            answer = next(self._answers)
        except StopIteration:
            self.has_told_all.set()
            answer = await asyncio.Future()
        if isinstance(answer, Unavailable):
            raise answer
        return None if answer is None else Reading(machine_ms() + answer, ticks(), ticks())


async def test_a_clock_is_set_by_a_database_that_has_one() -> None:
    clock = SystemClock()

    assert await set_by(Told(-60_000.0), clock)

    assert abs(clock.now_ms() - (machine_ms() - 60_000)) < 1000


async def test_a_clock_is_left_alone_by_a_database_that_has_none() -> None:
    clock = SystemClock()

    assert not await set_by(Told(None), clock)

    assert abs(clock.now_ms() - machine_ms()) < 1000


async def test_time_is_kept_although_the_database_is_away_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(clock_module, "MEASURE_EVERY_S", 0)
    clock = SystemClock()
    source = Told(0.0, Unavailable("away"), Unavailable("away"), 60_000.0)

    keeping = asyncio.create_task(keep_time(source, clock))
    await asyncio.wait_for(source.has_told_all.wait(), 30)
    keeping.cancel()

    assert abs(clock.now_ms() - (machine_ms() + 60_000)) < 1000
