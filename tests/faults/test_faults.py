"""Every fault once, at a random moment; `make faults` tries them many times."""

from __future__ import annotations

from random import SystemRandom

import pytest

from tests.faults.catalogue import FAULTS
from tests.faults.scene import Fault
from tests.faults.trials import Stage, attempt


@pytest.mark.timeout(240)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
async def test_no_acknowledged_move_is_lost_or_counted_twice(fault: Fault, stage: Stage) -> None:
    seed = SystemRandom().randrange(10**6)
    print(f"make faults COUNT=1 SEED={seed} FAULT={fault.name}")  # noqa: T201 — shown if it fails

    trial = await attempt(fault, await stage.cluster(fault.layout), seed=seed)

    assert trial.verdict.wrong == []
    assert (trial.verdict.lost, trial.verdict.twice) == (0, 0)
    assert trial.verdict.acknowledged > 0
    assert len(trial.silences_ms) > 0
