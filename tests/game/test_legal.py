import re
from pathlib import Path

import pytest

from server.game import CF1, CH1, Board, IllegalMove, Move, Ruleset, legal
from tests.game.builders import a_board, a_position, a_won_board


def refusal_of(board: Board, text: str) -> tuple[str, str]:
    with pytest.raises(IllegalMove) as refused:
        board.push(Move.parse(text))
    assert refused.value.move == text
    assert str(refused.value) == f"{refused.value.rule}: {refused.value.reason}"
    return refused.value.rule, refused.value.reason


@pytest.mark.parametrize(
    ("text", "rule", "reason"),
    [
        ("13", "T1", "QC does not go on 3H at the end of column 3; 2C and 2S do"),
        ("23", "T1", "KH does not go on 3H at the end of column 3; 2C and 2S do"),
        ("14", "T1", "QC does not go on AS at the end of column 4; KD and KH do"),
        ("4f", "F1", "AS cannot start its foundation, only 7S can"),
        ("H1", "T1", "7H does not go on QC at the end of column 1; JD and JH do"),
        ("C1", "B1", "the foundation of C is empty"),
        ("wf", "S1", "the waste is empty"),
        ("w3", "S1", "the waste is empty"),
        ("12x2", "T2", "column 1 has 1 of the 2 cards"),
    ],
)
def test_a_refusal_names_its_rule_and_what_would_go(text: str, rule: str, reason: str) -> None:
    assert refusal_of(a_board(), text) == (rule, reason)


def test_a_foundation_takes_only_the_next_rank() -> None:
    board = a_position("9H/2C/3C/4C", foundations={"H": 1})

    assert refusal_of(board, "1f") == (
        "F1",
        "9H does not go up yet; its foundation takes 8H next",
    )


@pytest.mark.parametrize("text", ["rf", "r1"])
def test_an_empty_reserve_has_nothing_to_play(text: str) -> None:
    assert refusal_of(a_position("9H/2C/3C/4C"), text) == ("R1", "the reserve is empty")


@pytest.mark.parametrize("text", ["1f", "12"])
def test_an_empty_column_has_nothing_to_play(text: str) -> None:
    assert refusal_of(a_position("-/2C/3C/4C"), text) == ("T2", "column 1 is empty")


def test_only_a_run_moves() -> None:
    board = a_position("7S.9H.8C/9D/3C/TS")

    assert refusal_of(board, "12x3") == ("T2", "the last 3 cards of column 1 are not a run")
    assert "12" in board.legal_moves
    assert "14x2" in board.legal_moves


@pytest.mark.parametrize("text", ["12", "12x2"])
def test_in_hoyle_a_column_moves_only_whole(text: str) -> None:
    board = a_position("TS.9H.8C/9D/3C/JD", ruleset=CH1)

    assert refusal_of(board, text) == ("T2", "in CH1 column 1 moves only whole, all 3 cards")
    assert "14x3" in board.legal_moves


def test_in_hoyle_nothing_comes_back_from_a_foundation() -> None:
    columns = "8S/2C/3C/4C"

    assert "H1" in a_position(columns, foundations={"H": 1}).legal_moves
    assert refusal_of(a_position(columns, ruleset=CH1, foundations={"H": 1}), "H1") == (
        "B1",
        "in CH1 no card comes back from a foundation",
    )


def test_in_hoyle_an_empty_column_takes_the_waste_top_only() -> None:
    board = a_position("-/2C/3C/4C", ruleset=CH1, waste=["9D"])

    assert refusal_of(board, "21") == ("R3", "in CH1 only the waste top goes to an empty column")
    assert "w1" in board.legal_moves


def test_with_stock_and_waste_empty_there_is_nothing_to_draw() -> None:
    assert refusal_of(a_position("9H/2C/3C/4C"), "d") == ("S2", "stock and waste are both empty")


@pytest.mark.parametrize("ruleset", [CF1, CH1], ids=str)
@pytest.mark.parametrize("text", ["d", "1f", "12", "H1", "w1"])
def test_a_won_game_takes_no_move(ruleset: Ruleset, text: str) -> None:
    board = a_won_board(f"{ruleset}-D3")

    assert refusal_of(board, text) == ("W1", "the game is won and takes no further action")


def test_every_rule_that_the_code_names_stands_in_the_rules() -> None:
    folder = Path(legal.__file__).parent
    rules = set(re.findall(r"\*\*([A-Z]\d)\b", (folder / "RULES.md").read_text()))
    named = {
        rule
        for source in folder.glob("*.py")
        for rule in re.findall(r"\b[A-Z]\d\b(?=[,):\"]| [a-z])", source.read_text())
    }

    assert {"D1", "T1", "R2", "U1", "A1"} <= named & rules
    assert named - {"D1", "D3", "H4"} <= rules
