from typing import Any

import pytest

from server.live.scoreboard import Scoreboard, how_far
from server.race.player import Player
from server.race.room import Room
from tests.race.builders import ANA, BO, CY, a_room, a_room_in, after, an_entry, race


def a_board(room: Room) -> Scoreboard:
    board = Scoreboard()
    board.open(room)
    return board


def standing(board: Scoreboard, room: Room, player: Player = ANA) -> tuple[int, int, str]:
    found = next(s for s in board.standings(room) if s.player.id == player.id)
    return (found.actions, found.placed, found.state)


def untold(board: Scoreboard, room: Room) -> list[tuple[str, int]]:
    return [(entry.player.id, entry.actions) for entry in board.take_untold(room)]


def test_of_two_entries_the_one_with_more_actions_holds() -> None:
    room = a_room(players=2, racing=True)
    board = a_board(room)

    board.fold([an_entry(actions=5, placed=3)])
    board.fold([an_entry(actions=4, placed=9)])
    assert standing(board, room) == (5, 3, "racing")

    board.fold([an_entry(actions=6, placed=2)])
    assert standing(board, room) == (6, 2, "racing")


def test_an_end_holds_against_the_race_it_ended() -> None:
    room = a_room(players=2, racing=True)
    board = a_board(room)

    board.fold([an_entry(actions=5, state="resigned")])
    board.fold([an_entry(actions=5)])

    assert standing(board, room) == (5, 1, "resigned")


def test_what_is_stored_holds_once_it_is_further_on() -> None:
    room = a_room(players=2, racing=True)
    board = a_board(room)
    board.fold([an_entry(actions=5, placed=3)])

    room.seats[0].ply, room.seats[0].placed = 7, 4

    assert standing(board, room) == (7, 4, "racing")


def test_what_is_stored_holds_against_what_is_only_as_far() -> None:
    room = a_room(players=2)
    board = a_board(room)
    board.fold([an_entry(state="ready", placed=0)])

    room.seats[0].state = "joined"
    board.open(room)

    assert standing(board, room) == (0, 0, "joined")


def test_standings_show_the_present_name() -> None:
    room = a_room(players=2, racing=True)
    board = a_board(room)
    board.fold([an_entry(actions=5)])

    room.rename(Player(ANA.id, "Anna", "human"), at=after(30))

    assert [s.player.name for s in board.standings(room)] == ["Bo", "Anna"]
    assert [entry.player.name for entry in board.take_untold(room)] == ["Anna"]


def test_everything_of_an_entry_is_shown_as_it_was_last_heard() -> None:
    room = a_room(players=1, racing=True)
    board = a_board(room)
    entry = an_entry(actions=9, placed=7, score=-15, at_ms=4321)

    board.fold([entry])

    assert board.entries(room) == [entry]


def test_an_entry_of_a_player_who_left_does_not_come_back_with_him() -> None:
    room = a_room(players=2)
    board = a_board(room)
    board.fold([an_entry(BO, actions=3)])

    board.forget(BO.id)
    board.forget(CY.id)

    assert standing(board, room, BO) == (0, 0, "joined")
    assert untold(board, room) == []


def test_progress_is_actions_then_the_race_then_its_end() -> None:
    stages: list[dict[str, Any]] = [
        {"actions": 0, "state": "joined"},
        {"actions": 0, "state": "racing"},
        {"actions": 0, "state": "resigned"},
        {"actions": 1, "state": "racing"},
        {"actions": 1, "state": "won"},
    ]

    order = [how_far(an_entry(**stage)) for stage in stages]

    assert order == sorted(set(order))


def test_what_is_new_is_to_be_told_in_the_order_of_the_seats_and_once() -> None:
    room = a_room(players=3, racing=True)
    board = a_board(room)

    board.fold([an_entry(CY, actions=1), an_entry(ANA, actions=1)])
    board.fold([an_entry(ANA, actions=2)])

    assert untold(board, room) == [(ANA.id, 2), (CY.id, 1)]
    assert untold(board, room) == []


@pytest.mark.parametrize("actions", [5, 4])
def test_what_is_known_already_is_not_to_be_told(actions: int) -> None:
    room = a_room(players=2, racing=True)
    board = a_board(room)
    board.fold([an_entry(actions=5)])
    untold(board, room)

    board.fold([an_entry(actions=actions)])

    assert untold(board, room) == []


def test_in_a_race_what_a_room_is_told_with_is_known_already() -> None:
    room = a_room(players=2, racing=True)
    room.seats[0].ply = 5
    board = a_board(room)

    board.fold([seat.entry for seat in room.seats])

    assert untold(board, room) == []


def test_before_the_race_nothing_is_known_and_with_its_start_everyone_is_to_be_told() -> None:
    room = a_room(players=2)
    board = a_board(room)
    race(room)

    board.fold([seat.entry for seat in room.seats])

    assert untold(board, room) == [(ANA.id, 0), (BO.id, 0)]


def test_everything_may_have_been_told_in_another_way() -> None:
    room = a_room(players=2, racing=True)
    board = a_board(room)
    board.fold([an_entry(BO, actions=2)])

    board.all_told()
    assert untold(board, room) == []
    assert standing(board, room, BO) == (2, 1, "racing")


def test_a_room_begun_with_anew_is_as_it_is_there() -> None:
    room = a_room(players=2, racing=True)
    board = a_board(room)
    board.fold([an_entry(actions=50)])

    board.open(room)

    assert standing(board, room) == (0, 1, "racing")
    assert untold(board, room) == []


def test_a_finished_rooms_standings_are_the_stored_ones() -> None:
    room = a_room_in("finished")

    assert a_board(room).standings(room) == room.standings()
