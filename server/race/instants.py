"""Instants as text: RFC 3339 in UTC with milliseconds and `Z`."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

from msgspec import Meta

Instant = Annotated[
    str,
    Meta(
        description="RFC 3339, UTC, milliseconds",
        examples=["2026-11-29T19:00:00.000Z"],
        extra_json_schema={"format": "date-time"},
    ),
]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)


def instant(at: datetime) -> Instant:
    """Write an aware instant as text, cut to the millisecond.

    >>> instant(datetime(2026, 11, 29, 19, 0, 0, 123999, tzinfo=UTC))
    '2026-11-29T19:00:00.123Z'
    """
    utc = at.astimezone(UTC)
    return f"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond // 1000:03d}Z"


def instant_or_none(at: datetime | None) -> Instant | None:
    """Write an instant as text where there is one."""
    return None if at is None else instant(at)


def whole_milliseconds(at: datetime) -> datetime:
    """Cut an aware instant to the millisecond in UTC: all that is stored and sent of it."""
    return from_epoch_ms(to_epoch_ms(at))


def to_epoch_ms(at: datetime) -> int:
    """Count the milliseconds from 1970 to an aware instant."""
    return (at - EPOCH) // MILLISECOND


def from_epoch_ms(ms: int) -> datetime:
    """Give the aware UTC instant that lies `ms` milliseconds after 1970 began."""
    return EPOCH + timedelta(milliseconds=ms)


def elapsed_ms(start: datetime, at: datetime) -> int:
    """Count the whole milliseconds from `start` to `at`; negative when `at` is earlier."""
    return (at - start) // MILLISECOND
