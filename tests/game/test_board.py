from contextlib import suppress

import pytest
from hypothesis import assume, given, settings

from server.game import (
    CH1,
    Board,
    IllegalMove,
    Move,
    NothingToUndo,
    Played,
    Tap,
    Undo,
    UndoOff,
    parse_action,
)
from server.game.cards import CARDS
from server.game.move import MOVES, TAPS
from tests.game.builders import (
    PLAYS,
    Play,
    a_board,
    a_board_after,
    a_board_played,
    a_position,
    a_won_board,
    everything,
)

# Along any legal play, from any deal, in every variant


@given(PLAYS)
def test_the_52_cards_stay_52_and_each_is_there_once(play: Play) -> None:
    code, moves = play
    board = Board.deal(code)

    for move in moves:
        board.push(move)

        assert sorted(card for pile in board._piles.all for card in pile) == sorted(CARDS)
        assert board.placed == sum(board.foundations.values())


@given(PLAYS)
def test_undo_restores_the_very_position_and_score(play: Play) -> None:
    code, moves = play
    assume(code.ruleset.undo_depth and not a_board_played(play).is_won)
    board = Board.deal(code)
    past = []
    for move in moves:
        past.append(everything(board)[:-1])
        board.push(move)

    for left in range(min(len(moves), 100), 0, -1):
        assert board.undo_left == left
        board.undo()
        assert everything(board)[:-1] == past.pop()

    with pytest.raises(NothingToUndo):
        board.undo()


@given(PLAYS)
def test_each_card_put_up_earns_5_and_the_last_the_bonus(play: Play) -> None:
    code, moves = play
    board = Board.deal(code)
    put_up = 0

    for move in moves:
        board.push(move)
        put_up += move.text.endswith("f")

        bonus = code.ruleset.win_bonus if board.is_won else 0
        assert board.score == code.ruleset.opening_score + 5 * put_up + bonus
        assert board.score >= code.ruleset.opening_score


@given(PLAYS)
@settings(max_examples=30, deadline=None)
def test_a_refused_action_changes_nothing(play: Play) -> None:
    board = a_board_played(play)
    before = everything(board)
    legal = set(board.legal_moves)

    for illegal in set(MOVES.values()) - legal:
        with pytest.raises(IllegalMove):
            board.push(illegal)
    for tap in TAPS.values():
        with suppress(IllegalMove):
            assert board.tap(tap) in legal

    assert everything(board) == before


@given(PLAYS)
def test_a_copy_has_the_same_past_and_a_future_of_its_own(play: Play) -> None:
    board = a_board_played(play)
    before = everything(board)

    twin = board.copy()
    assert everything(twin) == before
    assert (twin.ruleset, twin.draw, twin.base) == (board.ruleset, board.draw, board.base)
    for _ in range(10):
        for move in [*twin.legal_moves][-1:]:
            twin.push(move)
    while twin.undo_left:
        twin.undo()

    assert everything(board) == before


@given(PLAYS)
def test_the_cards_revealed_are_all_that_a_client_has_to_learn(play: Play) -> None:
    code, moves = play
    board = Board.deal(code)

    for move in moves:
        waste, reserve_count, stock_count = board.waste, board.reserve_count, board.stock_count
        revealed = board.push(move)

        if move.text == "d" and stock_count:
            assert board.waste == [*waste, *revealed]
            assert len(revealed) == min(code.draw, stock_count)
        elif board.reserve_count < reserve_count and board.reserve_count:
            assert revealed == (board.reserve_top,)
        else:
            assert revealed == ()


# Dealing and setting up


def test_the_example_is_dealt_as_published() -> None:
    board = a_board()

    assert board.position == "34||13:JD|QC/KH/3H/AS|0,0,1,0"
    assert board.hash == "5f8aa2c9"
    assert board.base == "7"
    assert (board.stock_count, board.waste) == (34, [])
    assert (board.reserve_count, board.reserve_top) == (13, "JD")
    assert board.columns == [["QC"], ["KH"], ["3H"], ["AS"]]
    assert board.foundations == {"C": 0, "D": 0, "H": 1, "S": 0}
    assert (board.score, board.placed, board.undo_left, board.is_won) == (0, 1, 0, False)
    assert repr(board) == f"<Board CF1 draw 3 {board.position}>"


def test_the_views_of_piles_are_the_callers_own() -> None:
    board = a_board_after("d")
    before = everything(board)

    board.waste.clear()
    board.columns[0].clear()
    board.foundations["C"] = 13

    assert everything(board) == before


def test_an_exhausted_reserve_has_no_top() -> None:
    board = a_position("9H/2C/3C/4C")

    assert (board.reserve_count, board.reserve_top) == (0, None)


def test_undo_cannot_be_switched_on_where_the_ruleset_has_none() -> None:
    with pytest.raises(ValueError, match="CH1 has no undo"):
        a_board("CH1-D3-AAAAACL", undo=True)
    assert a_board("CF1-D3-AAAAACL", undo=True).legal_moves


def test_a_draw_that_the_ruleset_does_not_know_cannot_be_set_up() -> None:
    with pytest.raises(ValueError, match="CH1 is not played with draw 1"):
        Board.from_piles(
            CH1,
            base="A",
            draw=1,
            columns=[["2C"], ["3C"], ["4C"], ["5C"]],
            foundations=dict.fromkeys("CDHS", 0),
        )


@pytest.mark.parametrize(
    ("columns", "reserve", "complaint"),
    [
        ("9H/2C/3C", [], "3 columns instead of 4"),
        ("9H/2C/3C/1C", [], "'1C' is no card"),
        ("9H/2C/3C/4C", ["9H"], "9H is there 2 times"),
        ("9H/2C/3C/7H", [], "7H is there 2 times"),
        ("9H/2C/3C/-", ["4C"], "would have filled the empty column"),
    ],
)
def test_piles_that_no_game_could_hold_are_refused(
    columns: str, reserve: list[str], complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        a_position(columns, reserve=reserve, foundations={"H": 1})


@pytest.mark.parametrize("base", ["", "1", "10", "23", "7H"])
def test_the_base_is_a_rank(base: str) -> None:
    with pytest.raises(ValueError, match="is no rank"):
        a_position("9H/2C/3C/4C", base=base)


@pytest.mark.parametrize("count", [-1, 14])
def test_a_foundation_holds_0_to_13_cards(count: int) -> None:
    with pytest.raises(ValueError, match="0 to 13"):
        a_position("9H/2C/3C/4C", foundations={"S": count})


# Moves


def test_a_column_that_empties_is_filled_from_the_reserve_at_once() -> None:
    board = a_position("QC/KH/3H/AS", reserve=["8H", "JD"])

    assert board.push(Move.parse("12")) == ("8H",)
    assert board.columns == [["JD"], ["KH", "QC"], ["3H"], ["AS"]]
    assert board.reserve_top == "8H"


def test_nothing_is_revealed_when_the_reserve_runs_out() -> None:
    board = a_position("QC/KH/3H/AS", reserve=["JD"])

    assert board.push(Move.parse("r1")) == ()
    assert board.push(Move.parse("12x2")) == ()
    assert board.columns[0] == []


def test_a_card_taken_back_costs_nothing_and_earns_again() -> None:
    board = a_position("8S/8H/3H/AS", foundations={"H": 1})

    scores = []
    for text in ("2f", "H2", "2f", "H2", "u", "u"):
        board.play(parse_action(text))
        scores.append(board.score)

    assert scores == [5, 5, 10, 10, 10, 5]


def test_a_base_card_can_be_taken_back_and_starts_its_foundation_again() -> None:
    board = a_position("8S/2H/3H/AS", foundations={"H": 1})

    board.push(Move.parse("H1"))
    assert board.foundations["H"] == 0
    board.push(Move.parse("1f"))
    assert board.foundations["H"] == 1


def test_a_hoyle_win_brings_450_dollars_and_a_modern_one_255_points() -> None:
    assert a_won_board("CH1-D3").score == 450
    assert a_won_board("CF1-D3").score == 255


# Undo


def test_undo_takes_the_refill_back_with_its_move() -> None:
    board = a_board_after("12")

    board.undo()

    assert board.position == "34||13:JD|QC/KH/3H/AS|0,0,1,0"


def test_undo_can_be_switched_off() -> None:
    board = a_board(undo=False)
    board.push(Move.parse("12"))
    before = everything(board)

    with pytest.raises(UndoOff) as refused:
        board.undo()

    assert refused.value.ruleset == "CF1"
    assert board.undo_left == 0
    assert everything(board) == before
    with pytest.raises(UndoOff):
        board.copy().undo()


def test_undo_does_not_enter_the_history() -> None:
    board = a_board_after("12 rf u")

    board.undo()

    assert board.position == a_board().position
    with pytest.raises(NothingToUndo):
        board.undo()


def test_only_the_last_100_actions_can_be_undone() -> None:
    board = a_board_after("12 " + "d " * 100)

    for _ in range(100):
        board.undo()

    assert board.position == a_board_after("12").position
    with pytest.raises(NothingToUndo) as refused:
        board.undo()
    assert refused.value.depth == 100


@pytest.mark.parametrize("variant", ["CF1-D3", "CH1-D3"])
def test_a_won_game_takes_no_undo_and_no_tap(variant: str) -> None:
    board = a_won_board(variant)
    before = everything(board)

    for action in (Undo(), parse_action("1"), Move.parse("d")):
        with pytest.raises(IllegalMove, match="W1: "):
            board.play(action)

    assert board.undo_left == 0
    assert everything(board) == before


# Play


def test_play_says_what_became_of_a_tap() -> None:
    board = a_board()

    assert board.play(parse_action("1")) == Played("12", ("8H",))
    assert board.play(parse_action("rf")) == Played("rf", ("QS",))
    assert board.play(parse_action("u")) == Played("u", ())
    assert board.play(parse_action("d")) == Played("d", tuple(board.waste))


def test_a_board_reads_moves_taps_and_undo() -> None:
    assert [type(Board.parse_move(text)) for text in ("12", "1", "u")] == [Move, Tap, Undo]
