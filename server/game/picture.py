"""The picture of a board for a terminal."""

from itertools import zip_longest

from .cards import SUITS
from .piles import Piles

_NONE = "--"


def picture_of(piles: Piles) -> str:
    """Draw what a player may see, in a few lines of text."""
    reserve_top = piles.reserve[-1] if piles.reserve else _NONE
    foundations = [
        cards[-1] if cards else f"-{suit}"
        for suit, cards in zip(SUITS, piles.foundations, strict=True)
    ]
    columns = zip_longest(*piles.columns, fillvalue="  ")
    return "\n".join(
        [
            f"reserve {reserve_top} ({len(piles.reserve)} cards)   "
            f"foundations {' '.join(foundations)}",
            f"stock -- ({len(piles.stock)} cards)   waste {' '.join(piles.waste) or _NONE}",
            "",
            " 1   2   3   4",
            *("  ".join(row).rstrip() for row in columns),
        ]
    )
