"""What the solver finds, and how fast, on random deals: `python -m tests.bench.solver`.

Seconds are those that this process keeps a core busy, not what others take of it. `DEALS=500` takes
so many deals of each variant instead.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import quantiles
from time import process_time

from rich.console import Console
from rich.table import Table

from server.game import Board, GameCode, Move, random_letters
from server.game.solver import Hopeless, Solved, Verdict, shorten, solve
from tests.bench.machine import conditions

SEED = 2026
DEALS = int(os.environ.get("DEALS", "60"))
BUDGET = 100_000
SHORTENED = 10  # of each variant: that takes longer than finding
VARIANTS = ("CF1-D3", "CF1-D1", "CH1-D3")


@dataclass(frozen=True)
class Trial:
    """A deal, what was found, and the seconds it took."""

    code: GameCode
    verdict: Verdict
    seconds: float


def codes(variant: str) -> list[GameCode]:
    """Random deals, the same ones each time."""
    chance = Random(f"{variant} {SEED}")
    return [
        GameCode.parse(f"{variant}-{random_letters(7, chance.randrange)}") for _ in range(DEALS)
    ]


def try_deals(variant: str) -> list[Trial]:
    """Try deals one after the other; a line that does not win is an error."""
    trials = []
    for code in codes(variant):
        board = Board.deal(code)
        begin = process_time()
        verdict = solve(board, budget=BUDGET)
        trials.append(Trial(code, verdict, process_time() - begin))
        if isinstance(verdict, Solved):
            check(code, verdict.line)
    return trials


def check(code: GameCode, line: Sequence[str]) -> None:
    """Replay a line.

    Raises:
        SystemExit: it does not win.
    """
    board = Board.deal(code)
    for text in line:
        board.push(Move.parse(text))
    if not board.is_won:
        raise SystemExit(f"{code}: the line does not win: {' '.join(line)}")


def spread(values: Sequence[float], form: str) -> str:
    """Write the median, three quarters, nine tenths, and the most."""
    cuts = quantiles(values, n=20, method="inclusive")
    return "  ".join(format(value, form) for value in (cuts[9], cuts[14], cuts[17], max(values)))


def report(variant: str, trials: list[Trial]) -> list[str]:
    """Shorten some lines, and give a variant's row."""
    won = [(trial, trial.verdict) for trial in trials if isinstance(trial.verdict, Solved)]
    hopeless = sum(isinstance(trial.verdict, Hopeless) for trial in trials)
    at_once = sum(trial.seconds <= 1 for trial, _ in won)
    positions = sum(trial.verdict.positions for trial in trials)
    shortened = []
    for trial, solved in won[:SHORTENED]:
        line = shorten(Board.deal(trial.code), solved.line)
        check(trial.code, line)
        shortened.append(len(line))
    return [
        variant,
        f"{len(won)} / {hopeless} / {len(trials) - len(won) - hopeless}",
        f"{at_once / len(won):.0%}",
        spread([solved.positions for _, solved in won], ",.0f"),
        spread([trial.seconds for trial, _ in won], ".2f"),
        f"{positions / sum(trial.seconds for trial in trials):,.0f}",
        spread([len(solved.line) for _, solved in won], ".0f"),
        spread(shortened, ".0f"),
    ]


def main() -> None:
    """Print what was found in each variant."""
    table = Table(
        title=f"Solver: {DEALS} random deals each, seed {SEED}, {BUDGET:,} positions at most, "
        f"one core\n{conditions()}\nspreads: median, 3/4, 9/10, most"
    )
    table.add_column("variant")
    table.add_column("won / hopeless / given up", justify="right")
    table.add_column("of those won, in 1 s", justify="right")
    table.add_column("positions to win", justify="right")
    table.add_column("seconds to win", justify="right")
    table.add_column("positions per second", justify="right")
    table.add_column("moves of a line", justify="right")
    table.add_column(f"shortened, first {SHORTENED}", justify="right")
    for variant in VARIANTS:
        table.add_row(*report(variant, try_deals(variant)))
    Console().print(table)


if __name__ == "__main__":
    main()
