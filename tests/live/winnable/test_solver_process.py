"""What a solver process answers, and when it stops."""

import json
import os
from typing import IO, Any

import pytest

from server.game import Board, GameCode
from server.game.solver import GivenUp, Hopeless, Solved, Verdict
from server.live.winnable.solver_process import answer_to, read, written
from tests.game.solver.builders import after_playing

EXAMPLE = "CF1-D3-AAAAACL"
HARD = "CH1-D3-SKYEIBD"  # neither won nor proven hopeless for a long time


def ask(asker: IO[str], **question: Any) -> Verdict:
    return read(answer_to({"moves": [], "budget": 20_000, **question}, asker))


@pytest.mark.parametrize("verdict", [Solved(("12", "rf"), 7), Hopeless(7), GivenUp(7)], ids=str)
def test_a_verdict_arrives_as_it_was(verdict: Verdict) -> None:
    assert read(json.loads(json.dumps(written(verdict)))) == verdict


def test_a_deal_is_won_by_a_shorter_line_if_that_is_asked_for() -> None:
    reading, writing = os.pipe()
    with open(reading) as asker, open(writing, "w"):
        found = ask(asker, ask="solve", code=EXAMPLE)
        shortened = ask(asker, ask="solve_briefly", code=EXAMPLE)

    board = Board.deal(GameCode.parse(EXAMPLE))
    assert isinstance(found, Solved)
    assert isinstance(shortened, Solved)
    assert after_playing(board, found.line).is_won
    assert after_playing(board, shortened.line).is_won
    assert len(shortened.line) < len(found.line)


def test_actions_of_all_kinds_are_played_before_it_is_asked() -> None:
    reading, writing = os.pipe()
    with open(reading) as asker, open(writing, "w"):
        verdict = ask(asker, ask="can_still_place", code=EXAMPLE, moves=["d", "12", "u", "12"])

    assert isinstance(verdict, Solved)
    after = after_playing(Board.deal(GameCode.parse(EXAMPLE)), ("d", "12", *verdict.line))
    assert after.placed == 2


def test_a_search_is_given_up_once_nobody_asks_any_more() -> None:
    reading, writing = os.pipe()
    os.close(writing)
    with open(reading) as asker:
        verdict = ask(asker, ask="solve", code=HARD, budget=100_000_000)

    assert isinstance(verdict, GivenUp)
    assert verdict.positions < 10_000
