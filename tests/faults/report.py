"""The table of what came of the trials."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import quantiles

from rich.table import Table

from tests.faults.trials import Trial

MOST_TOLD = 10  # faults of one trial: the first ones tell what happened

COLUMNS = ("tried", "acknowledged", "lost", "twice", "went on p50", "p99", "wrong", "seed")


class Report:
    """Collects trials by fault, and shows them."""

    def __init__(self) -> None:
        self._trials: dict[str, list[Trial]] = {}

    def add(self, name: str, trial: Trial) -> None:
        """Count a trial in."""
        self._trials.setdefault(name, []).append(trial)

    @property
    def is_good(self) -> bool:
        """Whether nothing was lost, counted twice or otherwise wrong."""
        return all(trial.verdict.is_good for trials in self._trials.values() for trial in trials)

    @property
    def wrong(self) -> list[str]:
        """What was wrong, in words, each with its fault and seed; of much, the beginning."""
        return [
            f"{name}, seed {trial.seed}: {wrong}"
            for name, trials in self._trials.items()
            for trial in trials
            for wrong in trial.verdict.wrong[:MOST_TOLD]
        ]

    def table(self) -> Table:
        """Show one line for each fault."""
        table = Table("fault", title="Faults while bots race", caption=CAPTION)
        for column in COLUMNS:
            table.add_column(column, justify="right")
        for name, trials in self._trials.items():
            verdicts = [trial.verdict for trial in trials]
            silences_ms = [ms for trial in trials for ms in trial.silences_ms]
            table.add_row(
                name,
                str(len(trials)),
                str(sum(verdict.acknowledged for verdict in verdicts)),
                str(sum(verdict.lost for verdict in verdicts)),
                str(sum(verdict.twice for verdict in verdicts)),
                shown_s(silences_ms, 50),
                shown_s(silences_ms, 99),
                str(sum(not verdict.is_good for verdict in verdicts)),
                str(trials[0].seed),
            )
        return table


CAPTION = (
    "went on: the longest time that a racer was without an acknowledged move, counted from when "
    "play could go on; seed: of the first try, each further one is one more"
)


def shown_s(values_ms: Sequence[int], percent: int) -> str:
    """Give a percentile in seconds, as text.

    >>> shown_s([100, 200, 300], 50), shown_s([], 50)
    ('0.20 s', '-')
    """
    if len(values_ms) < 2:
        return f"{values_ms[0] / 1000:.2f} s" if values_ms else "-"
    cuts = quantiles(values_ms, n=100, method="inclusive")
    return f"{cuts[percent - 1] / 1000:.2f} s"
