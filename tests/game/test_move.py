from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.game import BadMove, Move, Tap, Undo, parse_action
from server.game.move import HOME, MOVES, RESERVE, STOCK, TAPS, WASTE


def a_table_of_moves() -> set[str]:
    """The moves as the table in RULES.md has them, written out independently."""
    columns = "1234"
    pairs = [a + b for a, b in product(columns, columns) if a != b]
    return {
        "d",
        *(source + "f" for source in "wr1234"),
        *(source + column for source in "wrCDHS" for column in columns),
        *pairs,
        *(f"{pair}x{count}" for pair in pairs for count in range(2, 53)),
    }


def a_table_of_taps() -> set[str]:
    return {*"wr1234", *(f"{column}x{count}" for column in "1234" for count in range(2, 53))}


def test_exactly_the_moves_of_the_table_can_be_read() -> None:
    assert set(MOVES) == a_table_of_moves()
    assert set(TAPS) == a_table_of_taps()


@pytest.mark.parametrize(
    ("text", "source", "target", "count"),
    [
        ("d", STOCK, WASTE, 1),
        ("wf", WASTE, HOME, 1),
        ("r4", RESERVE, 3, 1),
        ("12", 0, 1, 1),
        ("43x52", 3, 2, 52),
        ("C1", 6, 0, 1),
        ("S4", 9, 3, 1),
    ],
)
def test_a_move_says_what_goes_where(text: str, source: int, target: int, count: int) -> None:
    assert Move.parse(text) == Move(text, source, target, count)
    assert str(Move.parse(text)) == text


def test_taps_and_undo_are_readable_but_no_moves() -> None:
    assert parse_action("1x3") == Tap("1x3", 0, 3)
    assert parse_action("u") == Undo()
    for text in ("1x3", "w", "u"):
        assert str(parse_action(text)) == text
        with pytest.raises(BadMove, match="a concrete move is wanted"):
            Move.parse(text)


def test_equal_texts_give_the_same_object() -> None:
    assert Move.parse("12") is parse_action("12")


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("", "moves look like"),
        ("5f", "moves look like"),
        ("f1", "moves look like"),
        ("12 x2", "moves look like"),
        ("1\u0662", "moves look like"),
        ("11", "onto itself"),
        ("11x2", "onto itself"),
        ("12x1", "one card is 12"),
        ("12x02", "one card is 12"),
        ("12x53", "from x2 to x52"),
        ("12x", "from x2 to x52"),
        ("12x\u0662", "from x2 to x52"),
        ("1x1", "one card is 1"),
        ("w1x2", "only cards that leave a column"),
        ("1fx2", "only cards that leave a column"),
        ("dx2", "only cards that leave a column"),
        ("D", "write d"),
        ("WF", "write wf"),
        ("c1", "write C1"),
        (" 12\n", "write 12"),
        ("12X3", "write 12x3"),
        ("U", "write u"),
    ],
)
def test_unreadable_text_is_refused_with_advice(text: str, advice: str) -> None:
    with pytest.raises(BadMove) as refused:
        parse_action(text)

    assert refused.value.text == text
    assert advice in refused.value.reason


@given(st.text(max_size=12) | st.text("dwrfu1234CDHSx05 ", max_size=6))
def test_any_text_is_read_back_or_a_bad_move(text: str) -> None:
    try:
        action = parse_action(text)
    except BadMove:
        assert text not in a_table_of_moves() | a_table_of_taps() | {"u"}
    else:
        assert str(action) == text
