from itertools import pairwise

import pytest

from server.game.cards import (
    CARDS,
    CARDS_IN_RUN,
    NEXT_UP,
    RESTS_ON,
    card_name,
    card_number,
    is_red,
)


@pytest.mark.parametrize(
    ("name", "number"), [("AC", 0), ("KC", 12), ("AD", 13), ("7H", 32), ("AS", 39), ("KS", 51)]
)
def test_a_card_is_numbered_suit_by_suit_from_the_ace(name: str, number: int) -> None:
    assert card_number(name) == number
    assert card_name(number) == name


@pytest.mark.parametrize("name", ["", "7", "7h", "1H", "10H", "H7", "7H "])
def test_what_is_no_card_has_no_number(name: str) -> None:
    with pytest.raises(KeyError):
        card_number(name)


def test_diamonds_and_hearts_are_red() -> None:
    assert [is_red(card) for card in ("AC", "AD", "AH", "AS")] == [False, True, True, False]


def test_foundations_climb_in_their_suit_and_pass_from_king_to_ace() -> None:
    assert NEXT_UP["9D"] == "TD"
    assert NEXT_UP["KS"] == "AS"
    assert sorted(NEXT_UP.values()) == sorted(CARDS)


def test_a_card_rests_on_the_next_rank_of_the_other_colour() -> None:
    assert RESTS_ON["QC"] == ("KD", "KH")
    assert RESTS_ON["KH"] == ("AC", "AS")


def test_the_cards_of_a_run_are_counted_as_if_each_had_been_laid() -> None:
    # From a tail down, card by card: the ends that can be reached in so many cards.
    for tail in CARDS:
        ends = {card for card in CARDS if tail in RESTS_ON[card]}
        for count in range(1, 27):
            assert {end for end in CARDS if CARDS_IN_RUN[end][tail] == count} == ends
            ends = {card for card in CARDS if ends & {*RESTS_ON[card]}}


def test_every_pair_of_ranks_is_a_step_apart_on_the_circle() -> None:
    for lower, higher in pairwise(CARDS[:13]):
        assert NEXT_UP[lower] == higher
