import pytest

from server.race.seat import Seat
from server.race.states import PlayerState
from tests.race.builders import ANA, OPENED, an_entry


@pytest.mark.parametrize(
    ("state", "ended"),
    [
        ("joined", False),
        ("ready", False),
        ("racing", False),
        ("won", True),
        ("resigned", True),
        ("out_of_time", True),
    ],
)
def test_a_seat_has_ended_with_its_game(state: PlayerState, ended: bool) -> None:
    assert Seat(game_id="g", player=ANA, joined_at=OPENED, state=state).ended is ended


def test_a_seat_is_a_line_of_the_standings_with_a_ply_for_every_action() -> None:
    seat = Seat(game_id="g", player=ANA, joined_at=OPENED, state="won")
    seat.ply, seat.placed, seat.score, seat.at_ms = 160, 52, 260, 91_000

    line = an_entry(ANA, state="won", placed=52, score=260, actions=160, at_ms=91_000)
    assert seat.entry == line


def test_a_new_seat_stands_at_nothing() -> None:
    seat = Seat(game_id="g", player=ANA, joined_at=OPENED)

    assert seat.entry == an_entry(ANA, state="joined", placed=0)
    assert (seat.ended_at, seat.rank) == (None, None)
