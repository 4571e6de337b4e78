"""Solver processes: what they answer, how they end, what is said when they die."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from server.game import Board, GameCode
from server.game.solver import GivenUp, Hopeless, Solved
from server.live.winnable import solving
from server.live.winnable.solving import MOST_WAITING, Solvers
from server.race.errors import Unavailable
from tests.bench.machine import family
from tests.game.solver.builders import after_playing

EXAMPLE = GameCode.parse("CF1-D3-AAAAACL")
HARD = GameCode.parse("CH1-D3-SKYEIBD")  # neither won nor proven hopeless for a long time
ENDLESS = 100_000_000
PATIENCE_S = 100

A_SERVER = """
import asyncio
from server.game import GameCode
from server.live.winnable.solving import Solvers

async def main():
    await Solvers(1).solve(GameCode.parse("CH1-D3-SKYEIBD"), budget=100_000_000)

asyncio.run(main())
"""


async def until(fact: Callable[[], object]) -> None:
    """Wait for what processes do, and leave them the cores meanwhile."""
    async with asyncio.timeout(PATIENCE_S):
        while not fact():  # noqa: ASYNC110 — a process has no event
            await asyncio.sleep(0.05)


def solver_pids(parent: int | None = None) -> set[int]:
    return {
        pid
        for pid in family(parent or os.getpid())
        if b"server.live.winnable.solver_process" in command_of(pid)
    }


def command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@asynccontextmanager
async def solvers(processes: int = 1) -> AsyncIterator[Solvers]:
    pool = Solvers(processes)
    try:
        yield pool
    finally:
        await pool.close()
        assert solver_pids() == set()


async def test_a_deal_is_won_by_another_process_which_then_waits_for_more() -> None:
    async with solvers() as pool:
        assert solver_pids() == set()

        proof = await pool.prove(EXAMPLE, positions=50_000, short=False)
        first = solver_pids()
        again = await pool.prove(EXAMPLE, positions=10)

        assert proof is not None
        assert proof.holds_for(EXAMPLE)
        assert again is None
        assert len(first) == 1
        assert solver_pids() == first


async def test_the_three_answers_arrive_as_they_are() -> None:
    dead = GameCode.parse("CH1-D3-IGGPSKH")
    async with solvers() as pool:
        assert isinstance(await pool.solve(dead, budget=1_000), Hopeless)
        assert await pool.prove(dead, positions=1_000) is None
        assert await pool.solve(HARD, budget=10) == GivenUp(10)


async def test_a_game_is_asked_about_as_it_stands_after_its_actions() -> None:
    async with solvers() as pool:
        amid = await pool.can_still_place(EXAMPLE, ["12", "u", "d", "12"], budget=1_000)

    assert isinstance(amid, Solved)
    board = after_playing(Board.deal(EXAMPLE), ("d", "12", *amid.line))
    assert board.placed == 2


async def test_who_is_cancelled_stops_the_search_and_makes_room_for_the_next() -> None:
    async with solvers() as pool:
        searching = asyncio.create_task(pool.solve(HARD, budget=ENDLESS))
        await until(solver_pids)
        searching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await searching

        assert solver_pids() == set()
        assert await pool.solve(EXAMPLE, budget=10) == GivenUp(10)


async def test_a_process_that_dies_is_told_of_once_and_replaced() -> None:
    async with solvers() as pool:
        searching = asyncio.create_task(pool.solve(HARD, budget=ENDLESS))
        await until(solver_pids)
        (pid,) = solver_pids()
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(Unavailable, match="the solver has failed"):
            await searching

        assert await pool.solve(EXAMPLE, budget=10) == GivenUp(10)


async def test_a_process_that_dies_while_nobody_asks_is_replaced_without_a_word() -> None:
    async with solvers() as pool:
        await pool.solve(EXAMPLE, budget=10)
        (pid,) = solver_pids()
        os.kill(pid, signal.SIGKILL)
        await until(lambda: all(solver.has_died for solver in pool._idle))

        assert await pool.solve(EXAMPLE, budget=10) == GivenUp(10)


async def test_a_process_that_hangs_is_given_up_and_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with solvers() as pool:
        await pool.solve(EXAMPLE, budget=10)
        (pid,) = solver_pids()
        os.kill(pid, signal.SIGSTOP)
        with monkeypatch.context() as patch:
            patch.setattr(solving, "ANSWER_WITHIN_S", 0.2)
            with pytest.raises(Unavailable, match="did not answer in time"):
                await pool.solve(EXAMPLE, budget=10)
        await until(lambda: pid not in solver_pids())

        assert await pool.solve(EXAMPLE, budget=10) == GivenUp(10)


async def test_what_ends_the_server_in_good_order_does_not_end_its_solvers() -> None:
    async with solvers() as pool:
        await pool.solve(EXAMPLE, budget=10)
        (pid,) = solver_pids()
        for sig in (signal.SIGINT, signal.SIGTERM):
            os.kill(pid, sig)

        assert await pool.solve(EXAMPLE, budget=10) == GivenUp(10)
        assert solver_pids() == {pid}


async def test_no_more_search_at_once_than_there_are_processes() -> None:
    async with solvers(2) as pool:
        answers = await asyncio.gather(*[pool.solve(EXAMPLE, budget=10) for _ in range(6)])

        assert answers == [GivenUp(10)] * 6
        assert len(solver_pids()) == 2


async def test_too_many_who_wait_are_turned_away() -> None:
    async with solvers() as pool:
        searching = asyncio.create_task(pool.solve(HARD, budget=ENDLESS))
        await until(solver_pids)
        waiting = [asyncio.create_task(pool.solve(EXAMPLE, budget=1)) for _ in range(MOST_WAITING)]
        await asyncio.sleep(0)

        with pytest.raises(Unavailable, match="busy"):
            await pool.solve(EXAMPLE, budget=1)

        searching.cancel()
        assert await asyncio.gather(*waiting) == [GivenUp(1)] * MOST_WAITING


async def test_closing_ends_searches_and_refuses_new_ones() -> None:
    pool = Solvers(1)
    searching = asyncio.create_task(pool.solve(HARD, budget=ENDLESS))
    waiting = asyncio.create_task(pool.solve(HARD, budget=ENDLESS))
    await until(solver_pids)

    await pool.close()

    await until(lambda: not solver_pids())
    for task in (searching, waiting):
        with pytest.raises(Unavailable):
            await task
    with pytest.raises(Unavailable):
        await pool.solve(EXAMPLE, budget=1)


async def test_a_search_ends_with_the_server_however_that_ends() -> None:
    server = await asyncio.create_subprocess_exec(sys.executable, "-c", A_SERVER)
    await until(lambda: solver_pids(server.pid))
    (pid,) = solver_pids(server.pid)

    server.kill()
    await server.wait()

    await until(lambda: not command_of(pid))
