"""What the rules refuse, as data: what cannot be read, and what may not be done."""

from typing import ClassVar

_LONGEST_ECHO = 40


def shown(text: str) -> str:
    """Quote what a user sent, in ASCII and cut short, so that it may stand in a message."""
    cut = text if len(text) <= _LONGEST_ECHO else text[:_LONGEST_ECHO] + "..."
    return ascii(cut)


class GameError(Exception):
    """What the rules refuse; `code` is the stable word that clients see."""

    code: ClassVar[str]

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class BadCode(GameError):
    """A game code that cannot be read, or that names no game.

    Attributes:
        text: the code as it was given, in capitals if it got as far as its letters.
        part: what is wrong in it: "shape", "ruleset", "draw" or "letters".
        position: where the wrong character or part begins, counted from 1 after leading blanks;
            None if no single place is to blame.
    """

    code = "bad_code"

    def __init__(self, reason: str, *, text: str, part: str, position: int | None = None) -> None:
        super().__init__(f"{shown(text)} is not a game code: {reason}")
        self.reason = reason
        self.text = text
        self.part = part
        self.position = position


class BadMove(GameError):
    """A text that is no move in any position.

    Attributes:
        text: what was given.
        reason: what is wrong with it, and where possible what to write instead.
    """

    code = "bad_move"

    def __init__(self, text: str, *, reason: str) -> None:
        super().__init__(f"{shown(text)} is not a move: {reason}")
        self.text = text
        self.reason = reason


class IllegalMove(GameError):
    """A move that can be read, but that a rule forbids in this position.

    Attributes:
        move: the text of the move or tap, "u" for an undo.
        rule: the rule's id in RULES.md, such as "T1".
        reason: what the rule has against it.
    """

    code = "illegal_move"

    def __init__(self, move: str, *, rule: str, reason: str) -> None:
        super().__init__(f"{rule}: {reason}")
        self.move = move
        self.rule = rule
        self.reason = reason


class UndoOff(GameError):
    """An undo where the ruleset has none, or the room has switched it off (rule U1).

    Attributes:
        ruleset: the name of the ruleset in play.
    """

    code = "undo_off"

    def __init__(self, *, ruleset: str) -> None:
        super().__init__(f"U1: undo is off in this {ruleset} game")
        self.ruleset = ruleset


class NothingToUndo(GameError):
    """An undo with no action left to take back (rule U1).

    Attributes:
        depth: how many actions the history holds at most.
    """

    code = "nothing_to_undo"

    def __init__(self, *, depth: int) -> None:
        super().__init__(f"U1: nothing is left to undo; at most the last {depth} actions are kept")
        self.depth = depth
