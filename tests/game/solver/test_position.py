"""Positions as a search keeps them."""

from server.game import CARDS, Board, GameCode
from server.game.cards import NEXT_UP, RESTS_ON, is_red
from server.game.solver.position import COLOURS, TAKES, Game, card_code, placed_by


def test_a_card_is_its_suit_and_how_far_above_the_base_it_is() -> None:
    assert [card_code(card, "7") for card in ("7C", "8C", "6C", "7S", "AH")] == [0, 1, 12, 48, 39]


def test_columns_take_the_cards_that_the_rules_let_them_take() -> None:
    for base in "A7K":
        for tail in CARDS:
            taken = {card for card in CARDS if tail in RESTS_ON[card]}
            assert set(TAKES[card_code(tail, base)]) == {card_code(card, base) for card in taken}


def test_the_next_card_up_has_the_next_number() -> None:
    for card in CARDS:
        if NEXT_UP[card][0] != "7":
            assert card_code(NEXT_UP[card], "7") == card_code(card, "7") + 1


def test_only_the_two_cards_of_a_rank_and_colour_become_one() -> None:
    for one in CARDS:
        for other in CARDS:
            alike = one[0] == other[0] and is_red(one) == is_red(other)
            codes = bytes([card_code(one, "A"), card_code(other, "A")]).translate(COLOURS)
            assert (codes[0] == codes[1]) == alike


def test_a_deal_is_read_with_its_hidden_cards() -> None:
    game = Game(Board.deal(GameCode.parse("CF1-D3-AAAAACL")))
    columns, reserve, wanted, talon = game.start

    assert columns == tuple(bytes([card_code(card, "7")]) for card in ("QC", "KH", "3H", "AS"))
    assert (reserve, game.reserve[-1]) == (13, card_code("JD", "7"))
    assert [*wanted] == [0, 16, 33, 48]
    assert (len(talon.order), game.height, placed_by(game.start)) == (34, 0, 1)
