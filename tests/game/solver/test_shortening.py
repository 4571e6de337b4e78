"""Shortened lines are legal, place as much, and are never longer."""

import pytest

from server.game import Board, IllegalMove, Move
from server.game.solver import shorten
from tests.game.builders import a_board, published_wins
from tests.game.solver.builders import after_playing

WINS = published_wins()


@pytest.mark.parametrize(("code", "moves"), WINS, ids=[str(code) for code, _ in WINS])
def test_a_published_win_becomes_a_win_that_is_not_longer(code: object, moves: list[Move]) -> None:
    board = a_board(str(code))
    line = [move.text for move in moves]

    shorter = shorten(board, line, budget=500)

    assert after_playing(board, shorter).is_won
    assert len(shorter) <= len(line)


def test_a_line_full_of_detours_loses_them() -> None:
    board = a_board("CF1-D3-AAAAACL")
    line = ["d", "d", "12", "d", *["d"] * 10, "rf", *["d"] * 12, "24x2"]

    shorter = shorten(board, line)

    assert len(shorter) == 2, "a card to a column, and what it uncovers to its foundation"
    assert after_playing(board, shorter).placed == after_playing(board, tuple(line)).placed


def test_what_places_nothing_is_left_out() -> None:
    assert shorten(a_board(), ["d", "12", "d", "d", "rf", "d"]) == ("12", "rf")
    assert shorten(a_board(), ["d", "12"]) == ()


def test_who_is_told_to_stop_gives_a_line_as_good() -> None:
    code, moves = WINS[0]
    line = [move.text for move in moves]

    same = shorten(Board.deal(code), line, should_stop=lambda: True)

    assert after_playing(Board.deal(code), same).is_won
    assert len(same) <= len(line)


def test_a_line_that_cannot_be_played_is_refused_and_the_board_stays() -> None:
    board = a_board()

    with pytest.raises(IllegalMove):
        shorten(board, ["12", "13"])

    assert board.position == a_board().position
