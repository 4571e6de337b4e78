"""Lines of play: a search's steps written as moves."""

from collections.abc import Iterable, Iterator

from ..move import DRAW, MOVES, WASTE
from .position import Game, Position
from .steps import Step
from .talon import draws_between

_TEXTS = {(move.source, move.target, move.count): move.text for move in MOVES.values()}


def written(game: Game, steps: Iterable[Step]) -> tuple[str, ...]:
    """Write steps from the start as moves, every draw included."""
    return tuple(_moves(game, steps))


def _moves(game: Game, steps: Iterable[Step]) -> Iterator[str]:
    count, height = len(game.start[3].order), game.height
    for source, target, number in steps:
        if source != WASTE:
            yield _TEXTS[source, target, number]
            continue
        yield from [DRAW.text] * draws_between(count, height, number, game.draw)
        yield _TEXTS[source, target, 1]
        count -= 1
        height = number - 1


def moves_for(game: Game, position: Position, height: int, step: Step) -> int:
    """Count the moves of a step, draws included, where so many cards lie on the waste."""
    if step[0] != WASTE:
        return 1
    return 1 + draws_between(len(position[3].order), height, step[2], game.draw)


def height_after(height: int, step: Step) -> int:
    """Give how many cards lie on the waste after a step."""
    return step[2] - 1 if step[0] == WASTE else height
