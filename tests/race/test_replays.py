from itertools import pairwise

from hypothesis import given, settings

from server.game import Board, GameCode
from server.race.plays import Action
from server.race.replays import progress, trace
from tests.game.builders import PLAYS, Play

CODE = GameCode.parse("CF1-D3-AAAAACL")


def test_a_curve_begins_at_the_deal() -> None:
    assert trace(CODE, []) == [(0, 1)]


def test_a_curve_has_a_point_wherever_placed_changed_and_only_there() -> None:
    log = [Action("12", 900), Action("rf", 1500), Action("d", 2000), Action("u", 2500)]

    assert trace(CODE, log) == [(0, 1), (1500, 2)]


def test_a_curve_begins_with_what_the_deal_places() -> None:
    assert progress(1, []) == [(0, 1)]
    assert progress(1, [(900, 1)]) == [(0, 1)]


def test_progress_at_one_instant_is_told_step_by_step() -> None:
    assert progress(1, [(900, 2), (900, 1), (900, 1)]) == [(0, 1), (900, 2), (900, 1)]


def test_a_curve_goes_down_when_a_card_is_taken_back() -> None:
    log = [Action("12", 900), Action("rf", 1500), Action("u", 2000)]

    assert trace(CODE, log) == [(0, 1), (1500, 2), (2000, 1)]


@settings(max_examples=25, deadline=None)
@given(PLAYS)
def test_a_curve_ends_where_its_game_stands(play: Play) -> None:
    code, moves = play
    board = Board.deal(code)
    for move in moves:
        board.push(move)

    points = trace(code, [Action(str(move), 10 * n) for n, move in enumerate(moves)])

    assert points[-1][1] == board.placed
    for (earlier_ms, before), (later_ms, now) in pairwise(points):
        assert earlier_ms <= later_ms
        assert before != now
