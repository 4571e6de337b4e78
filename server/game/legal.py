"""Which moves the rules allow: the verdict on one move, and the list of all."""

from collections.abc import Iterator

from server.game.cards import CARDS_IN_RUN, RANKS, RESTS_ON, SUITS, is_red
from server.game.move import (
    COLUMNS,
    FOUNDATIONS,
    HOME,
    MOVES,
    RESERVE,
    STOCK,
    WASTE,
    Move,
)
from server.game.piles import DECK_SIZE, Piles
from server.game.ruleset import Ruleset

Refusal = tuple[str, str]
"""A rule's id and what it has against a move."""

_SAME_RUN_AGAIN = 26  # so many cards more, and rank and colour are the same again
_UP_TEXTS = {move.source: text for text, move in MOVES.items() if move.target == HOME}
_SINGLE_TEXTS = {
    source: [
        (move.target, text)
        for text, move in MOVES.items()
        if move.source == source and move.target in COLUMNS
    ]
    for source in (WASTE, RESERVE, *FOUNDATIONS)
}
_RUN_TEXTS = {
    source: [
        (
            target,
            [
                "",
                *(
                    move.text
                    for move in MOVES.values()
                    if (move.source, move.target) == (source, target)
                ),
            ],
        )
        for target in COLUMNS
        if target != source
    ]
    for source in COLUMNS
}
"""By source and target: the moves' texts, indexed by how many cards they move."""


def why_not(piles: Piles, ruleset: Ruleset, move: Move) -> Refusal | None:
    """Give the rule that forbids a move and the reason, or None if the move is legal."""
    if piles.placed == DECK_SIZE:
        return "W1", "the game is won; nothing more can be played"
    source = move.source
    if source == STOCK:
        return None if piles.stock or piles.waste else ("S2", "stock and waste are both empty")
    cards = piles.all[source]
    if move.count > len(cards):
        return _too_few(move, len(cards))
    card = cards[-move.count]
    if move.target == HOME:
        return None if card in piles.wanted else _not_up(piles, card)
    if source < WASTE:
        if move.count > len(cards) - piles.loose[source]:
            return "T2", f"the last {move.count} cards of column {source + 1} are no run"
        if ruleset.whole_columns_only and move.count != len(cards):
            return "T2", f"column {source + 1} moves only as a whole, all {len(cards)} cards"
    elif source >= HOME and not ruleset.take_back:
        return "B1", f"{ruleset} takes no card back from a foundation"
    target = piles.all[move.target]
    if target:
        return None if target[-1] in RESTS_ON[card] else _not_down(move, card, target[-1])
    if ruleset.waste_fills_alone and source != WASTE:
        return "R3", f"in {ruleset} only the waste top goes to an empty column"
    return None


def _too_few(move: Move, held: int) -> Refusal:
    if move.source == WASTE:
        return "S1", "the waste is empty"
    if move.source == RESERVE:
        return "R1", "the reserve is empty"
    if move.source in FOUNDATIONS:
        return "B1", f"the foundation of {SUITS[move.source - HOME]} is empty"
    return "T2", f"column {move.source + 1} holds {held} cards, {move.count} are wanted"


def _not_up(piles: Piles, card: str) -> Refusal:
    foundation = SUITS.index(card[1])
    wanted = piles.wanted[foundation]
    if not piles.foundations[foundation]:
        return "F1", f"{card} cannot start its foundation; {wanted} does"
    return "F1", f"{card} does not go up; its foundation takes {wanted} next"


def _not_down(move: Move, card: str, tail: str) -> Refusal:
    below = RANKS[RANKS.index(tail[0]) - 1]
    first, second = "CS" if is_red(tail) else "DH"
    return "T1", (
        f"{card} does not go on {tail} in column {move.target + 1}; "
        f"only {below}{first} and {below}{second} do"
    )


class LegalMoves:
    """The legal moves of a board as it is now, found when asked for.

    Iterates in ASCII order; `in` takes a move or its text.
    """

    __slots__ = ("_piles", "_ruleset")

    def __init__(self, piles: Piles, ruleset: Ruleset) -> None:
        self._piles = piles
        self._ruleset = ruleset

    def texts(self) -> list[str]:
        """Give the moves as text, in ASCII order."""
        return list_moves(self._piles, self._ruleset)

    def __iter__(self) -> Iterator[Move]:
        return map(MOVES.__getitem__, self.texts())

    def __contains__(self, move: object) -> bool:
        known = MOVES.get(move) if isinstance(move, str) else move
        return isinstance(known, Move) and why_not(self._piles, self._ruleset, known) is None

    def __len__(self) -> int:
        return len(self.texts())

    def __bool__(self) -> bool:
        return bool(self.texts())

    def __repr__(self) -> str:
        return f"<LegalMoves {' '.join(self.texts())}>"


def list_moves(piles: Piles, ruleset: Ruleset) -> list[str]:
    """List every legal move as text, in ASCII order; none once the game is won."""
    if piles.placed == DECK_SIZE:
        return []
    texts = ["d"] if piles.stock or piles.waste else []
    tails = [column[-1] if column else "" for column in piles.columns]
    for source in COLUMNS:
        if tails[source]:
            _add_runs(texts, source, piles, ruleset, tails)
            if tails[source] in piles.wanted:
                texts.append(_UP_TEXTS[source])
    takes_all = not ruleset.waste_fills_alone
    for source in (WASTE, RESERVE):
        if cards := piles.all[source]:
            card = cards[-1]
            _add_single(texts, source, card, tails, fills=takes_all or source == WASTE)
            if card in piles.wanted:
                texts.append(_UP_TEXTS[source])
    if ruleset.take_back:
        for source in FOUNDATIONS:
            if cards := piles.all[source]:
                _add_single(texts, source, cards[-1], tails, fills=takes_all)
    texts.sort()
    return texts


def _add_runs(
    texts: list[str], source: int, piles: Piles, ruleset: Ruleset, tails: list[str]
) -> None:
    """Add the moves of one column's cards to the other columns (rules T1, T2, R3)."""
    height = len(piles.columns[source])
    movable = height - piles.loose[source]
    counts_by_tail = CARDS_IN_RUN[tails[source]]
    for target, run_texts in _RUN_TEXTS[source]:
        tail = tails[target]
        if tail:
            fitting = range(counts_by_tail[tail], movable + 1, _SAME_RUN_AGAIN)
        elif ruleset.waste_fills_alone:
            continue
        else:
            fitting = range(1, movable + 1)
        for count in fitting:
            if count == height or not ruleset.whole_columns_only:
                texts.append(run_texts[count])


def _add_single(texts: list[str], source: int, card: str, tails: list[str], *, fills: bool) -> None:
    """Add the moves of one card to the columns (rules T1, R3)."""
    takers = RESTS_ON[card]
    for target, text in _SINGLE_TEXTS[source]:
        tail = tails[target]
        if tail in takers or (fills and not tail):
            texts.append(text)
