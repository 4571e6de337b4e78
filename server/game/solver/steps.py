"""Every step from a position: a move, with the draws before it where it takes the waste's top."""

from ..move import FOUNDATIONS, HOME, RESERVE, WASTE
from .position import ONE, TAKES, Columns, Game, Position

NO_CARD = 255


Step = tuple[int, int, int]
"""Where a move takes from and where it puts, by the piles' numbers that `Move` uses, and how many
cards it moves; from the waste it is always one, and the height that has it on top stands there."""

Steps = list[tuple[Step, Position]]
"""Steps with the positions they lead to."""


def steps_from(game: Game, position: Position) -> Steps:
    """List all that can be done (rules F1 to B1), except for what leads to the same again.

    Two empty columns are alike, so only one is filled; nor is a whole column moved to an empty
    one, which changes nothing but the columns' places.
    """
    steps: Steps = []
    _add_ups(steps, game, position)
    empty = NO_CARD
    for target, column in enumerate(position[0]):
        if column:
            _add_onto(steps, game, position, target, column[-1])
        else:
            empty = target
    if empty != NO_CARD:
        _add_fills(steps, game, position, empty)
    return steps


def _add_ups(steps: Steps, game: Game, position: Position) -> None:
    """Add the cards that go to their foundations (rule F1)."""
    columns, reserve, wanted, talon = position
    if reserve:
        top = game.reserve[reserve - 1]
        if top in wanted:
            higher = wanted.replace(ONE[top], ONE[top + 1])
            steps.append(((RESERVE, HOME, 1), (columns, reserve - 1, higher, talon)))
    for source, column in enumerate(columns):
        if column and column[-1] in wanted:
            end = column[-1]
            higher = wanted.replace(ONE[end], ONE[end + 1])
            left, reserve_left = left_by(game, columns, source, len(column) - 1, reserve)
            steps.append(((source, HOME, 1), (tuple(left), reserve_left, higher, talon)))
    for card in wanted:
        if card in talon.cards:
            index = talon.cards.index(card)
            higher = wanted.replace(ONE[card], ONE[card + 1])
            after = game.talons.without(talon, index)
            step = (WASTE, HOME, talon.heights[index])
            steps.append((step, (columns, reserve, higher, after)))


def left_by(
    game: Game, columns: Columns, source: int, keep: int, reserve: int
) -> tuple[list[bytes], int]:
    """Give columns and reserve once a column keeps so many cards, refilled if none (rule R2)."""
    left = list(columns)
    if keep or not reserve:
        left[source] = columns[source][:keep]
        return left, reserve
    left[source] = game.reserve[reserve - 1 : reserve]
    return left, reserve - 1


def _add_onto(steps: Steps, game: Game, position: Position, target: int, end: int) -> None:
    """Add what goes on a column that has cards (rules T1, T2, B1)."""
    columns, reserve, wanted, talon = position
    for card in TAKES[end]:
        if card in talon.cards:
            index = talon.cards.index(card)
            grown = _grown(columns, target, ONE[card])
            after = game.talons.without(talon, index)
            step = (WASTE, target, talon.heights[index])
            steps.append((step, (grown, reserve, wanted, after)))
        elif card < wanted[card >> 4]:  # it lies on its foundation
            if card + 1 == wanted[card >> 4] and game.take_back:
                grown = _grown(columns, target, ONE[card])
                lower = wanted.replace(ONE[card + 1], ONE[card])
                step = (FOUNDATIONS[card >> 4], target, 1)
                steps.append((step, (grown, reserve, lower, talon)))
        elif reserve and card == game.reserve[reserve - 1]:
            grown = _grown(columns, target, ONE[card])
            steps.append(((RESERVE, target, 1), (grown, reserve - 1, wanted, talon)))
        elif card not in talon.order:
            _add_run(steps, game, position, target, card)


def _grown(columns: Columns, target: int, cards: bytes) -> Columns:
    grown = list(columns)
    grown[target] += cards
    return tuple(grown)


def _add_run(steps: Steps, game: Game, position: Position, target: int, card: int) -> None:
    """Add the run from a card on, if it lies in a column and may move (rule T2)."""
    columns, reserve, wanted, talon = position
    for source, column in enumerate(columns):
        keep = column.find(card)
        if keep < 0:
            continue
        if source == target or (keep and game.whole_columns_only):
            return
        if game.loose and keep < run_start(column):
            return
        left, reserve_left = left_by(game, columns, source, keep, reserve)
        left[target] += column[keep:]
        step = (source, target, len(column) - keep)
        steps.append((step, (tuple(left), reserve_left, wanted, talon)))
        return


def run_start(column: bytes) -> int:
    """Give the index from which on a column is one alternating descending run (rule T2)."""
    start = max(len(column) - 1, 0)
    while start and column[start] in TAKES[column[start - 1]]:
        start -= 1
    return start


def _add_fills(steps: Steps, game: Game, position: Position, empty: int) -> None:
    """Add what goes to an empty column, once the reserve is exhausted (rule R3)."""
    columns, reserve, wanted, talon = position
    for index, card in enumerate(talon.cards):
        after = game.talons.without(talon, index)
        step = (WASTE, empty, talon.heights[index])
        steps.append((step, (_grown(columns, empty, ONE[card]), reserve, wanted, after)))
    if game.waste_fills_alone:
        return
    for source, column in enumerate(columns):
        least = run_start(column) if game.loose else 0
        for keep in range(max(least, 1), len(column)):
            left = list(columns)
            left[source], left[empty] = column[:keep], column[keep:]
            step = (source, empty, len(column) - keep)
            steps.append((step, (tuple(left), reserve, wanted, talon)))
    for suit, card in enumerate(wanted):
        if card & 15:
            grown = _grown(columns, empty, ONE[card - 1])
            lower = wanted.replace(ONE[card], ONE[card - 1])
            steps.append(((FOUNDATIONS[suit], empty, 1), (grown, reserve, lower, talon)))
