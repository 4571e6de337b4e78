from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.race.instants import (
    EPOCH,
    elapsed_ms,
    from_epoch_ms,
    instant,
    instant_or_none,
    to_epoch_ms,
    whole_milliseconds,
)

INSTANTS = st.builds(
    lambda microseconds, zone: (EPOCH + timedelta(microseconds=microseconds)).astimezone(zone),
    st.integers(0, 7_000_000_000_000_000),
    st.just(UTC) | st.timezones(),
)


def test_an_instant_is_written_in_utc_with_milliseconds_and_z() -> None:
    paris = timezone(timedelta(hours=2))

    assert instant(datetime(2026, 6, 1, 1, 2, 3, 4999, tzinfo=paris)) == "2026-05-31T23:02:03.004Z"


def test_no_instant_is_written_as_none() -> None:
    assert instant_or_none(None) is None
    assert instant_or_none(datetime(2026, 1, 1, tzinfo=UTC)) == "2026-01-01T00:00:00.000Z"


@given(INSTANTS)
def test_an_instant_reads_back_as_itself_to_the_millisecond(at: datetime) -> None:
    assert datetime.fromisoformat(instant(at)) == whole_milliseconds(at)
    assert from_epoch_ms(to_epoch_ms(at)) == whole_milliseconds(at)


@given(INSTANTS)
def test_cutting_to_milliseconds_loses_less_than_one_and_is_done_once(at: datetime) -> None:
    cut = whole_milliseconds(at)

    assert timedelta(0) <= at - cut < timedelta(milliseconds=1)
    assert cut.utcoffset() == timedelta(0)
    assert whole_milliseconds(cut) == cut


@given(st.integers(0, 253_402_300_799_999))
def test_milliseconds_since_1970_come_back_exactly(ms: int) -> None:
    assert to_epoch_ms(from_epoch_ms(ms)) == ms


@pytest.mark.parametrize(
    ("microseconds", "ms"), [(0, 0), (999, 0), (1000, 1), (1_234_567, 1234), (-1, -1), (-1000, -1)]
)
def test_elapsed_time_is_cut_down_to_whole_milliseconds(microseconds: int, ms: int) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)

    assert elapsed_ms(start, start + timedelta(microseconds=microseconds)) == ms
