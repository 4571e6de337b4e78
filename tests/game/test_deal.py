from collections.abc import Iterator
from itertools import repeat

import pytest
from hypothesis import given

from server.game import CF1, CH1, GameCode, card_name, deal
from server.game.deal import deck_of
from tests.game.builders import CODES


@given(CODES)
def test_every_deck_holds_each_card_once(code: GameCode) -> None:
    assert sorted(code.deck()) == list(range(52))


def test_the_order_does_not_depend_on_ruleset_or_draw() -> None:
    decks = {GameCode(*variant, "KEMUBCR").deck() for variant in ((CF1, 3), (CF1, 1), (CH1, 3))}

    assert len(decks) == 1


def test_the_example_deals_as_published() -> None:
    names = [card_name(number) for number in deck_of("AAAAACL")]

    assert names[:13] == [
        "7C",
        "8D",
        "TS",
        "7S",
        "AC",
        "3S",
        "6S",
        "9C",
        "JH",
        "JS",
        "QS",
        "8H",
        "JD",
    ]
    assert " ".join(names[13:18]) == "7H QC KH 3H AS"


def test_a_word_that_would_favour_low_cards_is_passed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first_unfair = (1 << 32) // 52 * 52

    def words(_letters: str) -> Iterator[int]:
        yield from (first_unfair, (1 << 32) - 1, 1)
        yield from repeat(0)

    monkeypatch.setattr(deal, "_words", words)

    assert deck_of("AAAAAAA") == (1, 0, *range(2, 52))
