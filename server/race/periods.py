"""The periods that leaderboards are kept for: UTC days, ISO weeks, months, and all time."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Literal

from msgspec import Struct

Period = Literal["day", "week", "month", "all"]

PERIODS: tuple[Period, ...] = ("day", "week", "month", "all")

FIRST_DAY = date(1970, 1, 1)
"""The day that instants are counted from, and the one that all time starts with."""


class Entry(Struct, frozen=True):
    """A day's place in one of its periods.

    Attributes:
        number: of the day, counted from `FIRST_DAY`.
        start: the first day of the period.
    """

    number: int
    day: date
    period: Period
    start: date


def start_of_period(period: Period, day: date) -> date:
    """Give the first day of the period that a day belongs to.

    >>> start_of_period("week", date(2027, 1, 3))
    datetime.date(2026, 12, 28)
    """
    match period:
        case "day":
            return day
        case "week":
            return day - timedelta(days=day.weekday())
        case "month":
            return day.replace(day=1)
        case "all":
            return FIRST_DAY


def day_number(day: date) -> int:
    """Count the days from `FIRST_DAY` to a day."""
    return (day - FIRST_DAY).days


def day_of_number(number: int) -> date:
    """Give the day that is so many days after `FIRST_DAY`."""
    return FIRST_DAY + timedelta(days=number)


def calendar(numbers: Iterable[int]) -> list[Entry]:
    """List every period of days that are given by their numbers."""
    return [
        Entry(number, day, period, start_of_period(period, day))
        for number, day in ((number, day_of_number(number)) for number in numbers)
        for period in PERIODS
    ]


def run_on(today: date, *, settled: tuple[date, int] | None, won: Iterable[date]) -> int:
    """Give how many days in a row a player has won the daily, up to today or yesterday.

    Args:
        today: the present UTC day; it does not end a run before it is over.
        settled: the last day counted with a win, and the run that it was the end of.
        won: the latest days with a win, counted or not yet, in any order.
    """
    last, run = settled or (date.min, 0)
    for day in sorted(day for day in won if day > last):
        run = run + 1 if day - last == timedelta(days=1) else 1
        last = day
    return run if (today - last).days <= 1 else 0
