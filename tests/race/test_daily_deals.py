from collections import Counter
from datetime import date, timedelta
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.game import CF1, SEALED_LENGTH, GameCode
from server.race.daily_deals import _below, candidate
from server.race.deals import NONCE_BYTES, Deal

TODAY = date(2026, 11, 29)
DAYS = st.dates(min_value=date(2026, 1, 1), max_value=date(2099, 12, 31))
SECRETS = st.text(max_size=20)
NUMBERS = st.integers(0, 10**6)
CHOICES = st.tuples(SECRETS, DAYS, NUMBERS)


def test_the_same_secret_gives_the_same_deal_on_every_node_and_in_every_version() -> None:
    assert candidate("a secret", TODAY, 0) == Deal(
        code=GameCode.parse("CF1-D3-JPJXLJGYVNNHGHEUMUUAIATQQFHX"),
        nonce="9d9613f67ee1ff6715c084c514ff6594",
    )


@given(SECRETS, DAYS, NUMBERS)
def test_a_candidate_is_a_sealed_deal_that_depends_on_nothing_else(
    secret: str, day: date, number: int
) -> None:
    deal = candidate(secret, day, number)

    assert deal == candidate(secret, day, number)
    assert (deal.code.ruleset, deal.code.draw) == (CF1, 3)
    assert len(deal.code.letters) == SEALED_LENGTH
    assert len(bytes.fromhex(deal.nonce)) == NONCE_BYTES


@given(CHOICES, CHOICES)
def test_two_candidates_are_the_same_only_if_secret_day_and_number_are(
    choice: tuple[str, date, int], other: tuple[str, date, int]
) -> None:
    one, two = candidate(*choice), candidate(*other)

    same = choice == other
    assert (one.code == two.code) is same
    assert (one.nonce == two.nonce) is same
    assert (one.commitment == two.commitment) is same


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((TODAY, 1), (TODAY, 11)),
        ((date(2026, 1, 11), 1), (date(2026, 11, 1), 1)),
        ((TODAY, 0), (TODAY + timedelta(days=1), 0)),
    ],
)
def test_days_and_numbers_that_look_alike_have_different_deals(
    one: tuple[date, int], other: tuple[date, int]
) -> None:
    assert candidate("a secret", *one).code != candidate("a secret", *other).code


def test_every_letter_is_as_likely_as_any_other_at_every_place() -> None:
    count = 1500
    codes = [candidate("a secret", TODAY, number).code.letters for number in range(count)]

    for column in zip(*codes, strict=True):
        seen = Counter(column)
        assert len(seen) == 26
        # About 58 of each; six standard deviations off is no chance.
        assert all(12 < times < 104 for times in seen.values())
    assert len(set(codes)) == count


@pytest.mark.parametrize("limit", [1, 2, 3, 10, 26, 52, 100, 128, 200, 255, 256])
def test_a_number_below_a_limit_is_drawn_without_favouring_any(limit: int) -> None:
    """Of all bytes, each result has as many as any other; those that are over are passed by."""
    drawn: Counter[int] = Counter()
    for byte in range(256):
        numbers = iter([byte, 0])
        drawn[_below(limit, numbers)] += 1 if list(islice(numbers, 1)) else 0

    assert sorted(drawn) == list(range(limit))
    assert set(drawn.values()) == {256 // limit}
