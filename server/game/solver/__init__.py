"""The solver: whether a position can be won, or anything still be placed, all cards known.

Pure like the rules: its limits are a budget of positions and a `should_stop` to ask, no clock.
"""

from .shortening import shorten
from .solving import can_still_place, solve
from .verdict import GivenUp, Hopeless, ShouldStop, Solved, Verdict

__all__ = [
    "GivenUp",
    "Hopeless",
    "ShouldStop",
    "Solved",
    "Verdict",
    "can_still_place",
    "shorten",
    "solve",
]
