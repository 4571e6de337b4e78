"""The cards of one game, pile by pile. Moves them without asking whether they may be moved."""

from collections.abc import Iterable, Sequence

from .cards import CARDS, NEXT_UP, RANKS, RESTS_ON, SUITS
from .move import COLUMNS, FOUNDATIONS, HOME, WASTE

DECK_SIZE = 52

FOUNDATION_OF = {
    card: foundation
    for suit, foundation in zip(SUITS, FOUNDATIONS, strict=True)
    for card in CARDS
    if card[1] == suit
}


def run_start(column: Sequence[str]) -> int:
    """Give the index from which on a column is one alternating descending run (rule T2)."""
    start = max(len(column) - 1, 0)
    while start and column[start - 1] in RESTS_ON[column[start]]:
        start -= 1
    return start


def foundation_cards(base: str, suit: str, count: int) -> list[str]:
    """Give the first `count` cards of a suit's foundation, from the base rank up.

    Raises:
        ValueError: for a count that is not 0 to 13, or a base that is no rank.
    """
    if base not in tuple(RANKS):
        raise ValueError(f"{base!r} is no rank")
    if not 0 <= count <= len(RANKS):
        raise ValueError(f"a foundation holds 0 to 13 cards, not {count}")
    first = RANKS.index(base)
    return [RANKS[(first + i) % 13] + suit for i in range(count)]


class Piles:
    """All piles as lists of cards, the card that plays last in each.

    Attributes:
        all: every pile under the numbers that moves use; the other names are the same lists.
        base: the rank that starts the foundations (rule D2).
        wanted: by suit, the card that its foundation takes next. A complete foundation wants
            its own first card, which nobody can bring.
        loose: by column, how many of its first cards do not belong to the run at its end.
            Play from a deal never leaves any: every card put on a column continues its run.
        placed: how many cards lie on the foundations.
        listed: the legal moves, kept by `LegalMoves` once found; every change forgets them.
        written: the end of the position's text once written, which draws do not change.
    """

    __slots__ = (
        "all", "base", "columns", "foundations", "listed", "loose", "placed", "reserve", "stock",
        "wanted", "waste", "written",
    )  # fmt: skip

    def __init__(
        self,
        base: str,
        *,
        columns: Iterable[Iterable[str]],
        reserve: Iterable[str],
        waste: Iterable[str],
        stock: Iterable[str],
        foundations: Iterable[Iterable[str]],
    ) -> None:
        self.base = base
        self.columns = [list(column) for column in columns]
        self.waste = list(waste)
        self.reserve = list(reserve)
        self.foundations = [list(foundation) for foundation in foundations]
        self.stock = list(stock)
        self.all = [*self.columns, self.waste, self.reserve, *self.foundations, self.stock]
        self.wanted = [
            NEXT_UP[cards[-1]] if cards else base + suit
            for suit, cards in zip(SUITS, self.foundations, strict=True)
        ]
        self.loose = [run_start(column) for column in self.columns]
        self.placed = sum(map(len, self.foundations))
        self.listed: list[str] | None = None
        self.written: str | None = None

    @classmethod
    def dealt(cls, deck: Sequence[str]) -> "Piles":
        """Lay out a deck in dealing order (rules D1, D2)."""
        base_card = deck[13]
        return cls(
            base_card[0],
            columns=[[card] for card in deck[14:18]],
            reserve=deck[:13],
            waste=[],
            stock=deck[:17:-1],
            foundations=[[base_card] if base_card[1] == suit else [] for suit in SUITS],
        )

    def validate(self) -> None:
        """Refuse piles that no game could hold.

        Raises:
            ValueError: for what is no card, a card that is there twice, other than four columns,
                or an empty column beside a reserve that should have filled it (rule R2).
        """
        if len(self.columns) != len(COLUMNS):
            raise ValueError(f"{len(self.columns)} columns instead of {len(COLUMNS)}")
        cards = [card for pile in self.all for card in pile]
        for card in cards:
            if card not in FOUNDATION_OF:
                raise ValueError(f"{card!r} is no card")
            if cards.count(card) > 1:
                raise ValueError(f"{card} is there {cards.count(card)} times")
        if self.reserve and not all(self.columns):
            raise ValueError("the reserve would have filled the empty column (rule R2)")

    def copy(self) -> "Piles":
        """Give piles of the same cards that change on their own."""
        return Piles(
            self.base,
            columns=self.columns,
            reserve=self.reserve,
            waste=self.waste,
            stock=self.stock,
            foundations=self.foundations,
        )

    def shift(self, source: int, target: int, count: int) -> None:
        """Move cards from the end of a pile to the end of another, in the order they lie."""
        self.listed = self.written = None
        taken_from = self.all[source]
        if count == 1:
            card = taken_from.pop()
            self.all[target].append(card)
            if target >= HOME:
                self.wanted[target - HOME] = NEXT_UP[card]
                self.placed += 1
            elif source >= HOME:
                self.wanted[source - HOME] = card
                self.placed -= 1
        else:
            self.all[target].extend(taken_from[-count:])
            del taken_from[-count:]
        if source < WASTE and self.loose[source] >= len(taken_from):
            self.loose[source] = run_start(taken_from)

    def unshift(self, source: int, target: int, count: int) -> None:
        """Take a `shift` back."""
        self.shift(target, source, count)
        if source < WASTE:
            self.loose[source] = run_start(self.all[source])

    def draw(self, count: int) -> list[str]:
        """Turn cards from stock to waste, fewer if fewer are left; give them in draw order."""
        self.listed = None
        drawn = self.stock[: -count - 1 : -1]
        del self.stock[-count:]
        self.waste += drawn
        return drawn

    def undraw(self, count: int) -> None:
        """Take a `draw` of so many cards back."""
        self.listed = None
        self.stock += self.waste[: -count - 1 : -1]
        del self.waste[-count:]

    def turn_over(self) -> None:
        """Make the whole waste the stock again (rule S2)."""
        self.listed = None
        self.stock += reversed(self.waste)
        self.waste.clear()

    def unturn(self) -> None:
        """Take a `turn_over` back."""
        self.listed = None
        self.waste += reversed(self.stock)
        self.stock.clear()

    def position(self) -> str:
        """Write down what a player may see, in one line."""
        if self.written is None:
            self.written = self._write_all_but_stock_and_waste()
        return f"{len(self.stock)}|{','.join(self.waste)}{self.written}"

    def _write_all_but_stock_and_waste(self) -> str:
        first, second, third, fourth = self.columns
        clubs, diamonds, hearts, spades = self.foundations
        dotted = ".".join
        return (
            f"|{len(self.reserve)}:{self.reserve[-1] if self.reserve else '-'}"
            f"|{dotted(first) or '-'}/{dotted(second) or '-'}"
            f"/{dotted(third) or '-'}/{dotted(fourth) or '-'}"
            f"|{len(clubs)},{len(diamonds)},{len(hearts)},{len(spades)}"
        )
