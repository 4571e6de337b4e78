"""How many frames a socket may send: a bucket that refills with time."""

from math import ceil


class Credit:
    """Up to `burst` frames at once, `per_s` in the long run."""

    __slots__ = ("_burst", "_left", "_per_ms", "_seen_ms")

    def __init__(self, *, per_s: float, burst: int, now_ms: int) -> None:
        self._per_ms = per_s / 1000
        self._burst = burst
        self._left = float(burst)
        self._seen_ms = now_ms

    def spend(self, cost: int, *, now_ms: int) -> bool:
        """Take the cost of a frame; gives whether there was enough, and takes nothing if not."""
        refilled = self._left + (now_ms - self._seen_ms) * self._per_ms
        self._seen_ms = now_ms
        self._left = refilled if refilled < self._burst else float(self._burst)
        if self._left < cost:
            return False
        self._left -= cost
        return True

    def wait_ms(self, cost: int) -> int:
        """Say how long until there is enough for a frame of this cost."""
        return max(0, ceil((cost - self._left) / self._per_ms))
