"""Proofs that a deal can be won, and the kinds of deals that are kept proven."""

from typing import NamedTuple

from msgspec import Struct

from server.game import Board, GameCode, GameError, Move
from server.race.room import Room
from server.race.settings import Draw, RulesetName


class Proof(Struct, frozen=True):
    """A line from a deal to its win.

    Attributes:
        line: the moves, every draw included.
        positions: how many the solver looked at to find it.
    """

    line: tuple[str, ...]
    positions: int

    def holds_for(self, code: GameCode) -> bool:
        """Whether the line wins the deal: each move is legal, and the last one ends the game.

        >>> Proof(line=("12", "rf"), positions=2).holds_for(GameCode.parse("CF1-D3-AAAAACL"))
        False
        """
        board = Board.deal(code, undo=False)
        try:
            for text in self.line:
                board.push(Move.parse(text))
        except GameError:
            return False
        return board.is_won


class ProvenDeal(Struct, frozen=True):
    """A deal that can be won; it has no nonce, and so no commitment, before a room takes it."""

    code: GameCode
    proof: Proof


class Opening(Struct, frozen=True):
    """A new room, with the proof that its deal can be won where one was asked for."""

    room: Room
    proof: Proof | None = None


class Variant(NamedTuple):
    """A kind of deal that rooms are opened with."""

    ruleset: RulesetName
    draw: Draw
    sealed: bool


VARIANTS: tuple[Variant, ...] = (
    Variant("CF1", 3, sealed=False),
    Variant("CF1", 3, sealed=True),
    Variant("CF1", 1, sealed=False),
    Variant("CF1", 1, sealed=True),
    Variant("CH1", 3, sealed=False),
    Variant("CH1", 3, sealed=True),
)
"""Every kind there is."""
