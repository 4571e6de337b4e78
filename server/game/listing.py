"""The list of all legal moves, found pile by pile rather than by trying every text."""

from collections.abc import Iterator

from server.game.cards import CARDS_IN_RUN, RESTS_ON
from server.game.legal import why_not
from server.game.move import COLUMNS, FOUNDATIONS, HOME, MOVES, RESERVE, STOCK, WASTE, Move
from server.game.piles import DECK_SIZE, Piles
from server.game.ruleset import Ruleset

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

Ends = dict[int, str]
"""By the number of a pile that has cards: the card at its end, the one that plays."""


class LegalMoves:
    """The legal moves of a board as it is when asked, in ASCII order.

    Iterating gives moves; `in` takes a move or its text.

    >>> from server.game import Board, GameCode
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
    tails: Ends = {column: cards[-1] for column, cards in enumerate(piles.columns) if cards}
    tops: Ends = {pile: cards[-1] for pile in (WASTE, RESERVE) if (cards := piles.all[pile])}
    wanted = piles.wanted
    texts += [_UP_TEXTS[pile] for pile, card in (tails | tops).items() if card in wanted]
    _add_runs(texts, piles, ruleset, tails)
    if ruleset.take_back:
        tops |= {pile: cards[-1] for pile in FOUNDATIONS if (cards := piles.all[pile])}
    _add_singles(texts, ruleset, tops, tails)
    texts.sort()
    return texts


def _add_runs(texts: list[str], piles: Piles, ruleset: Ruleset, tails: Ends) -> None:
    """Add the moves from column to column (rules T1, T2, R3)."""
    fills = len(tails) < len(COLUMNS) and not ruleset.waste_fills_alone
    for source, end in tails.items():
        height = len(piles.columns[source])
        most = height - piles.loose[source]
        least = height if ruleset.whole_columns_only else 1
        counts = CARDS_IN_RUN[end]
        for target, tail in tails.items():
            count = counts[tail]
            if count <= most and source != target:
                fitting = range(count, most + 1, _SAME_RUN_AGAIN)
                by_count = _COLUMN_TEXTS[source][target]
                texts += [by_count[n] for n in fitting if n >= least]
        if fills:
            for target in COLUMNS:
                if target not in tails:
                    texts += _COLUMN_TEXTS[source][target][least : most + 1]


def _add_singles(texts: list[str], ruleset: Ruleset, tops: Ends, tails: Ends) -> None:
    """Add the moves of single tops, of whatever pile, to columns (rules T1, R3, B1)."""
    column_of = {tail: column for column, tail in tails.items()}
    texts += [
        _COLUMN_TEXTS[source][column_of[tail]][1]
        for source, card in tops.items()
        for tail in RESTS_ON[card]
        if tail in column_of
    ]
    if len(tails) < len(COLUMNS):
        empty = [column for column in COLUMNS if column not in tails]
        texts += [
            _COLUMN_TEXTS[source][column][1]
            for source in tops
            if source == WASTE or not ruleset.waste_fills_alone
            for column in empty
        ]
