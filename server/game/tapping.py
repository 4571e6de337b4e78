"""What a tap means: the server picks the target, by rule A1."""

from .errors import IllegalMove
from .legal import why_not
from .move import COLUMNS, MOVES, Move, Tap
from .piles import DECK_SIZE, Piles
from .ruleset import Ruleset


def resolve(tap: Tap, piles: Piles, ruleset: Ruleset) -> Move:
    """Give the move that a tap stands for: the first legal one in the order of rule A1.

    Raises:
        IllegalMove: if the tapped cards can go nowhere, or the game is won.
    """
    if piles.placed == DECK_SIZE:
        raise IllegalMove(tap.text, rule="W1", reason="the game is won and takes no further action")
    for text in _candidates(tap, piles):
        move = MOVES[text]
        if why_not(piles, ruleset, move) is None:
            return move
    raise IllegalMove(tap.text, rule="A1", reason="the tapped cards can go nowhere")


def _candidates(tap: Tap, piles: Piles) -> list[str]:
    """List the moves a tap may stand for: up, then to the longest column, empty ones last."""
    name, counted = tap.text[0], tap.text[1:]
    targets = [target for target in COLUMNS if target != tap.source]
    targets.sort(key=lambda target: -len(piles.columns[target]))  # stable: leftmost first
    ups = [f"{name}f"] if tap.count == 1 else []
    return ups + [f"{name}{target + 1}{counted}" for target in targets]
