"""How long to wait before trying again: longer each time, by chance, and not for ever."""

from __future__ import annotations

from collections.abc import Callable

from canfield_race_client.errors import CLOSE_CODES, UNKNOWN_CLOSE

Chance = Callable[[], float]
"""Gives a number from 0 up to, not including, 1: `random.random` or a seeded one."""


class Backoff:
    """The waits between attempts: 0.25 to 10 s, doubling, each drawn between the first and its cap.

    >>> patient = Backoff(chance=lambda: 0.5, max_attempts=3)
    >>> [patient.next_s(), patient.next_s(), patient.next_s(), patient.next_s()]
    [0.375, 0.625, 1.125, None]
    """

    def __init__(
        self,
        *,
        chance: Chance,
        first_s: float = 0.25,
        most_s: float = 10.0,
        max_attempts: int = 60,
    ) -> None:
        self._chance = chance
        self._first_s = first_s
        self._most_s = most_s
        self._max_attempts = max_attempts
        self._attempts = 0

    def next_s(self, *, at_least_s: float = 0.0) -> float | None:
        """Seconds to wait before the next attempt, or None when the attempts are used up.

        `at_least_s` is what the server asked for; it may exceed the cap.
        """
        if self._attempts >= self._max_attempts:
            return None
        self._attempts += 1
        # The exponent is bounded because 2.0 ** 1024 overflows.
        cap_s = min(self._most_s, self._first_s * 2.0 ** min(self._attempts, 32))
        return max(at_least_s, self._first_s + self._chance() * (cap_s - self._first_s))

    def after_close(self, close_code: int, *, retry_after_ms: int | None = None) -> float | None:
        """Seconds to wait before reconnecting after a close code, or None: stay away."""
        if not CLOSE_CODES.get(close_code, UNKNOWN_CLOSE).reconnect:
            return None
        return self.next_s(at_least_s=(retry_after_ms or 0) / 1000)

    def reset(self) -> None:
        """Start over: the last attempt succeeded."""
        self._attempts = 0
