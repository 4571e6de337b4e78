from hypothesis import given
from hypothesis import strategies as st

from server.live.messages import MOST_PRECISE
from server.live.offsets import STEP, Place, place_of

VERSIONS = st.integers(min_value=0, max_value=2**21 - 1)
TICKS = st.integers(min_value=0, max_value=STEP - 1)
PLACES = st.builds(Place, version=VERSIONS, tick=TICKS)

LONGEST_RACE_MS = 2 * 60 * 60 * 1000


@given(PLACES)
def test_an_offset_says_the_place_it_was_made_of(place: Place) -> None:
    assert place_of(place.offset) == place


@given(PLACES, PLACES)
def test_offsets_are_in_the_order_of_places(one: Place, other: Place) -> None:
    assert (one < other) == (one.offset < other.offset)


@given(PLACES)
def test_every_json_reader_counts_offsets_exactly(place: Place) -> None:
    assert 0 <= place.offset < MOST_PRECISE
    assert int(float(place.offset)) == place.offset


@given(st.integers(max_value=-1))
def test_what_is_below_zero_is_of_no_version_that_there_is(offset: int) -> None:
    assert place_of(offset).version < 0


def test_no_race_is_so_long_that_its_ticks_run_into_the_next_version() -> None:
    assert 100 * LONGEST_RACE_MS < STEP
