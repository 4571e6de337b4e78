from datetime import date

import pytest

from server.live.winnable.proving import prove
from server.live.winnable.solving import Solvers
from server.race.daily_deals import candidate
from tests.live.conftest import Logs
from tests.live.provers import Hopeless, Lying, Solving

CODE = candidate("06c0" * 16, date(2026, 11, 30), 0).code
"""A deal that is won quickly."""


async def test_a_line_that_wins_is_believed() -> None:
    proof = await prove(Solving(), CODE, positions=3_000, short=False)

    assert proof is not None
    assert proof.holds_for(CODE)


async def test_a_line_that_does_not_win_is_not_believed_and_told_without_the_deal(
    logs: Logs,
) -> None:
    assert await prove(Lying(1), CODE, positions=3_000, short=False) is None

    assert [entry["event"] for entry in logs] == ["proof.does_not_hold"]
    assert CODE.letters not in str(logs)


@pytest.mark.parametrize("positions", [0, 10])
async def test_what_is_not_won_within_the_positions_is_not_proven(positions: int) -> None:
    assert await prove(Solving(), CODE, positions=positions, short=False) is None
    assert await prove(Hopeless(), CODE, positions=3_000, short=False) is None


async def test_the_servers_solvers_give_a_short_line_if_one_is_wanted() -> None:
    solvers = Solvers(1)
    try:
        any_line = await prove(solvers, CODE, positions=3_000, short=False)
        short_line = await prove(solvers, CODE, positions=3_000, short=True)
    finally:
        await solvers.close()

    assert any_line is not None
    assert short_line is not None
    assert len(short_line.line) < len(any_line.line)
