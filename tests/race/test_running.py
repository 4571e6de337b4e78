import pytest

from server.game import Board, GameCode, GameError, UndoOff
from server.race.plays import Action
from server.race.running import RunningGame
from tests.game.builders import vectors

CODE = GameCode.parse("CF1-D3-AAAAACL")


def play(game: RunningGame, text: str, *, elapsed_ms: int) -> None:
    game.play(Board.parse_move(text), elapsed_ms=elapsed_ms)


def test_a_new_game_stands_at_its_deal() -> None:
    game = RunningGame(CODE, undo=True)

    assert (game.ply, game.elapsed_ms, game.at_ms) == (0, 0, 0)
    assert game.board.position == Board.deal(CODE).position


def test_only_what_changes_placed_sets_its_time() -> None:
    game = RunningGame(CODE, undo=True)

    play(game, "12", elapsed_ms=900)
    assert (game.ply, game.elapsed_ms, game.at_ms) == (1, 900, 0)
    play(game, "rf", elapsed_ms=1500)
    assert (game.ply, game.elapsed_ms, game.at_ms) == (2, 1500, 1500)
    play(game, "d", elapsed_ms=2000)
    assert (game.ply, game.elapsed_ms, game.at_ms) == (3, 2000, 1500)


def test_an_undo_is_an_action_and_changes_placed_too() -> None:
    game = RunningGame(CODE, undo=True)
    play(game, "12", elapsed_ms=1)
    play(game, "rf", elapsed_ms=2)

    play(game, "u", elapsed_ms=3)

    assert (game.ply, game.board.placed, game.at_ms) == (3, 1, 3)


def test_the_race_clock_never_goes_back() -> None:
    game = RunningGame(CODE, undo=True)
    play(game, "12", elapsed_ms=900)

    play(game, "rf", elapsed_ms=700)

    assert (game.elapsed_ms, game.at_ms) == (900, 900)


@pytest.mark.parametrize("text", ["34", "u"])
def test_a_refused_action_changes_nothing(text: str) -> None:
    game = RunningGame(CODE, undo=True)

    with pytest.raises(GameError):
        play(game, text, elapsed_ms=900)

    assert (game.ply, game.elapsed_ms, game.at_ms) == (0, 0, 0)
    assert game.board.position == Board.deal(CODE).position


def test_undo_can_be_switched_off() -> None:
    game = RunningGame(CODE, undo=False)
    play(game, "12", elapsed_ms=900)

    with pytest.raises(UndoOff):
        play(game, "u", elapsed_ms=901)


def test_undo_is_off_where_the_ruleset_has_none() -> None:
    game = RunningGame(GameCode.parse("CH1-D3-AAAAACL"), undo=True)
    play(game, "d", elapsed_ms=900)

    with pytest.raises(UndoOff):
        play(game, "u", elapsed_ms=901)


def test_following_a_log_gives_the_game_that_wrote_it() -> None:
    win = vectors("example_win.json")
    moves = win["moves"] if isinstance(win, dict) else win
    log = [Action(move=move, elapsed_ms=400 * n) for n, move in enumerate(moves, start=1)]
    game = RunningGame(CODE, undo=True)

    game.follow(log)

    assert game.board.is_won
    assert (game.ply, game.elapsed_ms, game.at_ms) == (len(log), 400 * len(log), 400 * len(log))
