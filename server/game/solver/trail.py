"""A line as a trail of positions, each step known by its cards rather than by its columns."""

from collections.abc import Iterator, Sequence

from ..board import Board
from ..move import COLUMNS, DRAW, HOME, RESERVE, WASTE, Move
from .lines import height_after, moves_for
from .position import Game, Position, card_code, placed_by
from .steps import Step, steps_from

UP = -1
"""What a card is put on that goes to its foundation."""

EMPTY = -2
"""What a card is put on that goes to an empty column."""

Intent = tuple[int, int]
"""A card to be moved, with those on it, and the card, `UP` or `EMPTY` that it is to be put on."""

Place = tuple[Position, int]
"""A position and the height of the waste as it really is: whoever counts moves counts draws."""


def intents_of(board: Board, line: Sequence[str]) -> Iterator[Intent]:
    """Read what a line does, draws aside.

    Raises:
        BadMove, IllegalMove: for a line that cannot be played from this board.
    """
    board = board.copy()
    for text in line:
        move = Move.parse(text)
        cards = board._piles.all[move.source][-move.count :]
        target = board._piles.all[move.target][-1:]
        board.push(move)
        if move is not DRAW:
            onto = card_code(target[0], board.base) if target else EMPTY
            yield card_code(cards[0], board.base), UP if move.target == HOME else onto


def intent_of(game: Game, position: Position, step: Step) -> Intent:
    """Tell what a step does in a position."""
    columns, reserve, wanted, talon = position
    source, target, number = step
    if source in COLUMNS:
        card = columns[source][-number]
    elif source == WASTE:
        card = talon.order[number - 1]
    elif source == RESERVE:
        card = game.reserve[reserve - 1]
    else:
        card = wanted[source - HOME] - 1
    if target == HOME:
        return card, UP
    return card, columns[target][-1] if columns[target] else EMPTY


class Trail:
    """Steps from the start, with the places they come through.

    Attributes:
        game: what stays the same.
        steps: the steps.
        intents: what they do.
        places: the start, and the place after each step.
        moves: how many moves each step is, draws included.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.steps: list[Step] = []
        self.intents: list[Intent] = []
        self.places: list[Place] = [(game.start, game.height)]
        self.moves: list[int] = []

    @property
    def length(self) -> int:
        """How many moves it is in all."""
        return sum(self.moves)

    @property
    def placed(self) -> int:
        """How many cards lie on the foundations in the end."""
        return placed_by(self.places[-1][0])

    def head(self, count: int) -> "Trail":
        """Give the first steps of this trail as one of their own."""
        head = Trail(self.game)
        head.steps = self.steps[:count]
        head.intents = self.intents[:count]
        head.places = self.places[: count + 1]
        head.moves = self.moves[:count]
        return head

    def follow(self, intent: Intent) -> bool:
        """Go on by what is intended, if it can be done and makes a difference; tell whether."""
        position, height = self.places[-1]
        for step, after in steps_from(self.game, position):
            if intent_of(self.game, position, step) == intent:
                self.moves.append(moves_for(self.game, position, height, step))
                self.steps.append(step)
                self.intents.append(intent)
                self.places.append((after, height_after(height, step)))
                return True
        return False
