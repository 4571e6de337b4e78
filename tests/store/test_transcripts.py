from hypothesis import given
from hypothesis import strategies as st

from server.race.plays import Action
from server.store.transcripts import pack, unpack

MOVES = st.sampled_from(["d", "u", "12", "24x13", "rf", "w4", "f1"])


@given(st.lists(st.tuples(MOVES, st.integers(0, 10_000)), max_size=50))
def test_what_was_packed_is_unpacked(steps: list[tuple[str, int]]) -> None:
    log, elapsed_ms = [], 0
    for move, wait_ms in steps:
        elapsed_ms += wait_ms
        log.append(Action(move, elapsed_ms))

    assert unpack(pack(log)) == log


def test_a_game_without_actions_is_packed_as_nothing() -> None:
    assert pack([]) == ""
    assert unpack("") == []


def test_a_transcript_is_small() -> None:
    log = [Action("24x2", 900_000 + 750 * n) for n in range(1000)]

    assert len(pack(log)) < 10 * len(log)
