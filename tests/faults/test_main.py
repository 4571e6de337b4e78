from __future__ import annotations

import pytest
import typer

from tests.faults.__main__ import main
from tests.faults.catalogue import FAULTS
from tests.faults.cluster import ALONE_ON_SQLITE
from tests.faults.scene import Fault, Scene
from tests.faults.trials import Stage, attempt


def test_a_fault_that_there_is_none_of_is_refused_before_anything_starts() -> None:
    with pytest.raises(typer.BadParameter, match="no fault 'flood'; there are: nothing, "):
        main(fault=["flood"])


def test_no_two_faults_have_one_name() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)


async def test_a_fault_that_breaks_down_itself_is_told_and_leaves_the_cluster_whole(
    stage: Stage,
) -> None:
    async def break_down(scene: Scene) -> int:
        await scene.cluster.nodes[0].kill()
        raise RuntimeError("the fault has a fault")

    cluster = await stage.cluster(ALONE_ON_SQLITE)

    trial = await attempt(Fault("broken", break_down, ALONE_ON_SQLITE), cluster, seed=1)

    assert not trial.verdict.is_good
    assert "the fault has a fault" in trial.verdict.wrong[0]
    await cluster.nodes[0].ready()
