import pytest

from server.game import (
    BadCode,
    BadMove,
    GameError,
    IllegalMove,
    NothingToUndo,
    UndoOff,
)


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (
            BadCode("why", text="X", part="shape"),
            "bad_code",
            "'X' is not a game code: why",
        ),
        (BadMove("11", reason="why"), "bad_move", "'11' is not a move: why"),
        (IllegalMove("12", rule="T1", reason="why"), "illegal_move", "T1: why"),
        (UndoOff(ruleset="CH1"), "undo_off", "U1: undo is off in this CH1 game"),
        (
            NothingToUndo(depth=100),
            "nothing_to_undo",
            "U1: nothing is left to undo; at most the last 100 actions are kept",
        ),
    ],
)
def test_every_refusal_has_a_code_and_a_message(error: GameError, code: str, message: str) -> None:
    assert error.code == code
    assert error.message == str(error) == message


def test_a_refusal_can_be_read_without_its_text() -> None:
    illegal = IllegalMove("12", rule="T1", reason="QC does not go on 9S")

    assert (illegal.move, illegal.rule) == ("12", "T1")
    assert illegal.reason == "QC does not go on 9S"


def test_what_a_user_sent_is_shown_in_ascii_and_cut_short() -> None:
    error = BadMove("\u2660\x00" + "x" * 5_000, reason="why")

    assert str(error).startswith(r"'\u2660\x00xxx")
    assert len(str(error)) < 100
    assert error.text.endswith("x" * 5_000)
