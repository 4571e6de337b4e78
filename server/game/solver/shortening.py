"""Making a line shorter: leave out what is not needed, and take the short cuts nearby."""

from collections.abc import Sequence

from ..board import Board
from .lines import written
from .position import Game
from .search import Limits
from .shortcuts import by_short_cuts
from .trail import Trail, intents_of
from .verdict import ShouldStop

ROUNDS = 4


def shorten(
    board: Board,
    line: Sequence[str],
    *,
    budget: int = 3_000,
    should_stop: ShouldStop | None = None,
) -> tuple[str, ...]:
    """Give a line that places at least as much as this one in fewer moves, if one was found.

    Searches for short cuts through `budget` positions in each of a few rounds. When told to stop,
    it gives the shortest line so far.

    >>> from server.game import GameCode
    >>> shorten(Board.deal(GameCode.parse("CF1-D3-AAAAACL")), ["d", "d", "12", "d", "rf"])
    ('12', 'rf')

    Raises:
        BadMove, IllegalMove: for a line that cannot be played from this board.
    """
    game = Game(board)
    limits = Limits(budget, should_stop)
    trail = Trail(game)
    for intent in intents_of(board, line):
        trail.follow(intent)
    for _ in range(ROUNDS):
        shorter = by_short_cuts(_without_the_needless(trail, limits), limits)
        if shorter.length == trail.length:
            break
        trail = shorter
    return written(game, trail.steps)


def _without_the_needless(trail: Trail, limits: Limits) -> Trail:
    """Leave out each step that the goal is reached without, and what it alone made possible."""
    index = 0
    while index < len(trail.steps) and not limits.told_to_stop():
        shorter = trail.head(index)
        for intent in trail.intents[index + 1 :]:
            shorter.follow(intent)
        if shorter.placed >= trail.placed and shorter.length < trail.length:
            trail = shorter
        else:
            index += 1
    return trail
