"""Many times in three figures."""

from collections.abc import Sequence
from statistics import median, quantiles

COLUMNS = ("p50 ms", "p99 ms", "last ms")


def figures(times_ms: Sequence[float]) -> tuple[str, str, str]:
    """Give the median, the 99th of a hundred, and the longest, for `COLUMNS`."""
    p99 = quantiles(times_ms, n=100, method="inclusive")[98]
    return f"{median(times_ms):,.1f}", f"{p99:,.1f}", f"{max(times_ms):,.1f}"
