"""Stock and waste as one agree with a board on which somebody draws and draws."""

from random import Random

import pytest

from server.game import CARDS, CF1, Board, Move
from server.game.solver.talon import Talon, Talons, draws_between, reachable

DRAW = Move.parse("d")
SIZES = [(count, height) for count in range(14) for height in range(count + 1)]


def a_board_with(count: int, height: int, draw: int) -> Board:
    return Board.from_piles(
        CF1,
        base="A",
        draw=draw,
        columns=[[], [], [], []],
        waste=CARDS[:height],
        stock=CARDS[height:count],
        foundations=dict.fromkeys("CDHS", 0),
    )


def drawn(count: int, height: int, draw: int) -> dict[int, int]:
    """By the heights of the waste that drawing leads to: after how many draws, by a board."""
    board, found = a_board_with(count, height, draw), {height: 0}
    for draws in range(1, 2 * count + 4 if count else 1):
        board.push(DRAW)
        found.setdefault(len(board.waste), draws)
    return found


@pytest.mark.parametrize("draw", [1, 3])
@pytest.mark.parametrize(("count", "height"), SIZES)
def test_drawing_leads_where_a_board_gets_in_as_many_draws(
    count: int, height: int, draw: int
) -> None:
    expected = drawn(count, height, draw)
    expected.pop(0, None)  # no card on top

    heights = reachable(count, height, draw)

    found = {end: draws_between(count, height, end, draw) for end in heights}
    assert found == expected
    assert list(found.values()) == sorted(found.values())


@pytest.mark.parametrize("draw", [1, 3])
@pytest.mark.parametrize(("count", "height"), SIZES)
def test_a_talon_reaches_what_drawing_reaches_and_is_covered_by_those_that_reach_it_too(
    count: int, height: int, draw: int
) -> None:
    talons, order = Talons(draw), bytes(range(count))
    talon = talons.get(order, height)

    assert set(talon.heights) == set(reachable(count, height, draw))
    assert [*talon.cards] == [h - 1 for h in talon.heights]
    for other_height in range(count + 1):
        other = talons.get(order, other_height)
        assert other.key == talon.key
        if other.bit & talon.covered_by:
            assert set(other.heights) >= set(talon.heights)


def test_one_that_reaches_less_does_not_cover() -> None:
    talons, order = Talons(3), bytes(range(10))
    early, late, turned = (talons.get(order, height) for height in (1, 4, 9))

    assert early.bit & late.covered_by
    assert not late.bit & early.covered_by
    assert late.bit & turned.covered_by
    assert not turned.bit & late.covered_by


@pytest.mark.parametrize("draw", [1, 3])
def test_a_card_played_leaves_the_others_in_order_and_the_waste_one_lower(draw: int) -> None:
    chance, talons = Random(draw), Talons(draw)
    talon = talons.get(bytes(range(34)), 0)
    while talon.cards:
        index = chance.randrange(len(talon.cards))
        card, height = talon.cards[index], talon.heights[index]

        after = talons.without(talon, index)

        assert after is talons.get(talon.order.replace(bytes([card]), b""), height - 1)
        assert after is talons.without(talon, index)
        talon = after


def test_each_order_has_a_key_of_its_own() -> None:
    talons = Talons(3)
    found: list[Talon] = [talons.get(order, 0) for order in (b"\1\2", b"\2\1", b"\1", b"")]

    assert len({talon.key for talon in found}) == 4
