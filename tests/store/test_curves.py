from hypothesis import given
from hypothesis import strategies as st

from server.store.curves import pack, unpack


@given(st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 52)), max_size=50))
def test_what_was_packed_is_unpacked(steps: list[tuple[int, int]]) -> None:
    points, elapsed_ms = [], 0
    for wait_ms, placed in steps:
        elapsed_ms += wait_ms
        points.append((elapsed_ms, placed))

    assert unpack(pack(points)) == points


def test_a_game_in_which_nothing_was_placed_has_its_start_only() -> None:
    assert pack([(0, 1)]) == "1@0"
