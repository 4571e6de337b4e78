"""Lines known by their cards."""

import pytest

from server.game import BadMove, Board, GameCode, IllegalMove
from server.game.solver.position import Game, card_code
from server.game.solver.trail import EMPTY, UP, Trail, intent_of, intents_of
from tests.game.builders import a_board, a_position, published_wins


def code(card: str) -> int:
    return card_code(card, "7")


def test_a_line_says_which_cards_go_where() -> None:
    board = a_board("CF1-D3-AAAAACL")

    intents = list(intents_of(board, ["d", "12", "rf", "24x2"]))

    assert intents == [(code("QC"), code("KH")), (code("8H"), UP), (code("KH"), code("AS"))]
    assert board.position == a_board("CF1-D3-AAAAACL").position


def test_an_empty_column_is_told_from_one_with_cards() -> None:
    board = a_position("KS.QD/-/5S/3S")

    assert list(intents_of(board, ["12"])) == [(code("QD"), EMPTY)]


def test_a_line_that_cannot_be_played_is_refused() -> None:
    with pytest.raises(IllegalMove):
        list(intents_of(a_board(), ["d", "13"]))
    with pytest.raises(IllegalMove):
        list(intents_of(a_board(), ["12x5"]))
    with pytest.raises(BadMove):
        list(intents_of(a_board(), ["u"]))


def test_a_trail_follows_a_whole_game_to_its_win() -> None:
    for deal, moves in published_wins():
        board = Board.deal(deal)
        trail = Trail(Game(board))

        for intent in intents_of(board, [move.text for move in moves]):
            assert trail.follow(intent)

        assert trail.placed == 52
        assert trail.length <= len(moves)
        assert [
            intent_of(trail.game, place[0], step)
            for place, step in zip(trail.places, trail.steps, strict=False)
        ] == trail.intents


def test_what_cannot_be_done_is_not_followed() -> None:
    trail = Trail(Game(Board.deal(GameCode.parse("CF1-D3-AAAAACL"))))

    assert not trail.follow((code("3H"), UP))
    assert (trail.steps, len(trail.places), trail.length) == ([], 1, 0)


def test_the_head_of_a_trail_goes_its_own_way() -> None:
    board = a_board()
    trail = Trail(Game(board))
    for intent in intents_of(board, ["12", "rf", "24x2"]):
        trail.follow(intent)

    head = trail.head(1)
    assert head.follow(trail.intents[1])

    assert (head.steps, head.length) == (trail.steps[:2], 2)
    assert trail.length == 3
