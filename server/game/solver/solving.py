"""The questions: can this game be won, and can anything still be placed?"""

from ..board import Board
from ..piles import DECK_SIZE
from .lines import written
from .position import Game
from .search import WEIGHTS, Limits, find, prove
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
    return reach(board, DECK_SIZE, budget=budget, should_stop=should_stop)


def can_still_place(board: Board, *, budget: int, should_stop: ShouldStop | None = None) -> Verdict:
    """Find a line to more cards on the foundations than lie there now, or prove there is none.

    A position without one is a dead end; a won game is one too. Looks at `budget` positions at
    most.
    """
    return reach(board, board.placed + 1, budget=budget, should_stop=should_stop)


def reach(
    board: Board, placed: int, *, budget: int, should_stop: ShouldStop | None = None
) -> Verdict:
    """Find a line to so many cards on the foundations, or prove that there is none."""
    if board.placed >= placed:
        return Solved((), 0)
    if board.is_won:
        return Hopeless(0)  # rule W1: nothing can be played any more
    game = Game(board)
    positions = 0
    for weights in WEIGHTS:
        outcome = find(game, placed, Limits(budget // 4, should_stop), weights)
        positions += outcome.positions
        if outcome.steps is not None:
            return Solved(written(game, outcome.steps), positions)
        if outcome.exhausted:
            break
    outcome = prove(game, placed, Limits(budget - positions, should_stop))
    positions += outcome.positions
    if outcome.steps is not None:
        return Solved(written(game, outcome.steps), positions)
    return Hopeless(positions) if outcome.exhausted else GivenUp(positions)
