"""A bot that plays sensibly, from what a player may see and the server's list of legal moves.

It does not know the rules: it weighs moves that are legal anyway, and stops when a whole pass
through the stock has brought nothing.
"""

from __future__ import annotations

import random

from canfield_race_client.shapes import Game

RANKS = "A23456789TJQK"

FOUNDATION = 100.0
FILL_FROM_RESERVE = 90.0
RESERVE_TO_COLUMN = 80.0
UNCOVER = 60.0
WASTE_TO_COLUMN = 40.0
DRAW = 10.0
JITTER = 5.0


class Bot:
    """Chooses moves for one game; give it a seeded `chance` to have the same game again."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._cards_left: int | None = None
        self._passes = 0
        self._tried: set[tuple[str, str]] = set()

    def choose(self, game: Game) -> str | None:
        """The next move, one of `game.legal_moves`, or None: nothing sensible is left."""
        self._note_progress(game)
        weighed = [(self._worth(game, move), move) for move in game.legal_moves or []]
        worth, move = max(weighed, default=(0.0, ""))
        if worth <= 0:
            return None
        if move == "d" and not game.stock_count:
            self._passes += 1
            if self._passes > 1:
                return None  # a whole pass from the first card on brought nothing
        if move != "d":
            self._tried.add((game.position, move))
        return move

    def _note_progress(self, game: Game) -> None:
        """Progress is a card fewer in stock, waste and reserve: it never comes back there."""
        cards_left = game.stock_count + len(game.waste) + game.reserve_count
        if cards_left != self._cards_left:
            self._cards_left = cards_left
            self._passes = 0
            self._tried.clear()

    def _worth(self, game: Game, move: str) -> float:
        """How good a move looks; 0 or less: not to be played."""
        if move == "d":
            return DRAW
        if (game.position, move) in self._tried:
            return 0.0
        worth = _worth_of_kind(game, move)
        return worth + self._chance.uniform(0, JITTER) if worth else 0.0


def _worth_of_kind(game: Game, move: str) -> float:
    source, target = move[0], move[1]
    if source in "CDHS":
        return 0.0  # taking cards back loses ground
    if target == "f":
        return FOUNDATION
    if source == "r":
        return RESERVE_TO_COLUMN
    if source == "w":
        return WASTE_TO_COLUMN
    return _worth_of_run(game, move)


def _worth_of_run(game: Game, move: str) -> float:
    """A run from column to column: good if it makes room, or uncovers a card that is wanted."""
    column = game.columns[int(move[0]) - 1]
    count = int(move.partition("x")[2] or 1)
    if count == len(column):
        if game.reserve_count:
            return FILL_FROM_RESERVE
        return UNCOVER if game.columns[int(move[1]) - 1] else 0.0
    return UNCOVER if _is_wanted(game, column[-count - 1]) else 0.0


def _is_wanted(game: Game, card: str) -> bool:
    """Whether a foundation takes the card next, or it takes the reserve's or the waste's top."""
    placed: int = getattr(game.foundations, card[1])
    next_rank = (RANKS.index(game.base) + placed) % len(RANKS)
    if RANKS.index(card[0]) == next_rank:
        return True
    tops = [game.reserve_top, game.waste[-1] if game.waste else None]
    return any(top is not None and _goes_on(top, card) for top in tops)


def _goes_on(card: str, below: str) -> bool:
    """Whether `card` is of the other colour and one rank lower (Rule T1, K on A)."""
    one_lower = (RANKS.index(below[0]) - 1) % len(RANKS)
    return RANKS.index(card[0]) == one_lower and (card[1] in "DH") != (below[1] in "DH")
