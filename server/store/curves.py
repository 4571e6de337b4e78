"""A game's progress as compact text: `<placed>@<ms since the point before>`, blank-separated.

>>> pack([(0, 1), (1500, 2), (2100, 1)])
'1@0 2@1500 1@600'
>>> unpack("1@0 2@1500 1@600")
[(0, 1), (1500, 2), (2100, 1)]
"""

from server.race.replays import Point


def pack(points: list[Point]) -> str:
    """Write a curve as text."""
    words, previous_ms = [], 0
    for elapsed_ms, placed in points:
        words.append(f"{placed}@{elapsed_ms - previous_ms}")
        previous_ms = elapsed_ms
    return " ".join(words)


def unpack(curve: str) -> list[Point]:
    """Read a curve that `pack` wrote."""
    points, elapsed_ms = [], 0
    for word in curve.split():
        placed, _, delta_ms = word.partition("@")
        elapsed_ms += int(delta_ms)
        points.append((elapsed_ms, int(placed)))
    return points
