"""Provers for tests: the real solver in this process, and some that go wrong."""

from collections.abc import Callable

from server.game import Board, GameCode
from server.game.solver import Solved, solve
from server.race.proof import Proof

QUICK = 3_200
"""Positions that are looked at in a moment; most deals are won within them."""


class Solving:
    """The real solver, given little time.

    Attributes:
        asked: the deals it was to win, in order.
        short: for each, whether the line was to be a short one; it never is.
        meanwhile: what happens while it solves.
    """

    def __init__(self, meanwhile: Callable[[], object] = lambda: None) -> None:
        self.asked: list[GameCode] = []
        self.short: list[bool] = []
        self.meanwhile = meanwhile

    async def prove(self, code: GameCode, *, positions: int, short: bool) -> Proof | None:
        self.asked.append(code)
        self.short.append(short)
        self.meanwhile()
        verdict = solve(Board.deal(code), budget=min(positions, QUICK))
        return Proof(verdict.line, verdict.positions) if isinstance(verdict, Solved) else None


class Lying(Solving):
    """Gives lines that do not win, so many times; then the truth."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    async def prove(self, code: GameCode, *, positions: int, short: bool) -> Proof | None:
        if len(self.asked) < self.times:
            self.asked.append(code)
            return Proof(line=("d", "d"), positions=2)
        return await super().prove(code, positions=positions, short=short)


class Hopeless(Solving):
    """Wins nothing."""

    async def prove(self, code: GameCode, *, positions: int, short: bool) -> Proof | None:  # noqa: ARG002 — the protocol's
        self.asked.append(code)
        return None
