"""Every step is a legal move, and every legal move is a step, by the engine's word."""

from random import Random

import pytest

from server.game import CF1, Board, Ruleset
from server.game.move import DRAW
from server.game.solver.lines import written
from server.game.solver.position import Game, Position
from server.game.solver.steps import run_start, steps_from
from tests.game.solver.builders import VARIANTS, a_small_position, after_playing

POSITIONS = 400


def alike(position: Position) -> tuple[object, ...]:
    """A position in whichever order its columns are."""
    columns, reserve, wanted, talon = position
    return sorted(columns), reserve, wanted, talon.order, talon.heights


def everything_playable(board: Board) -> list[Board]:
    """The boards after each legal move, with any number of draws before one of the waste's top."""
    found = [after_playing(board, (move.text,)) for move in board.legal_moves if move is not DRAW]
    for _ in range(2 * (board.stock_count + len(board.waste)) + 4):
        if "d" not in board.legal_moves:
            break
        board = after_playing(board, ("d",))
        found += [
            after_playing(board, (move.text,)) for move in board.legal_moves if move.text[0] == "w"
        ]
    return found


@pytest.mark.parametrize(("ruleset", "draw"), VARIANTS)
def test_the_steps_are_what_can_be_played(ruleset: Ruleset, draw: int) -> None:
    chance = Random(f"{ruleset} {draw}")
    for _ in range(POSITIONS):
        board = a_small_position(chance, ruleset, draw)
        game = Game(board)
        here = [str(alike(game.start))]

        steps = steps_from(game, game.start)

        reached = []
        for step, position in steps:
            after = after_playing(board, written(game, [step]))
            reached.append(str(alike(Game(after).start)))
            assert reached[-1] == str(alike(position))
        playable = {str(alike(Game(after).start)) for after in everything_playable(board)}
        assert {*reached, *here} == {*playable, *here}


def test_a_run_starts_where_the_engine_says() -> None:
    chance = Random(1)
    for _ in range(POSITIONS):
        board = a_small_position(chance, *VARIANTS[0])
        columns = Game(board).start[0]

        assert [run_start(column) for column in columns] == board._piles.loose


def test_no_step_is_left_where_nothing_can_be_done() -> None:
    board = Board.from_piles(
        CF1,
        base="7",
        draw=3,
        columns=[["9C"], ["9S"], ["JC"], ["JS"]],
        foundations=dict.fromkeys("CDHS", 0),
    )
    game = Game(board)

    assert steps_from(game, game.start) == []
