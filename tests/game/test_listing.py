from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.game import CF1, CH1, Board, IllegalMove, Move, Ruleset, Tap, parse_action
from server.game.cards import CARDS
from server.game.move import MOVES
from tests.game.builders import (
    PLAYS,
    Play,
    a_board,
    a_board_played,
    a_position,
    a_won_board,
    everything,
)


def moves_that_push_takes(board: Board) -> list[str]:
    """Every move there is, tried on a board that must come to no harm by it."""
    taken = []
    trial = board.copy()
    for text, move in MOVES.items():
        try:
            trial.push(move)
        except IllegalMove:
            continue
        taken.append(text)
        trial = board.copy()
    assert everything(trial) == everything(board)
    return sorted(taken)


def a_long_run() -> list[str]:
    """All 52 cards as one run, each resting on the one before."""
    ranks = "KQJT98765432A"
    return [rank + "CDSH"[i % 2 + (i // 26) * 2] for i, rank in enumerate(ranks * 4)]


@given(PLAYS)
@settings(max_examples=40, deadline=None)
def test_the_list_holds_exactly_what_push_takes(play: Play) -> None:
    board = a_board_played(play)

    assert board.legal_moves.texts() == moves_that_push_takes(board)


@given(st.sampled_from([CF1, CH1]), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_it_does_so_in_positions_that_no_play_leads_to(ruleset: Ruleset, chance: Random) -> None:
    deck = list(CARDS) if chance.random() < 0.5 else a_long_run()
    if chance.random() < 0.7:
        start = chance.randrange(52)
        deck = deck[start:] + deck[:start]
    else:
        chance.shuffle(deck)
    cuts = sorted(chance.randrange(53) for _ in range(4))
    columns = [deck[: cuts[0]], *(deck[a:b] for a, b in pairwise(cuts))]
    reserve = deck[cuts[3] :][:13] if all(columns) else []
    waste = deck[cuts[3] :][len(reserve) :]
    board = Board.from_piles(
        ruleset,
        base=chance.choice(CARDS)[0],
        draw=3,
        columns=columns,
        reserve=reserve,
        waste=waste,
        foundations=dict.fromkeys("CDHS", 0),
    )

    assert board.legal_moves.texts() == moves_that_push_takes(board)


def test_a_run_of_more_than_26_cards_goes_to_one_column_in_two_ways() -> None:
    run = a_long_run()
    columns = f"{'.'.join(run[:30])}/{run[51]}/{run[40]}/{run[45]}"

    modern = a_position(columns, base="2").legal_moves.texts()
    assert [text for text in modern if text.startswith("12")] == ["12x30", "12x4"]
    assert a_position(columns, base="2", ruleset=CH1).legal_moves.texts() == ["12x30"]


def test_the_list_is_in_ascii_order() -> None:
    columns = f"{'.'.join(a_long_run()[:12])}/-/2S/4S"
    texts = a_position(columns, waste=["9H"]).legal_moves.texts()

    assert texts == sorted(texts)
    assert texts.index("12x10") < texts.index("12x2") < texts.index("d") < texts.index("w2")


def test_moves_are_iterated_and_counted_and_found_as_text_too() -> None:
    legal_moves = a_board().legal_moves

    assert [move.text for move in legal_moves] == ["12", "24", "d", "r1"]
    assert len(legal_moves) == 4
    assert legal_moves
    assert Move.parse("24") in legal_moves
    assert "24" in legal_moves
    assert repr(legal_moves) == "<LegalMoves 12 24 d r1>"


@pytest.mark.parametrize("other", ["13", "1", "u", "nonsense", "", None, 12, Tap("1", 0)])
def test_what_is_no_legal_move_is_not_found(other: object) -> None:
    assert other not in a_board().legal_moves


def test_the_view_follows_the_board_through_moves_draws_and_undo() -> None:
    board = a_board()
    legal_moves = board.legal_moves
    at_the_start = legal_moves.texts()

    for text in ["12", "d", "u", "u", *["d"] * 13, "u"]:
        board.play(parse_action(text))
        assert legal_moves.texts() == moves_that_push_takes(board), text

    for _ in range(12):
        board.undo()
    assert legal_moves.texts() == at_the_start


def test_a_list_that_was_given_out_is_the_callers_own() -> None:
    board = a_board()

    board.legal_moves.texts().clear()

    assert len(board.legal_moves) == 4


@pytest.mark.parametrize("variant", ["CF1-D3", "CF1-D1", "CH1-D3"])
def test_a_won_game_has_no_legal_moves(variant: str) -> None:
    board = a_won_board(variant)

    assert not board.legal_moves
    assert board.legal_moves.texts() == []
