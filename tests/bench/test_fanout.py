"""A move's delay is counted to the last of all sockets, never less."""

import pytest

from tests.bench.crowd import Told, actions_in
from tests.bench.fanout import Commit, delays_ms


def told(actions: int, *, sockets: int = 2, last_s: float) -> Told:
    return Told(actions={"p": actions}, sockets=sockets, last_s=last_s)


def test_a_move_has_arrived_when_the_last_socket_has_the_first_frame_that_tells_it() -> None:
    frames = [told(1, last_s=10.1), told(3, last_s=10.2), told(4, last_s=10.3)]
    commits = [Commit("p", 2, at_s=10.0), Commit("p", 3, at_s=10.1)]

    assert delays_ms(commits, frames, sockets=2) == pytest.approx([200, 100])


def test_a_frame_that_some_sockets_did_not_get_counts_for_none() -> None:
    frames = [told(1, sockets=1, last_s=10.1), told(2, last_s=10.4)]

    assert delays_ms([Commit("p", 1, at_s=10.0)], frames, sockets=2) == pytest.approx([400])


def test_there_is_no_delay_to_tell_while_a_move_has_not_reached_everyone() -> None:
    commits = [Commit("p", 1, at_s=10.0), Commit("p", 2, at_s=10.0)]

    assert delays_ms(commits, [told(1, last_s=10.1)], sockets=2) is None


def test_standings_tell_how_far_each_player_is() -> None:
    frame = b'{"type":"standings","entries":[{"player":{"id":"p_1"},"actions":7,"placed":2}]}'

    assert actions_in(frame) == {"p_1": 7}
