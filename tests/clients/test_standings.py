from __future__ import annotations

from canfield_race_client.shapes import Player, Standing
from canfield_race_client.standings import Standings, ranked, ranking_key
from hypothesis import given
from hypothesis import strategies as st

from tests.clients.builders import ANA, BO, CY, a_standing


def test_a_win_beats_more_cards_then_cards_then_time_then_actions_count() -> None:
    order = [
        a_standing(state="won", placed=52, at_ms=9000, actions=300),
        a_standing(state="resigned", placed=51, at_ms=10),
        a_standing(placed=50, at_ms=10),
        a_standing(placed=50, at_ms=20, actions=5),
        a_standing(placed=50, at_ms=20, actions=6),
    ]
    assert [s.rank for s in ranked(reversed(order))] == [1, 2, 3, 4, 5]
    assert [ranking_key(s) for s in ranked(reversed(order))] == [ranking_key(s) for s in order]


def test_equal_on_all_four_keys_is_an_equal_rank_and_the_next_rank_skips() -> None:
    tied = [a_standing(ANA, placed=3), a_standing(BO, placed=3), a_standing(CY, placed=1)]
    assert [s.rank for s in ranked(tied)] == [1, 1, 3]


def test_points_never_rank() -> None:
    farmer, racer = a_standing(ANA, placed=3, score=500), a_standing(BO, placed=4, score=0)
    assert [s.player for s in ranked([farmer, racer])] == [BO, ANA]


def test_of_two_standings_the_one_with_more_actions_holds() -> None:
    standings = Standings([a_standing(placed=5, actions=9)])
    standings.fold(a_standing(placed=4, actions=8))
    assert standings.of(ANA.id) == a_standing(placed=5, actions=9)
    standings.fold(a_standing(placed=6, actions=10))
    assert standings.of(ANA.id) == a_standing(placed=6, actions=10)


def test_an_end_is_final_though_it_adds_no_action() -> None:
    standings = Standings([a_standing(actions=9)])
    standings.fold(a_standing(actions=9, state="resigned"))
    standings.fold(a_standing(actions=9, state="racing"))
    mine = standings.of(ANA.id)
    assert mine is not None
    assert mine.state == "resigned"


entries = st.builds(
    Standing,
    player=st.sampled_from([ANA, BO, CY, Player(id="p_d", name="D")]),
    state=st.sampled_from(["racing", "won"]),
    placed=st.integers(1, 3),
    at_ms=st.integers(0, 2),
    actions=st.integers(0, 2),
)


@given(st.lists(entries))
def test_a_rank_is_one_more_than_the_number_of_those_ahead(standings: list[Standing]) -> None:
    for standing in ranked(standings):
        ahead = [other for other in standings if ranking_key(other) < ranking_key(standing)]
        assert standing.rank == len(ahead) + 1
