from __future__ import annotations

import random

import pytest
from canfield_race_client.backoff import Backoff


def test_every_wait_is_between_a_quarter_second_and_ten() -> None:
    backoff = Backoff(chance=random.Random(7).random)
    waits = [backoff.next_s() or 0.0 for _ in range(60)]
    assert min(waits) >= 0.25
    assert max(waits) <= 10
    assert len(set(waits)) == 60


def test_the_waits_grow_and_start_over_after_a_success() -> None:
    backoff = Backoff(chance=lambda: 1.0)
    assert [backoff.next_s() for _ in range(7)] == [0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0]
    backoff.reset()
    assert backoff.next_s() == 0.5


def test_the_attempts_are_bounded() -> None:
    backoff = Backoff(chance=lambda: 0.0, max_attempts=2)
    assert [backoff.next_s(), backoff.next_s(), backoff.next_s()] == [0.25, 0.25, None]


@pytest.mark.parametrize("close_code", [1001, 1006, 1012, 4408, 4413, 4429, 4500])
def test_these_close_codes_invite_to_come_back(close_code: int) -> None:
    assert Backoff(chance=lambda: 0.0).after_close(close_code) == 0.25


@pytest.mark.parametrize("close_code", [1000, 1009, 4400, 4401, 4404, 4409, 4999])
def test_after_these_only_the_user_decides(close_code: int) -> None:
    assert Backoff(chance=lambda: 0.0).after_close(close_code) is None


def test_what_the_server_asked_for_is_waited_even_beyond_the_cap() -> None:
    assert Backoff(chance=lambda: 0.0).after_close(4429, retry_after_ms=12_000) == 12.0
