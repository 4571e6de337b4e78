from random import Random

import pytest

from server.game.cards import CARDS
from server.game.move import COLUMNS, FOUNDATIONS, RESERVE, STOCK, WASTE
from server.game.piles import FOUNDATION_OF, Piles, foundation_cards, run_start


def dealt(seed: int = 1) -> Piles:
    deck = list(CARDS)
    Random(seed).shuffle(deck)
    return Piles.dealt(deck)


def test_the_deal_lays_reserve_base_card_columns_and_stock_in_that_order() -> None:
    piles = Piles.dealt(CARDS)

    assert piles.reserve == [*CARDS[:13]]
    assert piles.reserve[-1] == "KC"
    assert piles.foundations == [[], ["AD"], [], []]
    assert piles.base == "A"
    assert piles.columns == [["2D"], ["3D"], ["4D"], ["5D"]]
    assert piles.stock[-1] == "6D"
    assert len(piles.stock) == 34
    assert piles.waste == []


def test_an_empty_foundation_wants_its_base_card_and_a_begun_one_the_next_rank() -> None:
    piles = Piles.dealt(CARDS)

    assert piles.wanted == ["AC", "2D", "AH", "AS"]


def test_every_pile_is_found_under_the_number_that_moves_use() -> None:
    piles = dealt()

    assert [piles.all[column] for column in COLUMNS] == piles.columns
    assert piles.all[WASTE] is piles.waste
    assert piles.all[RESERVE] is piles.reserve
    assert [piles.all[foundation] for foundation in FOUNDATIONS] == piles.foundations
    assert piles.all[STOCK] is piles.stock
    assert FOUNDATION_OF["7H"] == FOUNDATIONS[2]


@pytest.mark.parametrize(
    ("column", "start"),
    [
        ([], 0),
        (["7H"], 0),
        (["KH", "QC", "JD"], 0),
        (["AS", "KH"], 0),
        (["7H", "KH", "QC"], 1),
        (["KH", "QC", "7H"], 2),
        (["KH", "QH"], 1),
        (["QC", "KH"], 1),
    ],
)
def test_the_run_at_a_columns_end_starts_where_rank_or_colour_breaks(
    column: list[str], start: int
) -> None:
    assert run_start(column) == start


def test_cards_keep_their_order_when_they_move_and_when_they_come_back() -> None:
    piles = dealt()
    piles.columns[0][:] = ["KH", "QC", "JD"]
    piles.columns[1][:] = ["AS"]

    piles.shift(0, 1, 3)
    assert piles.columns[:2] == [[], ["AS", "KH", "QC", "JD"]]

    piles.unshift(0, 1, 3)
    assert piles.columns[:2] == [["KH", "QC", "JD"], ["AS"]]


def test_loose_cards_are_counted_anew_when_the_run_on_them_leaves_or_returns() -> None:
    piles = Piles(
        "A",
        columns=[["9S", "8D", "2C", "KH"], ["AS"], ["5C"], ["5D"]],
        reserve=[],
        waste=[],
        stock=[],
        foundations=[[], [], [], []],
    )
    assert piles.loose == [3, 0, 0, 0]

    piles.shift(0, 1, 1)
    assert piles.loose == [2, 0, 0, 0]

    piles.shift(0, WASTE, 1)
    assert piles.loose == [0, 0, 0, 0]

    piles.unshift(0, WASTE, 1)
    piles.unshift(0, 1, 1)
    assert piles.loose == [3, 0, 0, 0]


def test_a_foundation_wants_the_card_that_was_taken_back() -> None:
    piles = Piles.dealt(CARDS)

    piles.shift(FOUNDATIONS[1], 0, 1)
    assert (piles.wanted[1], piles.placed) == ("AD", 0)

    piles.shift(0, FOUNDATIONS[1], 1)
    assert (piles.wanted[1], piles.placed) == ("2D", 1)


@pytest.mark.parametrize("count", [1, 3])
def test_drawing_turns_cards_one_on_the_other_and_can_be_taken_back(count: int) -> None:
    piles = dealt()
    stock = piles.stock.copy()
    expected = stock[::-1][:count]

    assert piles.draw(count) == expected
    assert piles.waste == expected
    piles.undraw(count)

    assert (piles.stock, piles.waste) == (stock, [])


def test_the_turned_waste_is_drawn_in_the_same_order_again() -> None:
    piles = dealt()
    first_pass = piles.draw(34)

    piles.turn_over()
    assert piles.waste == []
    assert piles.draw(34) == first_pass
    piles.turn_over()
    piles.unturn()

    assert piles.waste == first_pass
    assert piles.stock == []


def test_a_copy_goes_its_own_way() -> None:
    piles = dealt()
    twin = piles.copy()
    before = piles.position()

    twin.draw(3)

    assert piles.position() == before
    assert twin.position() != before


def test_foundation_cards_go_round_from_king_to_ace() -> None:
    assert foundation_cards("Q", "H", 4) == ["QH", "KH", "AH", "2H"]


def test_empty_piles_show_in_the_position() -> None:
    piles = Piles(
        "A",
        columns=[[], ["9S", "8D"], [], ["5D"]],
        reserve=[],
        waste=["2C", "3C"],
        stock=["4C"],
        foundations=[[], ["AD"], [], ["AS", "2S"]],
    )

    assert piles.position() == "1|2C,3C|0:-|-/9S.8D/-/5D|0,1,0,2"
