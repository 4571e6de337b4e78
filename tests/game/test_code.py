from dataclasses import FrozenInstanceError
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.game import CF1, CH1, BadCode, GameCode, Ruleset, random_letters
from tests.game.builders import CODES


@given(CODES, st.text(" \t\r\n", max_size=3), st.booleans())
def test_a_code_is_read_back_in_either_case_and_with_blanks_around(
    code: GameCode, blanks: str, small: bool
) -> None:
    text = str(code).lower() if small else str(code)

    assert GameCode.parse(blanks + text + blanks) == code


@given(st.text(max_size=40) | st.text("CFH13D-AZaz\u017f ", max_size=20))
def test_any_text_is_a_code_or_a_bad_code(text: str) -> None:
    try:
        code = GameCode.parse(text)
    except BadCode as refused:
        error = refused
    else:
        assert str(code) == text.strip().upper()
        return

    assert str(error).isascii()


@pytest.mark.parametrize(
    ("text", "part", "position", "advice"),
    [
        ("", "shape", None, "as in CF1-D3-AAAAACL"),
        ("CF1-AAAAACL", "shape", None, "with a - between them"),
        ("CF1-D3-AAAAACL-", "shape", None, "with a - between them"),
        ("CF2-D3-AAAAACL", "ruleset", 1, "the ruleset is CF1 or CH1"),
        ("CF1-D2-AAAAACL", "draw", 5, "CF1 is played with D3 or D1"),
        ("CF1-D03-AAAAACL", "draw", 5, "CF1 is played with D3 or D1"),
        ("CF1-3-AAAAACL", "draw", 5, "CF1 is played with D3 or D1"),
        ("CH1-D1-AAAAACL", "draw", 5, "CH1 is played with D3"),
        ("CF1-D3-AAA1ACL", "letters", 11, "character 11, '1', is not one of the letters A-Z"),
        ("  cf1-d3-aaaaa l", "letters", 13, "character 13, ' ', is not one of the letters"),
        ("CF1-D3-AAAAAC", "letters", None, "it has 6 letters; 7 make a code to share, 28 a"),
        ("CF1-D3-", "letters", None, "it has 0 letters"),
        ("CF1-D3-AAAAA\u017fL", "shape", 13, r"character 13, '\u017f', is none of A-Z"),
        ("\u00a0CF1-D3-AAAAACL", "shape", 1, r"character 1, '\xa0'"),
    ],
)
def test_a_bad_code_says_what_is_wrong_and_where(
    text: str, part: str, position: int | None, advice: str
) -> None:
    with pytest.raises(BadCode) as refused:
        GameCode.parse(text)

    assert (refused.value.part, refused.value.position) == (part, position)
    assert advice in str(refused.value)


@pytest.mark.parametrize(
    ("ruleset", "draw", "letters"),
    [(CF1, 2, "AAAAACL"), (CH1, 1, "AAAAACL"), (CF1, 3, "aaaaacl"), (CF1, 3, "AAAAACLA")],
)
def test_no_bad_code_can_be_built(ruleset: Ruleset, draw: int, letters: str) -> None:
    with pytest.raises(BadCode):
        GameCode(ruleset, draw, letters)


def test_a_long_bad_code_is_cut_short_in_the_message() -> None:
    with pytest.raises(BadCode) as refused:
        GameCode.parse("CF1-D3-" + "A" * 10_000)

    assert "10000 letters" in str(refused.value)
    assert len(str(refused.value)) < 200


def test_only_28_letters_can_be_sealed() -> None:
    assert GameCode(CF1, 3, "A" * 28).is_sealable
    assert not GameCode(CF1, 3, "A" * 7).is_sealable


def test_a_code_cannot_be_changed() -> None:
    code = GameCode.parse("CF1-D3-AAAAACL")

    with pytest.raises(FrozenInstanceError):
        code.letters = "BBBBBBB"  # type: ignore[misc]


def test_random_letters_use_all_26_letters_and_make_good_codes() -> None:
    chance = Random(1)

    letters = random_letters(2800, chance.randrange)

    assert sorted(set(letters)) == [*"ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    assert GameCode(CF1, 3, letters[:28]).is_sealable
