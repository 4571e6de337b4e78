"""The questions: can this game be won, and can anything still be placed?"""

from ..board import Board
from ..piles import DECK_SIZE
from .lines import written
from .position import Game
from .search import Limits, find, prove
from .verdict import GivenUp, Hopeless, ShouldStop, Solved, Verdict


def solve(board: Board, *, budget: int, should_stop: ShouldStop | None = None) -> Verdict:
    """Find a line that wins from a position, all its cards known, or prove that there is none.

    Looks at `budget` positions at most. The board stays as it is; its undo is not used.

    >>> from server.game import GameCode, Move
    >>> board = Board.deal(GameCode.parse("CF1-D3-AAAAACL"))
    >>> verdict = solve(board, budget=50_000)
    >>> for text in verdict.line:
    ...     _ = board.push(Move.parse(text))
    >>> board.is_won
    True
    """
    return _reach(board, DECK_SIZE, Limits(budget, should_stop))


def can_still_place(board: Board, *, budget: int, should_stop: ShouldStop | None = None) -> Verdict:
    """Find a line to more cards on the foundations than lie there now, or prove there is none.

    A position without one is a dead end: hopeless. Looks at `budget` positions at most.
    """
    return _reach(board, board.placed + 1, Limits(budget, should_stop))


def _reach(board: Board, goal: int, limits: Limits) -> Verdict:
    game = Game(board)
    hopeful = find(game, goal, limits._replace(budget=limits.budget // 2))
    if hopeful.steps is not None:
        return Solved(written(game, hopeful.steps), hopeful.positions)
    left = limits._replace(budget=limits.budget - hopeful.positions)
    outcome = prove(game, goal, left)
    positions = hopeful.positions + outcome.positions
    if outcome.steps is not None:
        return Solved(written(game, outcome.steps), positions)
    return Hopeless(positions) if outcome.exhausted else GivenUp(positions)
