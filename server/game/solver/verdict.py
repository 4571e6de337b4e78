"""What a search can say: solved, hopeless, or given up. Never confused."""

from collections.abc import Callable
from dataclasses import dataclass

ShouldStop = Callable[[], bool]
"""Asked now and then during a search; once it says yes, the search gives up."""


@dataclass(frozen=True, slots=True)
class Solved:
    """The goal can be reached: this line does.

    Attributes:
        line: the moves as text, each legal after those before it.
        positions: how many positions were looked at.
    """

    line: tuple[str, ...]
    positions: int


@dataclass(frozen=True, slots=True)
class Hopeless:
    """No line reaches the goal: every position that any play leads to was looked at.

    Attributes:
        positions: how many positions were looked at.
    """

    positions: int


@dataclass(frozen=True, slots=True)
class GivenUp:
    """Not known: the budget was used up, or the search was told to stop.

    Attributes:
        positions: how many positions were looked at.
    """

    positions: int


Verdict = Solved | Hopeless | GivenUp
