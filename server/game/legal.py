"""The verdict on one move: legal, or which rule forbids it and why."""

from .cards import RANKS, RESTS_ON, SUITS, is_red
from .move import HOME, RESERVE, STOCK, WASTE, Move
from .piles import DECK_SIZE, Piles
from .ruleset import Ruleset

Refusal = tuple[str, str]
"""A rule's id and what it has against a move."""


def why_not(piles: Piles, ruleset: Ruleset, move: Move) -> Refusal | None:
    """Give the rule that forbids a move and the reason, or None if the move is legal."""
    if piles.placed == DECK_SIZE:
        return "W1", "the game is won and takes no further action"
    if move.source == STOCK:
        return None if piles.stock or piles.waste else ("S2", "stock and waste are both empty")
    cards = piles.all[move.source]
    if move.count > len(cards):
        return _too_few(move, len(cards))
    card = cards[-move.count]
    if move.target == HOME:
        return None if card in piles.wanted else _not_up(piles, card)
    return _cannot_leave(piles, ruleset, move) or _cannot_land(piles, ruleset, move, card)


def _cannot_leave(piles: Piles, ruleset: Ruleset, move: Move) -> Refusal | None:
    """Say what keeps cards, enough of which are there, from leaving for a column."""
    source = move.source
    if source < WASTE:
        height = len(piles.all[source])
        if move.count > height - piles.loose[source]:
            return "T2", f"the last {move.count} cards of column {source + 1} are not a run"
        if ruleset.whole_columns_only and move.count != height:
            return "T2", f"in {ruleset} column {source + 1} moves only whole, all {height} cards"
    elif source >= HOME and not ruleset.take_back:
        return "B1", f"in {ruleset} no card comes back from a foundation"
    return None


def _cannot_land(piles: Piles, ruleset: Ruleset, move: Move, card: str) -> Refusal | None:
    """Say what keeps `card`, the first of those that move, off the target column."""
    column = piles.all[move.target]
    if column:
        return None if column[-1] in RESTS_ON[card] else _not_down(move, card, column[-1])
    if ruleset.waste_fills_alone and move.source != WASTE:
        return "R3", f"in {ruleset} only the waste top goes to an empty column"
    return None


def _too_few(move: Move, held: int) -> Refusal:
    if move.source == WASTE:
        return "S1", "the waste is empty"
    if move.source == RESERVE:
        return "R1", "the reserve is empty"
    if move.source >= HOME:
        return "B1", f"the foundation of {SUITS[move.source - HOME]} is empty"
    if not held:
        return "T2", f"column {move.source + 1} is empty"
    return "T2", f"column {move.source + 1} has {held} of the {move.count} cards"


def _not_up(piles: Piles, card: str) -> Refusal:
    foundation = SUITS.index(card[1])
    wanted = piles.wanted[foundation]
    if not piles.foundations[foundation]:
        return "F1", f"{card} cannot start its foundation, only {wanted} can"
    return "F1", f"{card} does not go up yet; its foundation takes {wanted} next"


def _not_down(move: Move, card: str, tail: str) -> Refusal:
    rank = RANKS[RANKS.index(tail[0]) - 1]
    first, second = "CS" if is_red(tail) else "DH"
    return "T1", (
        f"{card} does not go on {tail} at the end of column {move.target + 1}; "
        f"{rank}{first} and {rank}{second} do"
    )
