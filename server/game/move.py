"""Moves, taps and undo as text: every text that can be read at all stands in one table."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from .cards import SUITS
from .errors import BadMove

COLUMNS: Final = range(4)
WASTE: Final = 4
RESERVE: Final = 5
FOUNDATIONS: Final = range(6, 10)
STOCK: Final = 10
HOME: Final = FOUNDATIONS.start
"""As a move's target: the foundation of the card's own suit, whichever that is."""

LONGEST_RUN: Final = 52


@dataclass(frozen=True, slots=True)
class Move:
    """A concrete move: so many cards from the end of one pile to another.

    There is one object per text; get it by `Move.parse` or `parse_action`.

    >>> Move.parse("12x3").count
    3

    Attributes:
        text: how the move is written.
        source: the pile it takes from: a column 0-3, WASTE, RESERVE, a foundation or STOCK.
        target: the pile it puts on: a column 0-3, HOME, or WASTE for a draw.
        count: how many cards it moves; 1 for a draw, which turns as many as the game's draw says.
    """

    text: str
    source: int
    target: int
    count: int = 1

    @classmethod
    def parse(cls, text: str) -> "Move":
        """Read a concrete move.

        Raises:
            BadMove: for what is none, taps and undo included.
        """
        move = MOVES.get(text)
        if move is None:
            raise BadMove(text, reason=_what_is_wrong(text))
        return move

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Tap:
    """A request to send cards wherever they go best; `Board.tap` makes a move of it (rule A1).

    Attributes:
        text: how the tap is written.
        source: the pile that was tapped: a column 0-3, WASTE or RESERVE.
        count: how many cards go along.
    """

    text: str
    source: int
    count: int = 1

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Undo:
    """A request to take the newest action back (rule U1)."""

    text: str = "u"

    def __str__(self) -> str:
        return self.text


Action = Move | Tap | Undo


class Played(NamedTuple):
    """What an action came to.

    Attributes:
        move: the text of what was made of it: a tap's move, "u" for an undo.
        revealed: the cards it turned up, in order; none for an undo.
    """

    move: str
    revealed: tuple[str, ...]


_SOURCE_NAMES = {"1": 0, "2": 1, "3": 2, "4": 3, "w": WASTE, "r": RESERVE}
_COLUMN_NAMES = {"1": 0, "2": 1, "3": 2, "4": 3}


def _all_moves() -> list[Move]:
    moves = [Move("d", STOCK, WASTE)]
    moves += [Move(f"{name}f", source, HOME) for name, source in _SOURCE_NAMES.items()]
    for target_name, target in _COLUMN_NAMES.items():
        moves += [
            Move(name + target_name, source, target)
            for name, source in _SOURCE_NAMES.items()
            if source != target
        ]
        moves += [
            Move(f"{name}{target_name}x{count}", source, target, count)
            for name, source in _COLUMN_NAMES.items()
            if source != target
            for count in range(2, LONGEST_RUN + 1)
        ]
        moves += [
            Move(suit + target_name, foundation, target)
            for suit, foundation in zip(SUITS, FOUNDATIONS, strict=True)
        ]
    return moves


def _all_taps() -> list[Tap]:
    taps = [Tap(name, source) for name, source in _SOURCE_NAMES.items()]
    taps += [
        Tap(f"{name}x{count}", source, count)
        for name, source in _COLUMN_NAMES.items()
        for count in range(2, LONGEST_RUN + 1)
    ]
    return taps


MOVES: Final = {move.text: move for move in _all_moves()}
"""Every concrete move by its text."""

TAPS: Final = {tap.text: tap for tap in _all_taps()}
"""Every tap by its text."""

DRAW: Final = MOVES["d"]
UNDO: Final = Undo()

_READABLE: Final[dict[str, Action]] = {**MOVES, **TAPS, UNDO.text: UNDO}


def parse_action(text: str) -> Action:
    """Read a move, a tap or an undo from text that nobody has checked.

    >>> parse_action("24x2")
    Move(text='24x2', source=1, target=3, count=2)

    Raises:
        BadMove: for every other text, saying what is wrong with it.
    """
    action = _READABLE.get(text)
    if action is None:
        raise BadMove(text, reason=_what_is_wrong(text))
    return action


def _what_is_wrong(text: str) -> str:
    """Say what to write instead of a text that is no move."""
    if text in _READABLE:
        return "taps and undo stand for no move of their own; a concrete move is wanted here"
    for meant in (text.strip(), text.strip().lower(), text.strip().upper()):
        if meant in _READABLE:
            return f"case and blanks matter; write {meant}"
    stem, x, _ = text.partition("x")
    if len(stem) == 2 and stem[0] == stem[1] and stem[0] in _COLUMN_NAMES:
        return "a column does not move onto itself"
    if x and stem in _READABLE:
        if stem[0] in _COLUMN_NAMES and not stem.endswith("f"):
            return f"a count goes from x2 to x{LONGEST_RUN}, no zeros before it; one card is {stem}"
        return "only cards that leave a column for a column are counted"
    return "moves look like d, wf, r1, 2f, 12, 12x3, H4 and u, taps like w, r, 1 and 1x3"
