import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.race.boards import BOARDS, Variant, find_board, ranks, settle_variant
from server.race.errors import Invalid, NotFound
from server.race.settings import Draw, RulesetName


def test_boards_are_listed_by_their_names() -> None:
    assert list(BOARDS) == ["fastest", "placed", "rating", "streak", "winnings", "wins"]
    assert all(find_board(name).board == name for name in BOARDS)
    assert [name for name, board in BOARDS.items() if board.best == "lowest"] == ["fastest"]


def test_an_unknown_board_is_not_found_and_those_there_are_are_named() -> None:
    with pytest.raises(NotFound) as refusal:
        find_board("losses")

    assert all(name in refusal.value.detail for name in BOARDS)


@pytest.mark.parametrize(
    ("board", "ruleset", "draw", "variant"),
    [
        ("wins", None, None, ("CF1", 3)),
        ("wins", "CF1", 1, ("CF1", 1)),
        ("wins", None, 1, ("CF1", 1)),
        ("wins", "CH1", None, ("CH1", 3)),
        ("rating", "CH1", 3, ("CH1", 3)),
        ("winnings", None, None, ("CH1", 3)),
        ("streak", None, 3, ("CF1", 3)),
    ],
)
def test_what_is_left_out_is_the_first_that_a_board_is_kept_for(
    board: str, ruleset: RulesetName | None, draw: Draw | None, variant: tuple[RulesetName, Draw]
) -> None:
    assert settle_variant(BOARDS[board], ruleset=ruleset, draw=draw) == Variant(*variant)


@pytest.mark.parametrize(
    ("board", "ruleset", "draw", "pointer", "detail"),
    [
        ("streak", "CH1", None, "/ruleset", "streak is kept for CF1 only; leave ruleset out"),
        ("streak", None, 1, "/draw", "streak is kept for draw 3 only; leave draw out"),
        ("winnings", "CF1", 3, "/ruleset", "winnings is kept for CH1 only; leave ruleset out"),
        ("winnings", None, 1, "/draw", "CH1 is played with draw 3 only; leave draw out"),
        ("wins", "CH1", 1, "/draw", "CH1 is played with draw 3 only; leave draw out"),
    ],
)
def test_a_variant_that_a_board_is_not_kept_for_is_refused_at_the_field(
    board: str, ruleset: RulesetName | None, draw: Draw | None, pointer: str, detail: str
) -> None:
    with pytest.raises(Invalid) as refusal:
        settle_variant(BOARDS[board], ruleset=ruleset, draw=draw)

    assert (refusal.value.pointer, refusal.value.detail) == (pointer, detail)


@given(st.lists(st.integers(0, 4), max_size=12), st.data())
def test_ranks_of_any_page_are_those_of_the_whole_list(
    values: list[int], data: st.DataObject
) -> None:
    values.sort(reverse=True)
    first = data.draw(st.integers(0, len(values)))
    page = values[first : first + data.draw(st.integers(0, 12))]
    better = sum(value > page[0] for value in values) if page else 0

    assert ranks(page, ahead=first, better=better) == [
        1 + sum(other > value for other in values) for value in page
    ]


def test_a_board_says_of_itself_what_clients_need() -> None:
    assert json.loads(msgspec.json.encode(BOARDS["winnings"])) == {
        "board": "winnings",
        "title": "Winnings",
        "description": "Dollars won and lost, over all games.",
        "unit": "dollars",
        "best": "highest",
        "variants": [{"ruleset": "CH1", "draw": 3}],
    }
