from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.race.periods import (
    FIRST_DAY,
    PERIODS,
    Entry,
    calendar,
    day_number,
    day_of_number,
    run_on,
    start_of_period,
)

DAYS = st.dates(min_value=FIRST_DAY)
TODAY = date(2028, 3, 1)


def back(days: int) -> date:
    return TODAY - timedelta(days=days)


@given(DAYS)
def test_a_week_is_the_iso_week_and_a_month_the_calendars(day: date) -> None:
    week, month = start_of_period("week", day), start_of_period("month", day)

    assert week.isocalendar()[:2] == day.isocalendar()[:2]
    assert week.isocalendar().weekday == 1
    assert (month.year, month.month, month.day) == (day.year, day.month, 1)
    assert start_of_period("day", day) == day
    assert start_of_period("all", day) == FIRST_DAY


def test_the_days_around_new_year_2027_are_of_week_53() -> None:
    week = [date(2026, 12, 28) + timedelta(days=number) for number in range(7)]

    assert {start_of_period("week", day) for day in week} == {week[0]}
    assert start_of_period("week", week[-1] + timedelta(days=1)) == date(2027, 1, 4)
    assert start_of_period("week", week[0] - timedelta(days=1)) == date(2026, 12, 21)


@given(DAYS)
def test_days_are_numbered_from_1970_on(day: date) -> None:
    assert day_of_number(day_number(day)) == day
    assert day_number(FIRST_DAY) == 0


def test_a_calendar_has_every_period_of_every_day() -> None:
    entries = calendar([0, 20_000])

    assert [entry.period for entry in entries] == [*PERIODS, *PERIODS]
    assert entries[1] == Entry(0, FIRST_DAY, "week", date(1969, 12, 29))
    assert entries[6] == Entry(20_000, date(2024, 10, 4), "month", date(2024, 10, 1))


@pytest.mark.parametrize(
    ("settled", "won", "run"),
    [
        (None, [], 0),
        (None, [0], 1),
        (None, [1, 0], 2),
        (None, [0, 1], 2),
        ((1, 4), [], 4),
        ((1, 4), [1], 4),
        ((1, 4), [1, 0], 5),
        ((0, 5), [1, 0], 5),
        ((2, 3), [], 0),
        ((2, 3), [1], 4),
        ((2, 3), [0], 1),
        ((2, 3), [1, 0], 5),
        ((3, 9), [1], 1),
    ],
)
def test_a_run_lasts_through_today_and_grows_with_a_win_that_is_not_counted_yet(
    settled: tuple[int, int] | None, won: list[int], run: int
) -> None:
    """Days are counted back from today, here a day after a leap day."""
    last = None if settled is None else (back(settled[0]), settled[1])

    assert run_on(TODAY, settled=last, won=map(back, won)) == run
