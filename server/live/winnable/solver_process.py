"""What a solver process does: answers questions, one line of JSON each, until nobody asks.

Run by `Solvers`, with the rules and the standard library only, so that it starts quickly. It ends
when its standard input does: nothing outlives the server, however that has ended.
"""

import json
import os
import select
import signal
import sys
from dataclasses import asdict, replace
from typing import IO, Any

from server.game import Board, GameCode, parse_action
from server.game.solver import (
    GivenUp,
    Hopeless,
    ShouldStop,
    Solved,
    Verdict,
    can_still_place,
    shorten,
    solve,
)

NICENESS = 10  # racing goes first

VERDICTS = {"solved": Solved, "hopeless": Hopeless, "given_up": GivenUp}
"""The verdicts by the names that they travel under."""


def solve_briefly(board: Board, *, budget: int, should_stop: ShouldStop | None = None) -> Verdict:
    """Solve, and shorten the line."""
    verdict = solve(board, budget=budget, should_stop=should_stop)
    if not isinstance(verdict, Solved):
        return verdict
    return replace(verdict, line=shorten(board, verdict.line, should_stop=should_stop))


QUESTIONS = {
    "solve": solve,
    "solve_briefly": solve_briefly,
    "can_still_place": can_still_place,
}


def main() -> None:
    """Answer what is asked on standard input."""
    os.nice(NICENESS)
    for sig in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sig, signal.SIG_IGN)  # they are for the server, which ends this process
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # nobody left to hear the answer: end silently
    for line in sys.stdin:
        answer = answer_to(json.loads(line), sys.stdin)
        print(json.dumps(answer), flush=True)  # noqa: T201 — this is the answer


def answer_to(question: dict[str, Any], asker: IO[str]) -> dict[str, Any]:
    """Answer a question, or give up as soon as the asker has gone."""

    def has_gone() -> bool:
        """Nothing more is asked before the answer, so what can be read is the end."""
        return bool(select.select([asker], [], [], 0)[0])

    board = Board.deal(GameCode.parse(question["code"]))
    for text in question["moves"]:
        board.play(parse_action(text))
    verdict = QUESTIONS[question["ask"]](board, budget=question["budget"], should_stop=has_gone)
    return written(verdict)


def written(verdict: Verdict) -> dict[str, Any]:
    """Give a verdict as it travels."""
    name = next(name for name, kind in VERDICTS.items() if isinstance(verdict, kind))
    return {"verdict": name, **asdict(verdict)}


def read(said: dict[str, Any]) -> Verdict:
    """Give the verdict that has travelled.

    >>> read(json.loads(json.dumps(written(Solved(("12", "rf"), 3)))))
    Solved(line=('12', 'rf'), positions=3)
    """
    positions = said["positions"]
    if said["verdict"] == "solved":
        return Solved(tuple(said["line"]), positions)
    return Hopeless(positions) if said["verdict"] == "hopeless" else GivenUp(positions)


if __name__ == "__main__":
    main()
