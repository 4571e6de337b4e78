"""The two searches, each by itself."""

from collections.abc import Callable
from random import Random

import pytest

from server.game import CF1, Board, GameCode, Ruleset
from server.game.solver.lines import written
from server.game.solver.position import Game
from server.game.solver.search import POSITIONS_BETWEEN_ASKING, Limits, Outcome, find, prove
from tests.game.solver.builders import (
    VARIANTS,
    a_small_position,
    after_playing,
    an_ending,
    most_ever_placed,
)

ENOUGH = Limits(1_000_000)
SEARCHES = [find, prove]
Search = Callable[[Game, int, Limits], Outcome]

HARD = "CH1-D3-SKYEIBD"  # neither won nor proven hopeless for a long time


def a_hard_game() -> Game:
    return Game(Board.deal(GameCode.parse(HARD)))


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("budget", [0, 1, 2, 700])
def test_a_budget_is_used_up_and_not_exceeded(search: Search, budget: int) -> None:
    assert search(a_hard_game(), 52, Limits(budget)) == Outcome(budget)


@pytest.mark.parametrize("search", SEARCHES)
def test_whoever_asked_is_asked_back_now_and_then(search: Search) -> None:
    asked: list[bool] = []

    def should_stop() -> bool:
        asked.append(len(asked) == 3)
        return asked[-1]

    outcome = search(a_hard_game(), 52, Limits(1_000_000, should_stop))

    assert outcome == Outcome(3 * POSITIONS_BETWEEN_ASKING)


@pytest.mark.parametrize(("ruleset", "draw"), VARIANTS)
def test_an_exhausted_proof_means_what_looking_at_everything_means(
    ruleset: Ruleset, draw: int
) -> None:
    chance, held = Random(f"{ruleset} {draw}"), 0
    while held < 50:
        board = a_small_position(chance, ruleset, draw, cards=chance.randint(3, 9))
        most = most_ever_placed(board, positions=800)
        if most is None:
            continue
        held += 1

        reached = prove(Game(board), most, ENOUGH)
        beyond = prove(Game(board), most + 1, ENOUGH)

        assert reached.steps is not None
        assert after_playing(board, written(Game(board), reached.steps)).placed == most
        assert (beyond.steps, beyond.exhausted) == (None, True)
        assert find(Game(board), most + 1, ENOUGH).steps is None


def test_what_colours_alone_do_not_find_is_found_by_the_proof() -> None:
    board = Board.from_piles(
        CF1,
        base="Q",
        draw=1,
        columns=[["3S"], ["2H"], ["3H", "2S", "AH"], ["2C"]],
        reserve=["KS", "3D"],
        waste=["KH", "KD"],
        stock=["3C"],
        foundations={"C": 0, "D": 1, "H": 1, "S": 1},
    )

    by_colours = find(Game(board), 9, ENOUGH)
    by_cards = prove(Game(board), 9, ENOUGH)

    assert (by_colours.steps, by_colours.exhausted) == (None, True)  # and yet not hopeless:
    assert by_cards.steps is not None
    assert after_playing(board, written(Game(board), by_cards.steps)).placed == 9


def test_the_endings_of_whole_decks_are_proven_as_well() -> None:
    chance, held = Random(4), {True: 0, False: 0}
    while min(held.values()) < 8:
        board = an_ending(chance, *VARIANTS[2], cards=chance.randint(3, 7))
        most = most_ever_placed(board, positions=500)
        if most is None:
            continue
        held[most == 52] += 1

        assert prove(Game(board), 52, ENOUGH).exhausted == (most < 52)
