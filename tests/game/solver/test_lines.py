"""Steps written as moves: draws are in the line, as many as it takes."""

from server.game import Board, GameCode
from server.game.move import HOME, WASTE
from server.game.solver.lines import height_after, moves_for, written
from server.game.solver.position import Game
from tests.game.builders import a_board_after
from tests.game.solver.builders import after_playing


def test_a_step_from_the_waste_is_written_with_its_draws() -> None:
    game = Game(Board.deal(GameCode.parse("CF1-D3-AAAAACL")))

    assert written(game, [(0, 1, 1), (WASTE, 2, 6), (0, HOME, 1)]) == ("12", "d", "d", "w3", "1f")


def test_draws_go_on_from_where_the_waste_is_and_over_its_end() -> None:
    board = a_board_after("d d")
    game = Game(board)

    line = written(game, [(WASTE, 0, 9), (WASTE, 0, 3)])

    assert line == ("d", "w1", *["d"] * 9, "d", "d", "w1")
    assert len(after_playing(board, ("d", *["d"] * 10, "d")).waste) == 3


def test_moves_are_counted_as_they_are_written() -> None:
    game = Game(a_board_after("d d"))
    step = (WASTE, 0, 9)

    assert moves_for(game, game.start, 6, step) == len(written(game, [step]))
    assert moves_for(game, game.start, 6, (0, 1, 3)) == 1
    assert (height_after(6, step), height_after(6, (0, 1, 3))) == (8, 6)
