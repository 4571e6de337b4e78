import time
from datetime import UTC, datetime, timedelta

from server.clock import ManualClock, SystemClock, now
from server.race.instants import to_epoch_ms

START = datetime(2026, 11, 29, 19, tzinfo=UTC)


def test_the_system_clock_tells_the_systems_time() -> None:
    before = time.time() * 1000

    told = SystemClock().now_ms()

    assert before - 100 <= told <= time.time() * 1000 + 100


def test_the_system_clock_never_goes_back() -> None:
    clock = SystemClock()
    told = [clock.now_ms() for _ in range(10_000)]

    assert told == sorted(told)


def test_a_manual_clock_stands_until_it_is_advanced() -> None:
    clock = ManualClock(START)
    assert now(clock) == now(clock) == START

    clock.advance(seconds=2, ms=345)

    assert now(clock) == START + timedelta(milliseconds=2345)


def test_a_manual_clock_starts_at_its_instant_to_the_millisecond() -> None:
    for ms in range(1000):
        start = START + timedelta(milliseconds=ms)
        assert ManualClock(start).now_ms() == to_epoch_ms(start)


def test_now_is_aware_and_in_utc() -> None:
    told = now(SystemClock())

    assert told.utcoffset() == timedelta(0)
    assert told.microsecond % 1000 == 0
