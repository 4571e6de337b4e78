"""Cards as text and number, and the tables that say which card goes on which."""

from typing import Final

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
RED_SUITS: Final = "DH"

CARDS: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 cards in the order of their numbers, 13 * suit + rank."""

NUMBERS: Final = {card: number for number, card in enumerate(CARDS)}


def card_name(number: int) -> str:
    """Give the text of a card's number.

    >>> card_name(32), card_name(39)
    ('7H', 'AS')
    """
    return CARDS[number]


def card_number(name: str) -> int:
    """Give the number of a card's text, 13 * suit + rank; `KeyError` for what is no card.

    >>> card_number("7H")
    32
    """
    return NUMBERS[name]


def is_red(card: str) -> bool:
    """Tell whether a card is a diamond or a heart."""
    return card[1] in RED_SUITS


def _rank(card: str) -> int:
    return RANKS.index(card[0])


def _other_colour(card: str) -> str:
    return "CS" if is_red(card) else "DH"


def _cards_in_run(end: str, tail: str) -> int:
    """Count the cards of a run that ends in `end` and whose first card rests on `tail`, 1 to 26."""
    count = (_rank(tail) - _rank(end) - 1) % 13 + 1
    alternates = (count % 2 == 1) == (is_red(end) != is_red(tail))
    return count if alternates else count + 13


NEXT_UP: Final = {card: RANKS[(_rank(card) + 1) % 13] + card[1] for card in CARDS}
"""The card that goes on a card of a foundation (rule F1)."""

RESTS_ON: Final = {
    card: tuple(RANKS[(_rank(card) + 1) % 13] + suit for suit in _other_colour(card))
    for card in CARDS
}
"""The two cards of a column that a card goes on (rule T1)."""

CARDS_IN_RUN: Final = {end: {tail: _cards_in_run(end, tail) for tail in CARDS} for end in CARDS}
"""By a run's last card, then by the card at a column's end: how many cards of the run, from its
end up, go there by rule T1. Rank and colour come round every 26 cards, so 26 more go as well."""
