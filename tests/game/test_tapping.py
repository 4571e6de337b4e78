import pytest

from server.game import CF1, CH1, IllegalMove, Tap
from server.game.move import TAPS
from tests.game.builders import a_position, a_won_board


def a_tap(text: str) -> Tap:
    return TAPS[text]


def test_a_tap_prefers_the_foundation() -> None:
    board = a_position("9C/8H/3H/AS", foundations={"H": 1})

    assert board.tap(a_tap("2")).text == "2f"


def test_a_tap_prefers_the_longest_column_and_the_leftmost_among_equals() -> None:
    assert a_position("8H/9C/TD.9S/2C").tap(a_tap("1")).text == "13"
    assert a_position("8H/2C/9C/9S").tap(a_tap("1")).text == "13"


def test_a_tap_goes_to_the_first_empty_column_if_no_other_takes_it() -> None:
    board = a_position("8H.7S/-/-/9C", base="A")

    assert board.tap(a_tap("1")).text == "12"
    assert board.tap(a_tap("1x2")).text == "14x2"
    assert board.tap(a_tap("4")).text == "42"


def test_a_tap_on_several_cards_considers_columns_only() -> None:
    board = a_position("9S.8H/TD/3H/AS", foundations={"H": 1})

    assert board.tap(a_tap("1x2")).text == "12x2"
    assert board.tap(a_tap("1")).text == "1f"


def test_in_hoyle_a_tap_on_the_end_of_a_longer_column_considers_only_the_foundation() -> None:
    board = a_position("9S.8H/TD/9C/AS", ruleset=CH1)

    with pytest.raises(IllegalMove, match="A1: "):
        board.tap(a_tap("1"))
    assert board.tap(a_tap("1x2")).text == "12x2"
    assert a_position("9S.8H/TD/9C/AS", ruleset=CF1).tap(a_tap("1")).text == "13"


@pytest.mark.parametrize("text", ["w", "r", "1x2"])
def test_a_tap_on_cards_that_are_not_there_is_refused(text: str) -> None:
    board = a_position("9S/2D/3H/AS")

    with pytest.raises(IllegalMove) as refused:
        board.tap(a_tap(text))

    assert (refused.value.rule, refused.value.move) == ("A1", text)


def test_a_won_game_takes_no_tap() -> None:
    with pytest.raises(IllegalMove) as refused:
        a_won_board().tap(a_tap("1"))

    assert (refused.value.rule, refused.value.move) == ("W1", "1")
