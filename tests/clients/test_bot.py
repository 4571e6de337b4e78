from __future__ import annotations

import random
import string

import pytest
from canfield_race_client.bot import Bot
from canfield_race_client.shapes import Game

from server.game.board import Board
from server.game.code import GameCode
from tests.clients.builders import a_game


def seen_of(board: Board, ply: int) -> Game:
    """The view that the server would give of a board."""
    return a_game(
        ply=ply,
        **{
            name: getattr(board, name)
            for name in (
                *("base", "stock_count", "waste", "reserve_count", "reserve_top"),
                *("columns", "foundations", "position", "hash", "placed"),
            )
        },
        legal_moves=[str(move) for move in board.legal_moves],
    )


def race_alone(code: str, *, seed: int) -> tuple[Board, list[str]]:
    """A whole game of a bot, by the real rules; what it leaves, and its moves."""
    board, bot, moves = Board.deal(GameCode.parse(code)), Bot(random.Random(seed)), list[str]()
    while (move := bot.choose(seen_of(board, len(moves)))) is not None:
        board.play(Board.parse_move(move))
        moves.append(move)
        assert len(moves) < 1000, "a bot that never stops"
    return board, moves


@pytest.mark.parametrize("letters", ["AAAAACL", "AAAAAAA", "ZZZZZZZ", "KEMUBCR", "DLSBQGB"])
@pytest.mark.parametrize("variant", ["CF1-D3", "CF1-D1", "CH1-D3"])
def test_a_bot_plays_only_legal_moves_and_stops_by_itself(variant: str, letters: str) -> None:
    race_alone(f"{variant}-{letters}", seed=1)


def test_bots_bring_home_a_fair_number_of_cards() -> None:
    chance = random.Random(7)
    deals = ["".join(chance.choices(string.ascii_uppercase, k=7)) for _ in range(40)]
    placed = [race_alone(f"CF1-D3-{letters}", seed=1)[0].placed for letters in deals]
    assert sum(placed) / len(placed) > 9


def test_the_same_seed_plays_the_same_game() -> None:
    first, second = (race_alone("CF1-D3-ZZZZZZZ", seed=5)[1] for _ in range(2))
    assert first == second


def test_a_foundation_play_comes_before_everything_else() -> None:
    game = a_game(legal_moves=["12", "d", "r1", "rf", "w2"])
    assert Bot(random.Random(1)).choose(game) == "rf"


def test_without_a_legal_move_there_is_nothing_to_choose() -> None:
    assert Bot(random.Random(1)).choose(a_game(legal_moves=[])) is None


def test_a_whole_pass_without_progress_is_the_end() -> None:
    bot = Bot(random.Random(1))
    turned = a_game(legal_moves=["d"], stock_count=0, waste=["2C"])
    drawn = a_game(legal_moves=["d"], stock_count=1, waste=[])
    assert [bot.choose(turned), bot.choose(drawn), bot.choose(turned)] == ["d", "d", None]
