"""My game kept up to date from acks: what each played move does to what I see of it.

Does not judge legality: acks are moves that the server has played.
"""

from __future__ import annotations

import re
import zlib

from msgspec.structs import asdict, replace

from canfield_race_client.errors import BadFrame
from canfield_race_client.shapes import Ack, Foundations, Game

MAX_MOVE_CHARS = 8
UNDO_DEPTH = 100
SUITS = "CDHS"

_MOVE = re.compile(r"(?P<source>[wr1-4CDHS])(?P<target>[f1-4])(?:x(?P<count>[1-9][0-9]?))?")
_TAP = re.compile(r"(?P<source>[wr1-4])(?:x(?P<count>[1-9][0-9]?))?")


def may_be_a_move(text: object) -> bool:
    """Whether this may be sent as a move: 1 to 8 visible ASCII characters, which any server reads.

    >>> [may_be_a_move(text) for text in ("14x12", "?", "", "é", "d" * 9, 5)]
    [True, True, False, False, False, False]
    """
    return (
        isinstance(text, str)
        and 0 < len(text) <= MAX_MOVE_CHARS
        and text.isascii()
        and text.isprintable()
    )


def means(sent: str, played: str) -> bool:
    """Whether `played` can be what the server made of `sent`, a tap or a move spelled out.

    >>> means("1x3", "14x3"), means("w", "wf"), means("d", "d"), means("w", "d")
    (True, True, True, False)
    """
    if sent == played:
        return True
    tap, move = _TAP.fullmatch(sent), _MOVE.fullmatch(played)
    return bool(tap and move and tap.group("source", "count") == move.group("source", "count"))


def fold_ack(game: Game, ack: Ack, *, undo: bool) -> Game:
    """The game after the move of `ack`, which must be the next one; `undo`: the room allows it.

    The new view has no `legal_moves`: those come only with a fresh game.

    Raises:
        BadFrame: if the ack does not fit the game (its hash tells): ask for a fresh game.
    """
    if ack.game is not None:
        return ack.game
    piles = _Piles(game)
    piles.play(ack)
    position = piles.position()
    if f"{zlib.crc32(position.encode()):08x}" != ack.hash:
        raise BadFrame(f"after {ack.move} at ply {ack.ply} this is not the position: {position}")
    return replace(
        game,
        **piles.seen(),
        position=position,
        hash=ack.hash,
        ply=ack.ply + 1,
        state=ack.state,
        score=ack.score,
        placed=ack.placed,
        at_ms=ack.at_ms,
        elapsed_ms=ack.elapsed_ms,
        legal_moves=None,
        undo_left=min(UNDO_DEPTH, game.undo_left + 1) if undo and ack.state == "racing" else 0,
    )


class _Piles:
    """The piles of one view, while a move is made on them."""

    def __init__(self, game: Game) -> None:
        self.stock_count = game.stock_count
        self.waste = list(game.waste)
        self.reserve_count = game.reserve_count
        self.reserve_top = game.reserve_top
        self.columns = [list(column) for column in game.columns]
        self.foundations: dict[str, int] = asdict(game.foundations)
        self._base = game.base

    def play(self, ack: Ack) -> None:
        if ack.move == "d":
            self._draw(ack.revealed)
            return
        move = _MOVE.fullmatch(ack.move)
        if move is None:
            raise BadFrame(f"the server played an unreadable move: {ack.move}")
        revealed = ack.revealed[-1] if ack.revealed else None
        try:
            cards = self._take(move["source"], int(move["count"] or 1), revealed)
            self._put(cards, move["target"])
        except IndexError as error:
            raise BadFrame(f"{ack.move} at ply {ack.ply} takes a card that is not here") from error
        self._refill(revealed)

    def position(self) -> str:
        """The position as the one line that hashes are made of."""
        columns = "/".join(".".join(column) or "-" for column in self.columns)
        foundations = ",".join(str(self.foundations[suit]) for suit in SUITS)
        reserve = f"{self.reserve_count}:{self.reserve_top or '-'}"
        return f"{self.stock_count}|{','.join(self.waste)}|{reserve}|{columns}|{foundations}"

    def seen(self) -> dict[str, object]:
        return {
            "stock_count": self.stock_count,
            "waste": self.waste,
            "reserve_count": self.reserve_count,
            "reserve_top": self.reserve_top,
            "columns": self.columns,
            "foundations": Foundations(**self.foundations),
        }

    def _draw(self, revealed: list[str]) -> None:
        if self.stock_count:
            self.stock_count -= len(revealed)
            self.waste += revealed
        else:  # Rule S2: the whole waste is turned over.
            self.stock_count, self.waste = len(self.waste), []

    def _take(self, source: str, count: int, revealed: str | None) -> list[str]:
        if source == "w":
            return [self.waste.pop()]
        if source == "r":
            return [self._take_reserve(revealed)]
        if source in SUITS:
            return [self._take_back(source)]
        column = self.columns[int(source) - 1]
        if count > len(column):
            raise IndexError(count)
        cards = column[-count:]
        del column[-count:]
        return cards

    def _put(self, cards: list[str], target: str) -> None:
        if target == "f":
            self.foundations[cards[0][1]] += 1
        else:
            self.columns[int(target) - 1] += cards

    def _refill(self, revealed: str | None) -> None:
        """Rule R2: an empty column is filled from the reserve as part of the move."""
        for column in self.columns:
            if not column and self.reserve_count:
                column.append(self._take_reserve(revealed))

    def _take_reserve(self, revealed: str | None) -> str:
        if self.reserve_top is None:
            raise BadFrame("the server played from a reserve that is used up here")
        card, self.reserve_top = self.reserve_top, revealed
        self.reserve_count -= 1
        return card

    def _take_back(self, suit: str) -> str:
        """Rule B1: the foundation's top is its base rank plus the cards above it, around the K."""
        ranks = "A23456789TJQK"
        top = (ranks.index(self._base) + self.foundations[suit] - 1) % len(ranks)
        self.foundations[suit] -= 1
        return ranks[top] + suit
