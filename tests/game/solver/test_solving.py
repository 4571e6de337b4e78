"""What the solver answers is true: lines are replayed, hopelessness is held against the truth."""

from random import Random
from typing import Any

import pytest

from server.game import Board, Move, Ruleset
from server.game.solver import GivenUp, Hopeless, Solved, can_still_place, solve
from tests.game.builders import a_board, a_won_board, vectors
from tests.game.solver.builders import (
    VARIANTS,
    a_small_position,
    after_playing,
    most_ever_placed,
)
from tests.game.test_vectors import a_board_from_deck

BUDGET = 4_000
VERDICTS = vectors("verdicts.json")


def play(board: Board, line: tuple[str, ...]) -> None:
    for text in line:
        board.push(Move.parse(text))


@pytest.mark.parametrize("variant", ["CF1-D3", "CF1-D1", "CH1-D3"])
@pytest.mark.parametrize("deal", VERDICTS, ids=lambda deal: str(deal["id"]))
def test_the_published_truth_is_never_contradicted(deal: dict[str, Any], variant: str) -> None:
    board = a_board_from_deck(deal["deck"], variant)
    truth = deal[variant] and deal[variant]["winnable"]

    verdict = solve(board, budget=BUDGET)

    assert verdict.positions <= BUDGET
    if isinstance(verdict, Solved):
        play(board, verdict.line)
        assert board.is_won
        assert truth is not False
    if isinstance(verdict, Hopeless):
        assert truth is not True


@pytest.mark.parametrize(("ruleset", "draw"), VARIANTS)
def test_a_dead_end_is_one_by_looking_at_everything(ruleset: Ruleset, draw: int) -> None:
    chance = Random(f"dead ends {ruleset} {draw}")
    held = {True: 0, False: 0}
    while min(held.values()) < 15:
        board = a_small_position(chance, ruleset, draw, cards=chance.randint(3, 9))
        most = most_ever_placed(board, positions=800)
        if most is None:
            continue
        held[most > board.placed] += 1

        verdict = can_still_place(board, budget=100_000)

        if most == board.placed:
            assert isinstance(verdict, Hopeless)
        else:
            assert isinstance(verdict, Solved)
            assert after_playing(board, verdict.line).placed > board.placed


@pytest.mark.parametrize("budget", [0, 1])
def test_without_a_budget_it_gives_up(budget: int) -> None:
    assert solve(a_board(), budget=budget) == GivenUp(budget)
    assert can_still_place(a_board(), budget=budget) == GivenUp(budget)


def test_told_to_stop_it_gives_up() -> None:
    assert isinstance(solve(a_board(), budget=1_000_000, should_stop=lambda: True), GivenUp)


def test_a_won_game_is_solved_and_takes_nothing_more() -> None:
    board = a_won_board()

    assert solve(board, budget=0) == Solved((), 0)
    assert can_still_place(board, budget=0) == Hopeless(0)


def test_the_same_question_gets_the_same_answer_and_changes_no_board() -> None:
    board = a_board()
    before = board.position

    assert solve(board, budget=20_000) == solve(a_board(), budget=20_000)
    assert board.position == before
