"""What is not looked at in `CH1` makes no difference."""

from random import Random

from server.game import CH1, Board
from server.game.solver.position import Game, placed_by
from server.game.solver.pruning import most_placed, safe_step
from server.game.solver.steps import steps_from
from tests.game.builders import a_position
from tests.game.solver.builders import a_small_position, an_ending, most_ever_placed

POSITIONS = 60
MOST_LOOKED_AT = 800


def safe_moves(board: Board) -> list[tuple[int, int, int]]:
    game = Game(board)
    return [step for step, _ in safe_step(game, game.start)]


def bound(board: Board) -> int:
    columns, _, wanted, _ = Game(board).start
    return most_placed(columns, wanted)


def test_a_card_is_safe_once_both_that_go_on_it_are_up() -> None:
    up = {"D": 2, "H": 2, "C": 2}

    board = a_position("9C/KD/KH/QD", ruleset=CH1, foundations=up)
    assert safe_moves(board) == [(0, 6, 1)]

    board = a_position("9C/KD/KH/QD", ruleset=CH1, foundations={**up, "H": 1})
    assert safe_moves(board) == []


def test_a_base_card_is_never_safe_for_the_last_cards_go_on_it() -> None:
    assert safe_moves(a_position("7C/KD/KH/QD", ruleset=CH1)) == []


def test_the_top_of_the_waste_is_never_safe() -> None:
    up = {"D": 2, "H": 2, "C": 2}

    assert safe_moves(a_position("5S/KD/KH/QD", ruleset=CH1, waste=["9C"], foundations=up)) == []


def test_a_safe_step_costs_nothing() -> None:
    chance, tried = Random(2), 0
    while tried < POSITIONS:
        make = chance.choice([a_small_position, an_ending])
        board = make(chance, CH1, 3, cards=6)
        moves = safe_moves(board)
        before = most_ever_placed(board, positions=MOST_LOOKED_AT) if moves else None
        if before is None:
            continue
        tried += 1
        source = {5: "r"}.get(moves[0][0], str(moves[0][0] + 1))
        board.push(board.tap(board.parse_move(source)))  # type: ignore[arg-type]

        assert most_ever_placed(board, positions=MOST_LOOKED_AT) == before


def test_columns_that_wait_for_each_other_bound_what_can_be_placed() -> None:
    spades_wait_for_diamonds = "7S.6D"  # all diamonds up to the last before the first spade
    free = a_position(f"{spades_wait_for_diamonds}/KH/QS/JC", ruleset=CH1)
    stuck = a_position(f"{spades_wait_for_diamonds}/9D.8S/QS/JC", ruleset=CH1)

    assert bound(free) == 52
    assert bound(stuck) == 13 + 13 + 2  # the clubs and hearts, and two diamonds


def test_no_play_places_more_than_the_bound() -> None:
    chance, bounded = Random(3), 0
    while bounded < POSITIONS:
        board = a_small_position(chance, CH1, 3, cards=9)
        game = Game(board)
        positions = [game.start, *[position for _, position in steps_from(game, game.start)]]
        if all(most_placed(columns, wanted) == 52 for columns, _, wanted, _ in positions):
            continue
        bounded += 1
        most = most_ever_placed(board, positions=MOST_LOOKED_AT)

        assert most is None or most <= bound(board)
        assert all(placed_by(one) <= most_placed(one[0], one[2]) for one in positions)
