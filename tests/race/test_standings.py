from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from server.race.standings import Entry, rank, rank_key, with_rank
from tests.race.builders import ANA, BO, COMPANY, CY, DI, an_entry

SMALL = st.integers(0, 3)
ENTRIES = st.lists(
    st.builds(
        Entry,
        player=st.sampled_from(COMPANY),
        state=st.sampled_from(["racing", "won", "resigned", "out_of_time"]),
        placed=SMALL,
        score=st.integers(-50, 300),
        actions=SMALL,
        at_ms=SMALL,
    ),
    max_size=12,
)


def test_a_win_comes_before_anything_else() -> None:
    slow_win = an_entry(BO, state="won", placed=52, at_ms=800_000, actions=900)
    fast_rest = an_entry(ANA, state="resigned", placed=51, at_ms=1, actions=1)

    assert [s.player for s in rank([fast_rest, slow_win])] == [BO, ANA]


def test_then_more_cards_then_less_time_then_fewer_actions() -> None:
    entries = [
        an_entry(ANA, placed=9, at_ms=50, actions=40),
        an_entry(BO, placed=9, at_ms=50, actions=30),
        an_entry(CY, placed=9, at_ms=40, actions=99),
        an_entry(DI, placed=10, at_ms=99, actions=99),
    ]

    assert [(s.player, s.rank) for s in rank(entries)] == [(DI, 1), (CY, 2), (BO, 3), (ANA, 4)]


def test_equal_results_share_a_rank_and_the_next_rank_skips() -> None:
    entries = [an_entry(ANA, placed=3), an_entry(BO, placed=5), an_entry(CY, placed=5)]

    assert [(s.player, s.rank) for s in rank(entries)] == [(BO, 1), (CY, 1), (ANA, 3)]


def test_the_score_and_how_a_game_was_lost_do_not_count() -> None:
    entries = [
        an_entry(ANA, state="resigned", score=200),
        an_entry(BO, state="out_of_time", score=0),
        an_entry(CY, state="racing", score=-45),
    ]

    assert [s.rank for s in rank(entries)] == [1, 1, 1]


def test_nobody_is_ranked_in_an_empty_room() -> None:
    assert rank([]) == []


def test_a_standing_is_its_entry_with_a_rank() -> None:
    entry = an_entry(BO, state="won", placed=52, score=260, actions=160, at_ms=90_000)

    standing = with_rank(entry, 4)

    assert standing.rank == 4
    for name in Entry.__struct_fields__:
        assert getattr(standing, name) == getattr(entry, name)


@given(ENTRIES)
def test_ranks_agree_with_the_four_keys_for_every_pair(entries: list[Entry]) -> None:
    standings = rank(entries)

    for one in standings:
        assert one.rank == 1 + sum(rank_key(other) < rank_key(one) for other in standings)
    assert [s.rank for s in standings] == sorted(s.rank for s in standings)


@given(ENTRIES)
def test_everyone_is_ranked_once_and_equal_ones_keep_their_order(entries: list[Entry]) -> None:
    numbered = [replace(entry, score=number) for number, entry in enumerate(entries)]

    standings = rank(numbered)

    assert sorted(s.score for s in standings) == list(range(len(entries)))
    for one, other in pairwise(standings):
        assert one.rank < other.rank or one.score < other.score


@given(ENTRIES, st.randoms(use_true_random=False))
def test_ranks_do_not_depend_on_the_order_entries_come_in(
    entries: list[Entry], chance: Random
) -> None:
    shuffled = entries.copy()
    chance.shuffle(shuffled)

    assert sorted(map(repr, rank(shuffled))) == sorted(map(repr, rank(entries)))
