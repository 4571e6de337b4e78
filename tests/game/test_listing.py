from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.game import CF1, CH1, Board, IllegalMove, Move, Ruleset, Tap, parse_action
from server.game.cards import RANKS, SUITS
from server.game.move import MOVES
from server.game.piles import foundation_cards
from tests.game.builders import (
    PLAYS,
    Play,
    a_board,
    a_board_played,
    a_position,
    a_won_board,
    everything,
)

RULE_MIXES = [
    CF1,
    CH1,
    replace(CF1, name="whole columns", whole_columns_only=True),
    replace(CF1, name="only waste fills", waste_fills_alone=True),
]


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


def a_random_position(ruleset: Ruleset, chance: Random) -> Board:
    """Any cards anywhere; where they were not shuffled, columns are or hold long runs."""
    base = chance.choice(RANKS)
    foundations = {suit: chance.choice([0, 0, 1, 5]) for suit in SUITS}
    placed = {card for suit in SUITS for card in foundation_cards(base, suit, foundations[suit])}
    deck = a_long_run()
    start = chance.randrange(52)
    deck = [card for card in deck[start:] + deck[:start] if card not in placed]
    if chance.random() < 0.3:
        chance.shuffle(deck)
    cuts = [0, *sorted(chance.randrange(len(deck) + 1) for _ in range(4))]
    columns = [deck[a:b] for a, b in pairwise(cuts)]
    left = deck[cuts[-1] :]
    in_reserve = len(left) // 2 if all(columns) else 0
    return Board.from_piles(
        ruleset,
        base=base,
        draw=3,
        columns=columns,
        reserve=left[:in_reserve],
        waste=left[in_reserve:],
        foundations=foundations,
    )


@given(PLAYS)
@settings(max_examples=40, deadline=None)
def test_the_list_holds_exactly_what_push_takes(play: Play) -> None:
    board = a_board_played(play)

    assert board.legal_moves.texts() == moves_that_push_takes(board)


@given(st.sampled_from(RULE_MIXES), st.randoms(use_true_random=False))
@settings(max_examples=120, deadline=None)
def test_it_does_so_in_positions_that_no_play_leads_to(ruleset: Ruleset, chance: Random) -> None:
    board = a_random_position(ruleset, chance)

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


def test_the_view_follows_a_waste_that_is_turned_over_and_back() -> None:
    board = a_position("QS/2C/3C/4C", waste=["JD"])
    legal_moves = board.legal_moves
    assert "w1" in legal_moves.texts()

    board.push(Move.parse("d"))
    assert legal_moves.texts() == ["d"]
    board.undo()
    assert legal_moves.texts() == ["d", "w1"]


def test_a_list_that_was_given_out_is_the_callers_own() -> None:
    board = a_board()

    board.legal_moves.texts().clear()

    assert len(board.legal_moves) == 4


@pytest.mark.parametrize("variant", ["CF1-D3", "CF1-D1", "CH1-D3"])
def test_a_won_game_has_no_legal_moves(variant: str) -> None:
    board = a_won_board(variant)

    assert not board.legal_moves
    assert board.legal_moves.texts() == []
