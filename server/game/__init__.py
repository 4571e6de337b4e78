"""The rules of Canfield: codes, boards and moves; pure, standard library only.

`RULES.md` in this folder has the rules that docstrings and errors name.
"""

from .board import Board
from .cards import CARDS, RANKS, SUITS, card_name, card_number
from .code import LENGTHS, SEALED_LENGTH, SHORT_LENGTH, GameCode, random_letters
from .errors import (
    BadCode,
    BadMove,
    GameError,
    IllegalMove,
    NothingToUndo,
    UndoOff,
)
from .listing import LegalMoves
from .move import Action, Move, Played, Tap, Undo, parse_action
from .ruleset import CF1, CH1, RULESETS, Ruleset

__all__ = [
    "CARDS",
    "CF1",
    "CH1",
    "LENGTHS",
    "RANKS",
    "RULESETS",
    "SEALED_LENGTH",
    "SHORT_LENGTH",
    "SUITS",
    "Action",
    "BadCode",
    "BadMove",
    "Board",
    "GameCode",
    "GameError",
    "IllegalMove",
    "LegalMoves",
    "Move",
    "NothingToUndo",
    "Played",
    "Ruleset",
    "Tap",
    "Undo",
    "UndoOff",
    "card_name",
    "card_number",
    "parse_action",
    "random_letters",
]
