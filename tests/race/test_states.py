from typing import get_args

from server.race.states import ENDED, OVER, ROOM, STARTED, WAITING, PlayerState, RoomState, Verb


def test_the_table_has_every_state_and_leads_only_to_states() -> None:
    states = set(get_args(RoomState))

    assert set(ROOM) == states
    assert {after for row in ROOM.values() for after in row.values()} <= states


def test_every_verb_may_be_done_somewhere_and_the_table_has_no_other() -> None:
    assert {verb for row in ROOM.values() for verb in row} == set(get_args(Verb))


def test_every_state_can_be_reached_from_an_open_room() -> None:
    reached: set[RoomState] = set()
    front: set[RoomState] = {"open"}
    while front:
        reached |= front
        front = {after for state in front for after in ROOM[state].values()} - reached

    assert reached == set(get_args(RoomState))


def test_a_room_never_comes_back_to_a_state_it_has_left() -> None:
    order: list[RoomState] = ["open", "countdown", "racing", "finished", "cancelled"]

    for state, row in ROOM.items():
        assert all(order.index(after) >= order.index(state) for after in row.values())


def test_every_room_state_lies_before_the_race_or_has_started_or_is_over() -> None:
    assert set(get_args(RoomState)) == WAITING | STARTED | OVER
    assert not WAITING & (STARTED | OVER)
    assert {"finished"} == STARTED & OVER


def test_what_is_over_leads_nowhere_else() -> None:
    for state in OVER:
        assert set(ROOM[state].values()) <= {state}


def test_a_player_has_ended_unless_waiting_or_racing() -> None:
    assert set(get_args(PlayerState)) - ENDED == {"joined", "ready", "racing"}
