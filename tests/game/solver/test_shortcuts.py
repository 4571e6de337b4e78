"""Short cuts lead to as much, in fewer moves."""

from server.game import Board
from server.game.solver.position import Game
from server.game.solver.search import Limits
from server.game.solver.shortcuts import by_short_cuts, key_of
from server.game.solver.trail import Trail, intents_of
from tests.game.builders import a_board, a_position


def a_trail(line: str, board: Board | None = None) -> Trail:
    board = board or a_board("CF1-D3-AAAAACL")
    trail = Trail(Game(board))
    for intent in intents_of(board, line.split()):
        assert trail.follow(intent)
    return trail


def test_a_detour_is_cut_short() -> None:
    detour = a_trail("12 21 12 3f", a_position("KS.QD/KC/7S/3S"))

    shorter = by_short_cuts(detour, Limits(100))

    assert shorter.intents == detour.intents[-1:]


def test_without_a_budget_the_trail_itself_is_left() -> None:
    trail = a_trail("12 rf 24x2")

    assert by_short_cuts(trail, Limits(0)) is trail


def test_the_order_of_columns_makes_no_difference() -> None:
    (columns, reserve, wanted, talon), height = a_trail("12").places[-1]

    turned = ((columns[::-1], reserve, wanted, talon), height)
    assert key_of(turned) == key_of(((columns, reserve, wanted, talon), height))
    assert key_of(turned) != key_of(((columns, reserve, wanted, talon), height + 1))
