"""Positions as a search keeps them: cards as small numbers, piles as bytes."""

from ..board import Board
from ..cards import RANKS, RED_SUITS, SUITS
from .talon import Talon, Talons

Columns = tuple[bytes, ...]

Position = tuple[Columns, int, bytes, Talon]
"""The four columns, how many cards the reserve holds, what the foundations want, and the talon.

A card is 16 * suit + how many ranks it is above the base, so that a foundation that holds `n`
cards wants `16 * suit + n`: no card at all once it is complete."""

ONE = [bytes([card]) for card in range(64)]
"""Each card as a pile of its own."""


def _same_colour(one: int, other: int) -> bool:
    return (SUITS[one] in RED_SUITS) == (SUITS[other] in RED_SUITS)


def _rests_there(card: int) -> bytes:
    suit, height = divmod(card, 16)
    lower = (height - 1) % 13
    return bytes(16 * other + lower for other in range(4) if not _same_colour(suit, other))


TAKES = [_rests_there(card) if card % 16 < 13 else b"" for card in range(64)]
"""By the card at a column's end: the two that go there (rule T1)."""

COLOURS = bytes(
    next((other for other in range(4) if _same_colour(other, card // 16)), 0) * 16 + card % 16
    for card in range(64)
) + bytes(range(64, 256))
"""A translation of piles that makes the two cards of a rank and colour one."""


def card_code(card: str, base: str) -> int:
    """Give the number that a search uses for a card."""
    height = (RANKS.index(card[0]) - RANKS.index(base)) % 13
    return 16 * SUITS.index(card[1]) + height


def placed_by(position: Position) -> int:
    """Count the cards on the foundations."""
    return sum(position[2]) - 96  # what empty foundations want


class Game:
    """What stays the same while a position is played on.

    Attributes:
        start: the position.
        height: how many cards lie on the waste at the start.
        reserve: the cards of the reserve at the start, the top last.
        base: the rank that starts the foundations.
        draw: how many cards a draw turns.
        take_back: whether foundations give cards back (rule B1).
        whole_columns_only: whether columns move only as a whole (rule T2).
        waste_fills_alone: whether an empty column takes only the waste top (rule R3).
        loose: whether a column holds cards that are not part of the run at its end.
        talons: the talons met.
    """

    def __init__(self, board: Board) -> None:
        piles = board._piles  # the hidden cards too
        self.base = board.base
        self.draw = board.draw
        self.take_back = board.ruleset.take_back
        self.whole_columns_only = board.ruleset.whole_columns_only
        self.waste_fills_alone = board.ruleset.waste_fills_alone
        self.reserve = self._pile(piles.reserve)
        self.loose = any(piles.loose)
        self.height = len(piles.waste)
        self.talons = Talons(board.draw)
        self.start: Position = (
            tuple(map(self._pile, piles.columns)),
            len(piles.reserve),
            bytes(16 * suit + len(cards) for suit, cards in enumerate(piles.foundations)),
            self.talons.get(self._pile([*piles.waste, *reversed(piles.stock)]), self.height),
        )

    def _pile(self, cards: list[str]) -> bytes:
        return bytes([card_code(card, self.base) for card in cards])
