"""Lines of play: a search's steps written as moves, and moves read as steps."""

from collections.abc import Iterable, Iterator

from ..move import DRAW, MOVES, WASTE
from .position import Game
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
