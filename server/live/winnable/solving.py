"""The solver at work in processes of its own, so that no search ever holds up a race."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import structlog

import server
from server.game import GameCode
from server.game.solver import Solved, Verdict
from server.live.winnable import solver_process
from server.race.errors import Unavailable
from server.race.proof import Proof

log = structlog.get_logger()

MOST_WAITING = 64  # more: `Unavailable`, ask again later

RETRY_AFTER_S = 10

ANSWER_WITHIN_S = 120.0  # many times what the longest search takes; later the process is replaced

ROOT = Path(server.__file__).parents[1]


class Solvers:
    """Answers questions about deals by so many processes, which start when they are needed.

    Whoever waits for an answer may be cancelled: the search ends with the waiting. A process that
    dies takes its one question along, which is answered `Unavailable`; the next one gets another.
    """

    def __init__(self, processes: int) -> None:
        self._turns = asyncio.Semaphore(processes)
        self._waiting = 0
        self._closed = False
        self._idle: list[_Solver] = []
        self._busy: set[_Solver] = set()

    async def prove(self, code: GameCode, *, positions: int, short: bool = True) -> Proof | None:
        """Look for a line to the win; None if there is none, or none among so many positions.

        A short one, fit to be read, takes much longer.

        Raises:
            Unavailable: too many are waiting, or the process died, or all are closed.
        """
        verdict = await self.solve(code, budget=positions, short=short)
        return Proof(verdict.line, verdict.positions) if isinstance(verdict, Solved) else None

    async def solve(self, code: GameCode, *, budget: int, short: bool = True) -> Verdict:
        """Find a line that wins a deal, a short one unless any will do, or prove there is none.

        Raises:
            Unavailable: too many are waiting, or the process died, or all are closed.
        """
        return await self._ask("solve_briefly" if short else "solve", code, (), budget)

    async def can_still_place(
        self, code: GameCode, actions: Sequence[str], *, budget: int
    ) -> Verdict:
        """Tell whether after these actions any play places more cards than lie there then.

        Does not check the actions: for those of a game that the engine has made.

        Raises:
            Unavailable: too many are waiting, or the process died, or all are closed.
        """
        return await self._ask("can_still_place", code, actions, budget)

    async def close(self) -> None:
        """End all processes now; who waits for an answer is told `Unavailable`."""
        self._closed = True
        await asyncio.gather(*[solver.end() for solver in (*self._idle, *self._busy)])
        self._idle.clear()

    async def _ask(self, ask: str, code: GameCode, moves: Sequence[str], budget: int) -> Verdict:
        question = {"ask": ask, "code": str(code), "moves": [*moves], "budget": budget}
        if self._waiting >= MOST_WAITING:
            raise _unavailable("the solver is busy")
        self._waiting += 1
        try:
            await self._turns.acquire()
        finally:
            self._waiting -= 1
        try:
            return await self._answer(question)
        finally:
            self._turns.release()

    async def _answer(self, question: dict[str, Any]) -> Verdict:
        """Have a process answer."""
        if self._closed:
            raise _unavailable("the server is stopping")
        solver = await self._one()
        self._busy.add(solver)
        try:
            async with asyncio.timeout(ANSWER_WITHIN_S):
                verdict = await solver.ask(question)
        except TimeoutError as error:
            log.error("solver.hangs", pid=solver.pid)  # noqa: TRY400 — where it waited tells nothing
            await solver.end()
            raise _unavailable("the solver did not answer in time") from error
        except BaseException:  # cancelled or dead: either way nothing more is heard of it
            await solver.end()
            raise
        finally:
            self._busy.discard(solver)
        self._idle.append(solver)
        return verdict

    async def _one(self) -> "_Solver":
        """Give a process that is idle, or a new one."""
        while self._idle:
            solver = self._idle.pop()
            if not solver.has_died:
                return solver
            await solver.end()
        return _Solver()


class _Solver:
    """A solver process, as the server sees it; started by the first question."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._ended = False

    @property
    def has_died(self) -> bool:
        """Whether it is known to have ended, without having been asked to."""
        return self._process is not None and self._process.returncode is not None

    @property
    def pid(self) -> int | None:
        """The process's id, once it has started."""
        return None if self._process is None else self._process.pid

    async def ask(self, question: dict[str, Any]) -> Verdict:
        """Give the process's answer.

        Raises:
            Unavailable: it has died, or was ended.
        """
        if self._process is None:
            self._process = await _start()
        reader, writer = self._process.stdout, self._process.stdin
        if self._ended or reader is None or writer is None:
            raise _unavailable("the server is stopping")
        with suppress(ConnectionError):  # then there is no answer either
            writer.write(json.dumps(question).encode() + b"\n")
            await writer.drain()
        answer = await reader.readline()
        if not answer.endswith(b"\n"):
            exit_code = await self._process.wait()
            if not self._ended:
                log.error("solver.died", pid=self._process.pid, exit_code=exit_code)
            raise _unavailable("the solver has failed")
        return solver_process.read(json.loads(answer))

    async def end(self) -> None:
        """End the process now, whatever it does."""
        self._ended = True
        process = self._process
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        if process.stdin is not None:
            process.stdin.close()


async def _start() -> Process:
    """Start a solver process, which imports the very package that this is."""
    paths = (str(ROOT), os.environ.get("PYTHONPATH", ""))
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", solver_process.__name__),
        stdin=PIPE,
        stdout=PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
    )


def _unavailable(detail: str) -> Unavailable:
    return Unavailable(f"{detail}: ask again in a moment", retry_after_s=RETRY_AFTER_S)
