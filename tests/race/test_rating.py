from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.race import rating
from server.race.rating import TABLE, Belief, Entrant, rate

STRONG, WEAK = Belief(mu=35, sigma=2), Belief(mu=15, sigma=2)


def a_field(*ranks: int, before: Belief | None = None) -> list[Entrant]:
    return [
        Entrant(player_id=f"p_{seat:05}", rank=rank, before=before or Belief())
        for seat, rank in enumerate(ranks)
    ]


def test_who_is_new_is_rated_0_with_the_greatest_uncertainty() -> None:
    assert (Belief().rating, Belief().uncertainty) == (0.0, 8.33)
    assert str(Belief(mu=24.9999, sigma=25 / 3).rating) == "0.0"
    assert (STRONG.rating, STRONG.uncertainty) == (29.0, 2.0)


def test_a_better_rank_gives_a_better_belief_and_every_race_more_certainty() -> None:
    first, second, third = rate(a_field(1, 2, 3))

    assert first.mu > second.mu > third.mu
    assert max(belief.sigma for belief in (first, second, third)) < Belief().sigma


def test_equal_ranks_of_equal_players_are_rated_equal() -> None:
    first, second, third, fourth = rate(a_field(1, 1, 3, 3))

    assert first == second
    assert third == fourth
    assert first.mu > third.mu
    assert [belief.mu for belief in rate(a_field(1, 1, 1))] == [25.0] * 3


def test_beating_a_stronger_player_tells_more_than_beating_a_weaker_one() -> None:
    def gain(other: Belief) -> float:
        me = Entrant(player_id="p_me", rank=1, before=Belief())
        return rate([me, Entrant(player_id="p_other", rank=2, before=other)])[0].mu

    assert gain(STRONG) > gain(WEAK) > Belief().mu


def test_alone_nobody_learns_anything() -> None:
    assert rate(a_field(1, before=STRONG)) == [STRONG]
    assert rate([]) == []


@given(st.permutations(range(5)), st.lists(st.integers(1, 3), min_size=5, max_size=5))
def test_the_order_in_which_players_are_given_changes_nothing(
    order: list[int], ranks: list[int]
) -> None:
    field = a_field(*ranks)

    shuffled = rate([field[seat] for seat in order])

    assert shuffled == [rate(field)[seat] for seat in order]


@pytest.mark.parametrize("size", [TABLE, TABLE + 1, 10 * TABLE + 1])
def test_a_large_field_is_rated_over_its_whole_range(size: int) -> None:
    """With no more than a table's players each is compared with, the middle stays in the middle."""
    rated = [belief.mu for belief in rate(a_field(*range(1, size + 1)))]

    tenth = size // 10
    tenths = [mean(rated[first : first + tenth]) for first in range(0, 10 * tenth, tenth)]
    assert tenths == sorted(tenths, reverse=True)
    assert abs(mean(rated) - 25) < 0.01
    assert len(rated) == size


@pytest.mark.parametrize("size", [2, TABLE, TABLE + 1, 10_000])
def test_no_more_are_compared_with_each_other_than_sit_at_a_table(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the time grows with the field, and not with its square."""
    tables: list[int] = []

    def note(table: list[Entrant]) -> list[Belief]:
        tables.append(len(table))
        return [one.before for one in table]

    monkeypatch.setattr(rating, "_rate", note)
    rate(a_field(*range(size)))

    assert sum(tables) == size
    assert len(tables) == -(-size // TABLE)
    assert max(tables) - min(tables) <= 1
