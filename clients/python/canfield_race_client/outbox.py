"""The moves on their way: sent or to be sent, and not yet answered."""

from __future__ import annotations

from dataclasses import dataclass

from canfield_race_client.errors import OutboxFull
from canfield_race_client.game_view import means
from canfield_race_client.shapes import Ack


@dataclass(eq=False)
class Pending:
    """A move that waits for its answer.

    `parked`: not on its way at present, to be sent later. `doomed`: a move before it was refused,
    so that a `ply_gap` is the answer it may expect.
    """

    ply: int
    move: str
    parked: bool = False
    doomed: bool = False


class Outbox:
    """Pending moves in the order they were made; answers come in the order of their frames."""

    def __init__(self, *, max_moves: int = 64) -> None:
        self._moves: list[Pending] = []
        self._max_moves = max_moves  # full: OutboxFull, the caller awaits acks first

    def __len__(self) -> int:
        return len(self._moves)

    @property
    def has_parked(self) -> bool:
        """Whether a move waits to be sent."""
        return any(pending.parked for pending in self._moves)

    def add(self, move: str, *, game_ply: int, parked: bool) -> Pending:
        """Take in a move as the next one of a game whose acks have come as far as `game_ply`.

        Raises:
            OutboxFull: if too many moves wait already.
        """
        if len(self._moves) >= self._max_moves:
            raise OutboxFull(f"{self._max_moves} moves wait for their acks")
        pending = Pending(self.next_ply(game_ply=game_ply), move, parked=parked)
        self._moves.append(pending)
        return pending

    def next_ply(self, *, game_ply: int) -> int:
        """The ply of the next move of a game whose acks have come as far as `game_ply`."""
        ahead = [pending.ply + 1 for pending in self._moves if not pending.doomed]
        return max([game_ply, *ahead])

    def acked(self, ack: Ack) -> Pending | None:
        """The move that an ack answers, which leaves; None if it was played from elsewhere."""
        for pending in self._moves:
            if pending.ply == ack.ply and not pending.parked and means(pending.move, ack.move):
                self._moves.remove(pending)
                return pending
        return None

    def on_its_way(self, ply: int) -> Pending | None:
        """The move that an answer about `ply` is for."""
        for pending in self._moves:
            if pending.ply == ply and not pending.parked:
                return pending
        return None

    def waits_behind_parked(self, pending: Pending) -> bool:
        """Whether a move before this one still has to be sent again."""
        return any(other.parked and other.ply < pending.ply for other in self._moves)

    def refused(self, pending: Pending) -> None:
        """Take out a refused move; what was planned upon it is doomed."""
        self._moves.remove(pending)
        for other in self._moves:
            other.doomed |= other.ply > pending.ply

    def park_all(self) -> list[Pending]:
        """Nothing is on its way any more; doomed moves, which are not sent again, leave."""
        doomed = [pending for pending in self._moves if pending.doomed]
        self._moves = [pending for pending in self._moves if not pending.doomed]
        for pending in self._moves:
            pending.parked = True
        return doomed

    def unpark(self) -> list[Pending]:
        """The parked moves in the order of their plies, from now on on their way."""
        parked = sorted((p for p in self._moves if p.parked), key=lambda pending: pending.ply)
        for pending in parked:
            pending.parked = False
        return parked
