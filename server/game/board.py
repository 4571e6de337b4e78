"""The board: one game in play, every action checked by the rules."""

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Self
from zlib import crc32

from .cards import CARDS, SUITS
from .code import GameCode
from .errors import IllegalMove, NothingToUndo, UndoOff
from .legal import why_not
from .listing import LegalMoves
from .move import (
    HOME,
    RESERVE,
    STOCK,
    WASTE,
    Action,
    Move,
    Played,
    Tap,
    parse_action,
)
from .picture import picture_of
from .piles import DECK_SIZE, FOUNDATION_OF, Piles, foundation_cards
from .ruleset import Ruleset
from .tapping import resolve

_Step = tuple[int, int, int, bool, int]
"""What an undo needs: source, target, count, whether the reserve filled the source, the score
before. A draw goes from STOCK to WASTE, a waste turned over from WASTE to STOCK."""


class Board:
    """One player's game: where the cards are, what may be done, and what was done.

    Make one by `Board.deal`, or by `Board.from_piles` for a position written out.

    >>> board = Board.deal(GameCode.parse("CF1-D3-AAAAACL"))
    >>> board.legal_moves
    <LegalMoves 12 24 d r1>
    >>> for text in ("12", "rf", "24x2"):
    ...     print(text, board.push(Move.parse(text)), board.hash)
    12 ('8H',) d57b8087
    rf ('QS',) 13522f2a
    24x2 ('JS',) 3c27b9d4
    >>> print(board)
    reserve JS (10 cards)   foundations -C -D 8H -S
    stock -- (34 cards)   waste --
    <BLANKLINE>
     1   2   3   4
    JD  QS  3H  AS
                KH
                QC
    >>> board.undo()
    >>> board.columns
    [['JD'], ['KH', 'QC'], ['3H'], ['AS']]
    """

    def __init__(self, piles: Piles, ruleset: Ruleset, *, draw: int, undo: bool | None) -> None:
        if undo and not ruleset.undo_depth:
            raise ValueError(f"{ruleset} has no undo (rule U1)")
        if draw not in ruleset.draws:
            raise ValueError(f"{ruleset} is not played with draw {draw} (rule S1)")
        self.ruleset = ruleset
        self.draw = draw
        self.score = ruleset.opening_score
        self._piles = piles
        self._history: deque[_Step] = deque(maxlen=0 if undo is False else ruleset.undo_depth)

    @classmethod
    def deal(cls, code: GameCode, *, undo: bool | None = None) -> Self:
        """Deal a code's game (rules D1, D2).

        `undo=False` switches undo off; by default it is as the ruleset has it (rule U1).

        Raises:
            ValueError: for `undo=True` in a ruleset without undo.
        """
        piles = Piles.dealt([CARDS[number] for number in code.deck()])
        return cls(piles, code.ruleset, draw=code.draw, undo=undo)

    @classmethod
    def from_piles(
        cls,
        ruleset: Ruleset,
        *,
        base: str,
        draw: int,
        columns: Iterable[Iterable[str]],
        reserve: Iterable[str] = (),
        waste: Iterable[str] = (),
        stock: Iterable[str] = (),
        foundations: Mapping[str, int],
        undo: bool | None = None,
    ) -> Self:
        """Set up a position written out, which may hold fewer than 52 cards.

        Columns, `reserve` and `waste` are bottom to top, `stock` is next card first,
        `foundations` says for each suit how many cards lie there from the `base` rank up. The
        score is that of a game just dealt, and there is nothing to undo.

        Raises:
            ValueError: for what is no card, a card that is there twice, other than four columns,
                or an empty column beside a reserve that should have filled it (rule R2).
        """
        piles = Piles(
            base,
            columns=columns,
            reserve=reserve,
            waste=waste,
            stock=[*stock][::-1],
            foundations=[foundation_cards(base, suit, foundations[suit]) for suit in SUITS],
        )
        piles.validate()
        return cls(piles, ruleset, draw=draw, undo=undo)

    def copy(self) -> "Board":
        """Give a board in the same position, with the same history, that goes its own way."""
        twin = Board(self._piles.copy(), self.ruleset, draw=self.draw, undo=None)
        twin.score = self.score
        twin._history = self._history.copy()
        return twin

    @staticmethod
    def parse_move(text: str) -> Action:
        """Read a move, a tap or an undo from text that nobody has checked.

        Raises:
            BadMove: if the text is none of them in any position.
        """
        return parse_action(text)

    @property
    def legal_moves(self) -> LegalMoves:
        """The moves that `push` takes now, none once won: a live view, not a copy."""
        return LegalMoves(self._piles, self.ruleset)

    def play(self, action: Action) -> Played:
        """Do whatever a player asked for: push a move, resolve and push a tap, or undo.

        Raises:
            IllegalMove, UndoOff, NothingToUndo: and changes nothing.
        """
        if isinstance(action, Move):
            return Played(action.text, self.push(action))
        if isinstance(action, Tap):
            move = self.tap(action)
            return Played(move.text, self.push(move))
        self.undo()
        return Played(action.text, ())

    def push(self, move: Move) -> tuple[str, ...]:
        """Make a move and give the cards it turned up.

        Those are the drawn cards in draw order, or the new top of the reserve: none when the
        waste is turned over, nor when the reserve runs out.

        Raises:
            IllegalMove: naming the rule; the board stays as it was.
        """
        piles = self._piles
        refusal = why_not(piles, self.ruleset, move)
        if refusal is not None:
            rule, reason = refusal
            raise IllegalMove(move.text, rule=rule, reason=reason)
        source, target, count = move.source, move.target, move.count
        if source == STOCK:
            return self._draw()
        taken_from = piles.all[source]
        score = self.score
        if target == HOME:
            target = FOUNDATION_OF[taken_from[-1]]
            self.score += self.ruleset.points_per_card
        piles.shift(source, target, count)
        if piles.placed == DECK_SIZE:
            self.score += self.ruleset.win_bonus
        reserve = piles.reserve
        filled = not taken_from and source < WASTE and bool(reserve)
        if filled:  # rule R2
            piles.shift(RESERVE, source, 1)
        self._history.append((source, target, count, filled, score))
        return (reserve[-1],) if reserve and (filled or source == RESERVE) else ()

    def _draw(self) -> tuple[str, ...]:
        """Draw, or turn the waste over (rules S1, S2)."""
        piles = self._piles
        if piles.stock:
            drawn = piles.draw(self.draw)
            self._history.append((STOCK, WASTE, len(drawn), False, self.score))
            return tuple(drawn)
        piles.turn_over()
        self._history.append((WASTE, STOCK, len(piles.stock), False, self.score))
        return ()

    def undo(self) -> None:
        """Take the newest action back, its refill and its points too (rule U1).

        Raises:
            IllegalMove: once the game is won (rule W1).
            UndoOff: if this game has no undo.
            NothingToUndo: if the history is used up.
        """
        if self.is_won:
            raise IllegalMove("u", rule="W1", reason="the game is won; nothing can be undone")
        depth = self._history.maxlen
        if not depth:
            raise UndoOff(ruleset=self.ruleset.name)
        if not self._history:
            raise NothingToUndo(depth=depth)
        source, target, count, filled, self.score = self._history.pop()
        piles = self._piles
        if source == STOCK:
            piles.undraw(count)
        elif target == STOCK:
            piles.unturn()
        else:
            if filled:
                piles.shift(source, RESERVE, 1)
            piles.unshift(source, target, count)

    def tap(self, tap: Tap) -> Move:
        """Give the move that a tap stands for now (rule A1); does not make it.

        Raises:
            IllegalMove: if the tapped cards can go nowhere.
        """
        return resolve(tap, self._piles, self.ruleset)

    @property
    def position(self) -> str:
        """What a player may see, as one line of ASCII.

        >>> Board.deal(GameCode.parse("CF1-D3-AAAAACL")).position
        '34||13:JD|QC/KH/3H/AS|0,0,1,0'
        """
        return self._piles.position()

    @property
    def hash(self) -> str:
        """The CRC-32 of the position, as 8 lower-case hex digits."""
        return f"{crc32(self._piles.position().encode()):08x}"

    @property
    def placed(self) -> int:
        """How many cards lie on the foundations."""
        return self._piles.placed

    @property
    def is_won(self) -> bool:
        """Whether all four foundations are complete (rule W1)."""
        return self._piles.placed == DECK_SIZE

    @property
    def undo_left(self) -> int:
        """How many actions can be undone now: none where undo is off, none once won."""
        return 0 if self.is_won else len(self._history)

    @property
    def base(self) -> str:
        """The rank that starts every foundation (rule D2)."""
        return self._piles.base

    @property
    def stock_count(self) -> int:
        """How many cards the stock holds."""
        return len(self._piles.stock)

    @property
    def waste(self) -> list[str]:
        """The waste, oldest card first."""
        return self._piles.waste.copy()

    @property
    def reserve_count(self) -> int:
        """How many cards the reserve holds."""
        return len(self._piles.reserve)

    @property
    def reserve_top(self) -> str | None:
        """The card of the reserve that plays, if any is left (rule R1)."""
        return self._piles.reserve[-1] if self._piles.reserve else None

    @property
    def columns(self) -> list[list[str]]:
        """The four columns, each oldest card first."""
        return [column.copy() for column in self._piles.columns]

    @property
    def foundations(self) -> dict[str, int]:
        """How many cards lie on each suit's foundation."""
        return dict(zip(SUITS, map(len, self._piles.foundations), strict=True))

    def __str__(self) -> str:
        return picture_of(self._piles)

    def __repr__(self) -> str:
        return f"<Board {self.ruleset} draw {self.draw} {self.position}>"
