"""What the solver answers is true: lines are replayed, hopelessness is held against the truth."""

from typing import Any

import pytest

from server.game import Board, Move
from server.game.solver import Hopeless, Solved, solve
from tests.game.builders import vectors
from tests.game.test_vectors import a_board_from_deck

BUDGET = 4_000
VERDICTS = vectors("verdicts.json")


def play(board: Board, line: tuple[str, ...]) -> None:
    for text in line:
        board.push(Move.parse(text))


@pytest.mark.parametrize("variant", ["CF1-D3", "CF1-D1", "CH1-D3"])
@pytest.mark.parametrize("deal", VERDICTS, ids=lambda deal: str(deal["id"]))
def test_the_published_truth_is_never_contradicted(deal: dict[str, Any], variant: str) -> None:
    board = a_board_from_deck(deal["deck"], variant)
    truth = deal[variant] and deal[variant]["winnable"]

    verdict = solve(board, budget=BUDGET)

    assert verdict.positions <= BUDGET
    if isinstance(verdict, Solved):
        play(board, verdict.line)
        assert board.is_won
        assert truth is not False
    if isinstance(verdict, Hopeless):
        assert truth is not True
