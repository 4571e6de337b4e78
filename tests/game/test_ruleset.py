from dataclasses import FrozenInstanceError

import pytest

from server.game import CF1, CH1, RULESETS


def test_the_two_rulesets_are_found_by_name() -> None:
    assert RULESETS == {"CF1": CF1, "CH1": CH1}
    assert str(CH1) == "CH1"


def test_draw_3_is_the_default_and_only_the_modern_rules_know_draw_1() -> None:
    assert CF1.draws == (3, 1)
    assert CH1.draws == (3,)


def test_a_hoyle_deck_costs_50_and_a_win_brings_500() -> None:
    cards_put_up = 51

    assert CH1.opening_score == -45
    assert CH1.opening_score + cards_put_up * CH1.points_per_card + CH1.win_bonus == 450


def test_a_ruleset_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        CF1.take_back = False  # type: ignore[misc]
