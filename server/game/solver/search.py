"""The two searches: best first to find a line, and through everything to prove that none is."""

from heapq import heappop, heappush
from typing import NamedTuple

from .position import COLOURS, ONE, Game, Position, placed_by
from .pruning import most_placed, safe_step
from .steps import Step, Steps, steps_from
from .verdict import ShouldStop

POSITIONS_BETWEEN_ASKING = 256


class Outcome(NamedTuple):
    """How a search ended.

    Attributes:
        positions: how many positions were looked at.
        steps: the way to the goal, if one was found.
        exhausted: whether every position that can be reached was looked at.
    """

    positions: int
    steps: list[Step] | None = None
    exhausted: bool = False


class Limits(NamedTuple):
    """What ends a search early.

    Attributes:
        budget: how many positions it may look at.
        should_stop: asked every so many positions.
    """

    budget: int
    should_stop: ShouldStop | None = None

    def reached(self, positions: int) -> bool:
        """Tell whether no position may be looked at after so many."""
        if positions >= self.budget:
            return True
        return positions % POSITIONS_BETWEEN_ASKING == 0 and self.told_to_stop()

    def told_to_stop(self) -> bool:
        """Tell whether whoever asked wants no answer any more."""
        return self.should_stop is not None and self.should_stop()


START: Step = (0, 0, 0)
"""What leads to the position that a search starts from: no step."""

Node = tuple[int, int, Position, "Node | None", Step]
"""A position's rating, its age (the newer the less), itself, where it came from and how."""


class Seen:
    """The positions met.

    One that reaches no more than another with the same cards, their stock at another height, was
    met with it.
    """

    def __init__(self, *, colours_only: bool) -> None:
        self._heights: dict[bytes, int] = {}
        self._colours_only = colours_only

    def is_new(self, position: Position) -> bool:
        """Tell whether a position was not met before; now it has been."""
        columns, reserve, wanted, talon = position
        if self._colours_only:
            columns = tuple([column.translate(COLOURS) for column in columns])
        key = b"\xff".join([*sorted(columns), wanted, talon.key, ONE[reserve]])
        heights = self._heights.get(key, 0)
        if heights & talon.covered_by:
            return False
        self._heights[key] = heights | talon.bit
        return True


def _branches(game: Game, position: Position, goal: int) -> Steps:
    """List the steps from a position, without those that lead nowhere or need no alternative."""
    if game.whole_columns_only and not game.take_back:
        if most_placed(position[0], position[2]) < goal:
            return []
        if safe := safe_step(game, position):
            return safe
    return steps_from(game, position)


Weights = tuple[int, int, int]
"""What a card still in the reserve, one still in stock or waste, and one placed weigh."""

WEIGHTS: tuple[Weights, ...] = ((4, 2, 3), (5, 1, 3))
"""Those that find most, each some that the others don't."""


def find(game: Game, goal: int, limits: Limits, weights: Weights = WEIGHTS[0]) -> Outcome:
    """Look for a line to so many cards on the foundations, promising positions first.

    Positions that differ only in which of the two cards of a rank and colour is where pass for
    one. That makes it fast, and it proves nothing: that it is exhausted does not mean hopeless.
    """
    seen = Seen(colours_only=True)
    positions = 0
    heap: list[Node] = []
    found: Steps = [(START, game.start)]
    parent: Node | None = None
    in_reserve, in_talon, up = weights
    while True:
        for step, position in found:
            if not seen.is_new(position):
                continue
            if limits.reached(positions):
                return Outcome(positions)
            positions += 1
            placed = placed_by(position)
            rating = in_reserve * position[1] + in_talon * len(position[3].order) - up * placed
            node = (rating, -positions, position, parent, step)
            if placed >= goal:
                return Outcome(positions, steps=_way_to(node))
            heappush(heap, node)
        if not heap:
            return Outcome(positions, exhausted=True)
        parent = heappop(heap)
        found = _branches(game, parent[2], goal)


def _way_to(node: Node) -> list[Step]:
    steps = []
    while node[3] is not None:
        steps.append(node[4])
        node = node[3]
    return steps[::-1]


def prove(game: Game, goal: int, limits: Limits) -> Outcome:
    """Go through every position that can be reached, depth first, unless one meets the goal."""
    seen = Seen(colours_only=False)
    positions = 0
    way: list[Step] = []
    branches: list[Steps] = [[(START, game.start)]]
    while branches:
        if not branches[-1]:
            branches.pop()
            if way:
                way.pop()
            continue
        step, position = branches[-1].pop()
        if not seen.is_new(position):
            continue
        if limits.reached(positions):
            return Outcome(positions)
        positions += 1
        way.append(step)
        if placed_by(position) >= goal:
            return Outcome(positions, steps=way[1:])
        branches.append(_branches(game, position, goal))
    return Outcome(positions, exhausted=True)
