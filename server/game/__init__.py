"""The rules of Canfield: codes, boards and moves; pure, standard library only.

`RULES.md` in this folder has the rules that docstrings and errors name.
"""

from server.game.board import Board
from server.game.cards import CARDS, RANKS, SUITS, card_name, card_number
from server.game.code import LENGTHS, SEALED_LENGTH, SHORT_LENGTH, GameCode, random_letters
from server.game.errors import (
    BadCode,
    BadMove,
    GameError,
    IllegalMove,
    NothingToUndo,
    UndoOff,
)
from server.game.listing import LegalMoves
from server.game.move import Action, Move, Played, Tap, Undo, parse_action
from server.game.ruleset import CF1, CH1, RULESETS, Ruleset

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
