"""How fast frames may follow each other, so that the server never closes the socket for it."""

from __future__ import annotations

FRAMES_PER_S = 40.0
FRAMES_BURST = 100.0
COSTS = {"sync": 2, "ready": 5, "start": 5, "resign": 5}


def cost_of(kind: str) -> int:
    """What a frame costs of a socket's credit.

    >>> cost_of("move"), cost_of("sync")
    (1, 2)
    """
    return COSTS.get(kind, 1)


class Credit:
    """Up to `burst` frames at once and `per_s` in the long run, for one connection.

    The defaults are below those of the server (200 and 50 per second) by so much that frames may
    also be held up for seconds on their way and arrive all at once.

    >>> credit = Credit(now_s=0.0, per_s=2.0, burst=3.0)
    >>> [credit.spend(1, now_s=0.0) for _ in range(5)]
    [0.0, 0.0, 0.0, 0.5, 1.0]
    """

    def __init__(
        self, *, now_s: float, per_s: float = FRAMES_PER_S, burst: float = FRAMES_BURST
    ) -> None:
        self._per_s = per_s
        self._burst = burst
        self._left = burst  # below zero: what is spent already and has to be waited for
        self._seen_s = now_s

    def spend(self, cost: int, *, now_s: float) -> float:
        """Take the cost of a frame; seconds to wait before sending it."""
        refilled = self._left + (now_s - self._seen_s) * self._per_s
        self._left = min(self._burst, refilled) - cost
        self._seen_s = now_s
        return max(0.0, -self._left / self._per_s)
