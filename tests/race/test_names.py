# ruff: noqa: RUF001 — look-alikes are what this is about
import unicodedata
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.race.errors import Invalid
from server.race.names import INVISIBLE, LONGEST, RESERVED, check_name, name_key

GOOD = [
    "Ana",
    "x2",
    "Ana_B-7",
    "007",
    "Ólafur",
    "Анна",
    "Ελένη",
    "东京",
    "とうきょうタワー東京",
    "서울",
    "שרה",
    "สมชาย",
    "देवी",
    "a" * LONGEST,
]
BAD = {
    "": "0 characters",
    "A": "1 characters",
    "a" * 21: "21 characters",
    "Ana Lu": "U+0020",
    "Ana\n": "U+000A",
    "Ana\x00": "U+0000",
    "Ana!": "U+0021",
    "Ana\u200b": "U+200B",
    "Ana\u202e": "U+202E",
    "Ana\ufe0f": "U+FE0F",
    "Ana\u034f": "U+034F",
    "\u3164\u3164": "U+3164",
    "\u115f\u1160": "U+115F",
    "A😀": "U+1F600",
    "ⅣⅣ": "U+2163",
    "½x": "U+00BD",
    "Аna": "several scripts",
    "Anaλ": "several scripts",
    "东京한국なら": "several scripts",
    "--": "a letter or a digit",
    "_-_": "a letter or a digit",
    "\u0301ab": "begins with a mark",
    "\ue000\ue000": "U+E000",
}

ALIKE = [
    ("Ana", "ANA"),
    ("Ana", "ana"),
    ("Ana", "\uff21\uff4e\uff41"),  # fullwidth
    ("Ana", "𝐀𝐧𝐚"),
    ("AHA", "АНА"),  # Cyrillic capitals
    ("aha", "аНа"),
    ("TOM", "ТОМ"),
    ("Bob", "ВОВ"),
    ("ANNA", "ΑΝΝΑ"),  # Greek capitals
    ("НАТ", "нат"),
    ("ΝΙΚΟ", "νικο"),
    ("Ó", "O\u0301"),
    ("straße", "STRASSE"),
    ("fine", "ﬁne"),
    ("Bill", "B1II"),
    ("Bob", "B0b"),
    ("burn", "bum"),
    ("vvho", "who"),
    ("a-b", "a_b"),
    ("es5", "ess"),
]
APART = [
    ("Анна", "Нана"),
    ("Ana", "Ava"),
    ("Ana", "Anna"),
    ("Ana", "Ána"),
    ("Bo", "Bob"),
    ("ab", "ba"),
    ("Ana", "Ana-"),
]

LETTERS = st.characters(categories=["L", "Nd", "Mn", "Mc"], include_characters="_-")


@pytest.mark.parametrize("name", GOOD)
def test_a_name_of_one_script_is_kept_as_it_is(name: str) -> None:
    assert check_name(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize("name", BAD, ids=ascii)
def test_a_bad_name_is_refused_saying_what_about_it_cannot_be(name: str) -> None:
    with pytest.raises(Invalid) as refusal:
        check_name(name)

    assert BAD[name] in refusal.value.detail
    assert refusal.value.pointer == "/name"


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_a_reserved_word_is_nobodys_name_in_any_spelling(name: str) -> None:
    for spelling in (name, name.upper(), name.replace("o", "0"), name.replace("e", "\uff45")):
        with pytest.raises(Invalid, match=r"reserved|characters"):
            check_name(spelling)


def test_a_name_is_kept_in_composed_form_and_counted_in_it() -> None:
    assert check_name("O\u0301" * LONGEST) == "Ó" * LONGEST


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike_are_the_same(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(("one", "other"), APART)
def test_names_that_people_tell_apart_are_not(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


def test_a_name_whose_key_is_eighteen_times_as_long_is_still_one_name() -> None:
    name = check_name("\ufdfa" * LONGEST)

    assert len(name) == LONGEST
    assert len(name_key(name)) == 18 * LONGEST


@given(st.text(LETTERS, min_size=1, max_size=30))
def test_a_name_that_is_kept_is_kept_again_unchanged(text: str) -> None:
    try:
        name = check_name(text)
    except Invalid:
        return

    assert check_name(name) == name
    assert name_key(name) == name_key(text)
    assert not set(name) & INVISIBLE


@given(st.text(max_size=30))
def test_any_text_is_a_name_or_is_refused(text: str) -> None:
    with suppress(Invalid):
        assert 2 <= len(check_name(text)) <= LONGEST


@given(st.text(LETTERS, min_size=1, max_size=20))
def test_case_never_tells_two_names_apart(text: str) -> None:
    assert name_key(text) == name_key(text.upper()) or text.upper().casefold() != text.casefold()
