"""The server's time: besides the command line, only this asks the system for it."""

import time
from datetime import datetime
from typing import Protocol

from server.race.instants import from_epoch_ms, to_epoch_ms


class Clock(Protocol):
    """Tells the time, to the millisecond."""

    def now_ms(self) -> int:
        """Count the milliseconds since 1970; never goes back."""


class SystemClock:
    """A monotonic clock, set by the system's once; it never goes back."""

    def __init__(self) -> None:
        self._offset_ms = time.time() * 1000 - time.monotonic() * 1000

    def now_ms(self) -> int:
        """Count the milliseconds since 1970."""
        return int(time.monotonic() * 1000 + self._offset_ms)


class ManualClock:
    """A clock that stands until it is advanced: for tests."""

    def __init__(self, start: datetime) -> None:
        self._now_ms = to_epoch_ms(start)

    def now_ms(self) -> int:
        """Count the milliseconds since 1970."""
        return self._now_ms

    def advance(self, *, ms: int = 0, seconds: int = 0) -> None:
        """Let time pass."""
        self._now_ms += ms + seconds * 1000


def now(clock: Clock) -> datetime:
    """Give a clock's time as an aware UTC instant."""
    return from_epoch_ms(clock.now_ms())
