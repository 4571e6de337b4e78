"""The list of all legal moves, found pile by pile rather than by trying every text."""

from collections.abc import Iterator

from .cards import CARDS_IN_RUN, RESTS_ON
from .legal import why_not
from .move import COLUMNS, FOUNDATIONS, HOME, MOVES, RESERVE, STOCK, WASTE, Move
from .piles import DECK_SIZE, Piles
from .ruleset import Ruleset

_SAME_RUN_AGAIN = 26  # so many cards more, and rank and colour have come round


def _texts_to_columns() -> list[list[list[str]]]:
    texts: list[list[list[str]]] = [[[""] for _ in COLUMNS] for _ in range(STOCK)]
    for move in MOVES.values():
        if move.target in COLUMNS:
            texts[move.source][move.target].append(move.text)
    return texts


_UP_TEXTS = {move.source: move.text for move in MOVES.values() if move.target == HOME}
_COLUMN_TEXTS = _texts_to_columns()
"""By source and target column: the moves' texts, indexed by how many cards they move."""

_TOPS_THAT_PLAY = (WASTE, RESERVE)
_TOPS = (*_TOPS_THAT_PLAY, *FOUNDATIONS)

Tails = dict[str, int]
"""By the card at a column's end: the column."""


class LegalMoves:
    """The legal moves of a board as it is when asked, in ASCII order.

    Iterating gives moves; `in` takes a move or its text.

    >>> from . import Board, GameCode
    >>> legal_moves = Board.deal(GameCode.parse("CF1-D3-AAAAACL")).legal_moves
    >>> legal_moves
    <LegalMoves 12 24 d r1>
    >>> "12" in legal_moves, "13" in legal_moves, len(legal_moves)
    (True, False, 4)
    """

    __slots__ = ("_piles", "_ruleset")

    def __init__(self, piles: Piles, ruleset: Ruleset) -> None:
        self._piles = piles
        self._ruleset = ruleset

    def texts(self) -> list[str]:
        """Give the moves as text, in ASCII order."""
        return self._listed().copy()

    def _listed(self) -> list[str]:
        listed = self._piles.listed
        if listed is None:
            listed = self._piles.listed = list_moves(self._piles, self._ruleset)
        return listed

    def __iter__(self) -> Iterator[Move]:
        return map(MOVES.__getitem__, self.texts())

    def __contains__(self, move: object) -> bool:
        known = MOVES.get(move) if isinstance(move, str) else move
        return isinstance(known, Move) and why_not(self._piles, self._ruleset, known) is None

    def __len__(self) -> int:
        return len(self._listed())

    def __repr__(self) -> str:
        return f"<LegalMoves {' '.join(self._listed())}>"


def list_moves(piles: Piles, ruleset: Ruleset) -> list[str]:
    """List every legal move as text, in ASCII order; none once the game is won."""
    if piles.placed == DECK_SIZE:
        return []
    texts = ["d"] if piles.stock or piles.waste else []
    wanted = piles.wanted
    column_of: Tails = {}
    empty = []
    for column, cards in enumerate(piles.columns):
        if cards:
            tail = cards[-1]
            column_of[tail] = column
            if tail in wanted:
                texts.append(_UP_TEXTS[column])
        else:
            empty.append(column)
    _add_runs(texts, piles, ruleset, column_of, empty)
    _add_tops(texts, piles, ruleset, column_of, empty)
    texts.sort()
    return texts


def _add_runs(
    texts: list[str], piles: Piles, ruleset: Ruleset, column_of: Tails, empty: list[int]
) -> None:
    """Add the moves from column to column (rules T1, T2, R3)."""
    for end, source in column_of.items():
        height = len(piles.columns[source])
        most = height - piles.loose[source]
        least = height if ruleset.whole_columns_only else 1
        counts = CARDS_IN_RUN[end]
        for tail, target in column_of.items():
            count = counts[tail]
            if count <= most and source != target:
                fitting = range(count, most + 1, _SAME_RUN_AGAIN)
                by_count = _COLUMN_TEXTS[source][target]
                texts += [by_count[n] for n in fitting if n >= least]
        if empty and not ruleset.waste_fills_alone:
            for target in empty:
                texts += _COLUMN_TEXTS[source][target][least : most + 1]


def _add_tops(
    texts: list[str], piles: Piles, ruleset: Ruleset, column_of: Tails, empty: list[int]
) -> None:
    """Add the moves of waste, reserve and foundation tops (rules F1, T1, R3, B1)."""
    for source in _TOPS if ruleset.take_back else _TOPS_THAT_PLAY:
        cards = piles.all[source]
        if cards:
            top = cards[-1]
            by_target = _COLUMN_TEXTS[source]
            for tail in RESTS_ON[top]:
                if tail in column_of:
                    # A comprehension would be a call of its own, for nothing most of the time.
                    texts.append(by_target[column_of[tail]][1])  # noqa: PERF401
            if empty and (source == WASTE or not ruleset.waste_fills_alone):
                texts += [by_target[column][1] for column in empty]
            if top in piles.wanted:
                texts.append(_UP_TEXTS[source])
