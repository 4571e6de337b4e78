from __future__ import annotations

import pytest
from canfield_race_client.ghosts import Ghosts, around
from canfield_race_client.shapes import Curve, Player
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.clients.builders import ANA, BO, CY, a_standing

RACE = [
    Curve(player=ANA, points=[(0, 1), (4_000, 2), (9_000, 1), (20_000, 2)]),
    Curve(player=BO, points=[(0, 1), (2_500, 2), (9_000, 3), (60_000, 52)]),
    Curve(player=CY, points=[(0, 1)]),
]


def at(elapsed_ms: int) -> list[tuple[int | None, str, int]]:
    return [(s.rank, s.player.name, s.placed) for s in Ghosts(RACE).at(elapsed_ms)]


def test_at_the_start_all_stand_equal() -> None:
    assert at(0) == at(-5) == [(1, "Ana", 1), (1, "Bo", 1), (1, "Cy", 1)]


@pytest.mark.parametrize(
    ("elapsed_ms", "standings"),
    [
        (2_499, [(1, "Ana", 1), (1, "Bo", 1), (1, "Cy", 1)]),
        (2_500, [(1, "Bo", 2), (2, "Ana", 1), (2, "Cy", 1)]),
        (4_000, [(1, "Bo", 2), (2, "Ana", 2), (3, "Cy", 1)]),
        (9_000, [(1, "Bo", 3), (2, "Cy", 1), (3, "Ana", 1)]),
        (10**9, [(1, "Bo", 52), (2, "Ana", 2), (3, "Cy", 1)]),
    ],
)
def test_at_any_time_ghosts_have_what_they_had_then(
    elapsed_ms: int, standings: list[tuple[int, str, int]]
) -> None:
    assert at(elapsed_ms) == standings


def test_a_ghost_that_had_won_by_then_has_won() -> None:
    states = {s.player.name: s.state for s in Ghosts(RACE).at(60_000)}
    assert states == {"Bo": "won", "Ana": "racing", "Cy": "racing"}


def test_i_stand_among_the_ghosts_as_i_am_now_and_not_as_my_own_ghost() -> None:
    me = a_standing(ANA, placed=7, at_ms=8_000, score=30)
    ghosts = Ghosts(RACE).at(9_000, me=me)
    assert [(s.rank, s.player.name, s.placed) for s in ghosts] == [
        (1, "Ana", 7), (2, "Bo", 3), (3, "Cy", 1),
    ]  # fmt: skip
    assert ghosts[0].score == 30


def test_actions_decide_nothing_because_those_of_ghosts_are_not_known() -> None:
    me = a_standing(ANA, placed=1, actions=70)
    ghosts = Ghosts(RACE[1:]).at(100, me=me)
    assert [(s.rank, s.player.name, s.actions) for s in ghosts] == [
        (1, "Ana", 70), (1, "Bo", 0), (1, "Cy", 0),
    ]  # fmt: skip


def test_without_curves_there_are_no_ghosts() -> None:
    assert Ghosts().at(0) == []
    assert Ghosts([Curve(player=ANA, points=[])]).at(0) == []


@settings(deadline=None)
@given(
    points=st.lists(st.tuples(st.integers(1, 50), st.integers(0, 52)), unique_by=lambda p: p[0]),
    elapsed_ms=st.integers(0, 60),
)
def test_a_ghost_has_what_the_last_point_up_to_then_says(
    points: list[tuple[int, int]], elapsed_ms: int
) -> None:
    points = [(0, 1), *sorted(points)]
    [ghost] = Ghosts([Curve(player=ANA, points=points)]).at(elapsed_ms)
    assert (ghost.at_ms, ghost.placed) == max(p for p in points if p[0] <= elapsed_ms)


@pytest.mark.parametrize(
    ("mine", "shown"), [(0, [0, 1, 2]), (1, [0, 1, 2]), (4, [3, 4, 5]), (9, [7, 8, 9])]
)
def test_around_me_are_those_before_and_behind_me(mine: int, shown: list[int]) -> None:
    crowd = [a_standing(Player(id=str(n), name=str(n))) for n in range(10)]
    seen = around(crowd, crowd[mine].player, count=3)
    assert [int(s.player.id) for s in seen] == shown
    assert around(crowd[:2], crowd[0].player, count=3) == crowd[:2]
    assert around(crowd, ANA, count=3) == crowd[:3]
