"""The two rulesets as a table of facts; the engine reads facts and never asks for a name."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One way to play Canfield.

    Attributes:
        name: how game codes name it.
        title: what people call it.
        draws: how many cards a draw may turn, the default first (rule S1).
        undo_depth: how many actions an undo can reach, 0 for no undo (rule U1).
        take_back: whether foundations give cards back (rule B1).
        whole_columns_only: whether columns move only as a whole (rule T2).
        waste_fills_alone: whether an empty column takes only the waste top (rule R3).
        opening_score: the score right after the deal (rules P1, P2).
        points_per_card: what a card put on a foundation earns.
        win_bonus: what the last card earns on top.
    """

    name: str
    title: str
    draws: tuple[int, ...]
    undo_depth: int
    take_back: bool
    whole_columns_only: bool
    waste_fills_alone: bool
    opening_score: int
    points_per_card: int
    win_bonus: int

    def __str__(self) -> str:
        return self.name


CF1: Final = Ruleset(
    name="CF1",
    title="Canfield, modern rules",
    draws=(3, 1),
    undo_depth=100,
    take_back=True,
    whole_columns_only=False,
    waste_fills_alone=False,
    opening_score=0,
    points_per_card=5,
    win_bonus=0,
)

CH1: Final = Ruleset(
    name="CH1",
    title="Canfield, Hoyle rules",
    draws=(3,),
    undo_depth=0,
    take_back=False,
    whole_columns_only=True,
    waste_fills_alone=True,
    opening_score=-45,  # the deck costs 50, the base card returns 5
    points_per_card=5,
    win_bonus=240,  # all 52 cards return 500, not 52 * 5
)

RULESETS: Final = {ruleset.name: ruleset for ruleset in (CF1, CH1)}
