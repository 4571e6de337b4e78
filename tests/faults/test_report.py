from __future__ import annotations

from rich.console import Console

from tests.faults.ledger import Verdict
from tests.faults.report import MOST_TOLD, Report
from tests.faults.trials import Trial


def test_a_line_sums_the_trials_of_a_fault() -> None:
    report = Report()
    report.add("node-killed", Trial(7, Verdict(acknowledged=100), [100, 300]))
    report.add("node-killed", Trial(8, Verdict(acknowledged=50), [200]))
    console = Console(record=True, width=140)

    console.print(report.table())
    [line] = [line for line in console.export_text().splitlines() if "node-killed" in line]

    cells = [cell.strip() for cell in line.strip("│ ").split("│")]
    assert cells == ["node-killed", "2", "150", "0", "0", "0.20 s", "0.30 s", "0", "7"]
    assert report.is_good


def test_one_bad_trial_makes_the_report_bad_and_is_told_with_its_seed() -> None:
    for verdict in (Verdict(lost=1), Verdict(twice=1), Verdict(wrong=["it rains"] * 100)):
        report = Report()
        report.add("node-killed", Trial(7))
        report.add("node-killed", Trial(8, verdict))

        assert not report.is_good
        assert report.wrong == ["node-killed, seed 8: it rains"] * min(
            len(verdict.wrong), MOST_TOLD
        )
