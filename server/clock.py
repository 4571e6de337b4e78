"""The server's time: besides the command line, only this asks the system for it.

With PostgreSQL, time is the database's, so that all servers of one database agree, whatever their
machines' clocks say: `set_by` measures it, `keep_time` goes on measuring.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple, Protocol

import structlog

from server.race.errors import Unavailable
from server.race.instants import from_epoch_ms, to_epoch_ms

log = structlog.get_logger()

MEASURE_EVERY_S = 10
WORTH_A_WARNING_MS = 1000  # a machine's clock that is further off is worth setting
SLOWED_TO = 0.5  # the pace at which a clock that is ahead waits for the database's

Ticks = Callable[[], float]
"""Gives milliseconds that never go back, counted from some instant or other."""


class Reading(NamedTuple):
    """The database's time, and the ticks of this process right before and after it was told."""

    database_ms: float
    sent: float
    received: float

    @property
    def took_ms(self) -> float:
        """The round trip; the shorter, the better the reading."""
        return self.received - self.sent


class Source(Protocol):
    """Where the time comes from."""

    async def read_time(self, ticks: Ticks) -> Reading | None:
        """Read the time; None for a database that has none of its own.

        Raises:
            Unavailable: the database did not answer.
        """


class Clock(Protocol):
    """Tells the time, to the millisecond."""

    def now_ms(self) -> int:
        """Count the milliseconds since 1970; never goes back."""

    def adjust(self, reading: Reading) -> None:
        """Follow the database's clock from now on."""


def monotonic_ms() -> float:
    """Count milliseconds that never go back."""
    return time.monotonic() * 1000


def machine_ms() -> float:
    """Count the milliseconds since 1970 by the machine's clock, which somebody may set."""
    return time.time() * 1000


class SystemClock:
    """A monotonic clock, set by the machine's once and by the database's from then on.

    It never goes back: when it is found to be ahead it runs at half its pace until the database's
    clock has caught up. When it is found to be behind it jumps.
    """

    def __init__(self, *, ticks: Ticks = monotonic_ms, machine: Ticks = machine_ms) -> None:
        self._ticks = ticks
        self._machine = machine
        self._offset_ms = self._right_offset_ms = machine() - ticks()
        self._slowed_at: float | None = None
        self._has_been_set = False
        self._has_warned = False

    def now_ms(self) -> int:
        """Count the milliseconds since 1970."""
        ticks = self._ticks()
        if self._slowed_at is not None:
            self._wait_for_the_database(ticks, self._slowed_at)
        return int(ticks + self._offset_ms)

    def adjust(self, reading: Reading) -> None:
        """Follow the database's clock from now on.

        The first reading sets the clock, before anybody has asked it. Later, an offset is kept
        that agrees with the time having been told somewhere between `sent` and `received`: a slow
        answer moves nothing.
        """
        least = reading.database_ms - reading.received
        most = reading.database_ms - reading.sent
        if self._has_been_set:
            self.now_ms()  # what has passed until now has passed at the pace there was
            self._go_by(min(max(self._right_offset_ms, least), most))
        else:
            self._offset_ms = self._right_offset_ms = (least + most) / 2
            self._has_been_set = True
        self._compare_with_the_machine()

    def _go_by(self, right_offset_ms: float) -> None:
        self._right_offset_ms = right_offset_ms
        if right_offset_ms < self._offset_ms:
            self._slowed_at = self._ticks()
        else:
            self._offset_ms, self._slowed_at = right_offset_ms, None

    def _wait_for_the_database(self, ticks: float, slowed_at: float) -> None:
        slower_ms = (ticks - slowed_at) * (1 - SLOWED_TO)
        self._offset_ms = max(self._right_offset_ms, self._offset_ms - slower_ms)
        self._slowed_at = None if self._offset_ms == self._right_offset_ms else ticks

    def _compare_with_the_machine(self) -> None:
        off_ms = round(self._machine() - self._ticks() - self._right_offset_ms)
        if abs(off_ms) > WORTH_A_WARNING_MS and not self._has_warned:
            self._has_warned = True
            log.warning("clock.machine_is_off", ahead_of_the_database_ms=off_ms)


class ManualClock:
    """A clock that stands until it is advanced, whatever the database says: for tests."""

    def __init__(self, start: datetime) -> None:
        self._now_ms = to_epoch_ms(start)

    def now_ms(self) -> int:
        """Count the milliseconds since 1970."""
        return self._now_ms

    def adjust(self, reading: Reading) -> None:
        """Leave the time as it is."""

    def advance(self, *, ms: int = 0, seconds: int = 0) -> None:
        """Let time pass."""
        self._now_ms += ms + seconds * 1000


def now(clock: Clock) -> datetime:
    """Give a clock's time as an aware UTC instant."""
    return from_epoch_ms(clock.now_ms())


async def set_by(source: Source, clock: Clock) -> bool:
    """Set a clock by a database that has a clock of its own; gives whether it has.

    Raises:
        Unavailable: the database did not answer.
    """
    reading = await source.read_time(monotonic_ms)
    if reading is None:
        return False
    clock.adjust(reading)
    return True


async def keep_time(source: Source, clock: Clock) -> None:
    """Go on setting a clock by its database, without end."""
    while True:
        await asyncio.sleep(MEASURE_EVERY_S)
        with suppress(Unavailable):  # the clock runs on as it is
            await set_by(source, clock)
