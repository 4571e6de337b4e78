"""What need not be looked at, where columns move only as a whole and nothing comes back (`CH1`).

There, a card leaves a column only from its end, and only for its foundation, for good. Both
functions rest on that and may be used for proofs. Neither holds in `CF1`.
"""

from ..move import HOME, RESERVE
from .position import ONE, Columns, Game, Position
from .steps import Steps, left_by


def safe_step(game: Game, position: Position) -> Steps:
    """Give a step to a foundation that can do no harm, alone in a list; none if there is no such.

    A card is of no use in a column once both cards that go on it lie on their foundations: nothing
    will ever lie on it. So any line goes on as well without it, its place taken by the next card of
    the reserve, which can do in the column whatever it could on the reserve. A base card is not
    among these: the last cards of the other colour go on it. Nor is the top of the waste: what
    it leaves to be drawn is another matter.
    """
    columns, reserve, wanted, talon = position
    clubs, diamonds, hearts, spades = wanted
    black = min(clubs, spades - 48)
    red = min(diamonds - 16, hearts - 32)
    for suit, useless_up_to in enumerate((red, black, black, red)):
        card = wanted[suit]
        if not 0 < card & 15 <= useless_up_to:
            continue
        higher = wanted.replace(ONE[card], ONE[card + 1])
        if reserve and game.reserve[reserve - 1] == card:
            return [((RESERVE, HOME, 1), (columns, reserve - 1, higher, talon))]
        for source, column in enumerate(columns):
            if column and column[-1] == card:
                left, kept = left_by(game, columns, source, len(column) - 1, reserve)
                return [((source, HOME, 1), (tuple(left), kept, higher, talon))]
    return []


def most_placed(columns: Columns, wanted: bytes) -> int:
    """Give a number of cards on the foundations that will never be exceeded.

    It is what could be placed if every card that lies in no column were at hand: in a column, a
    card waits for all that lie on it. That stops only where columns wait for each other.
    """
    if all(map(_descends, columns)):
        return 52  # the lowest cards lie at the ends: none waits for a higher one
    left = list(columns)
    heights = list(wanted)
    idle = suit = 0
    while idle < 4:
        card = heights[suit]
        if card & 15 < 13 and _gets_free(left, card):
            heights[suit] += 1
            idle = 0
        else:
            suit = (suit + 1) % 4
            idle += 1
    return sum(heights) - 96


def _descends(column: bytes) -> bool:
    """Tell whether a column is a run that does not go round from the base rank to the highest."""
    return not column or column[0] & 15 == (column[-1] & 15) + len(column) - 1


def _gets_free(left: list[bytes], card: int) -> bool:
    """Take a card from the end of its column; tell whether it is in none, or could be taken."""
    for source, column in enumerate(left):
        if card in column:
            if column[-1] != card:
                return False
            left[source] = column[:-1]
            return True
    return True
