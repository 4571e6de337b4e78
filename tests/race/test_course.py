from datetime import datetime, timedelta
from typing import get_args

import pytest

from server.game import Board, GameCode
from server.race.course import GRACE, IDLE_AFTER
from server.race.errors import (
    WrongState,
)
from server.race.events import (
    Cancelled,
    Countdown,
    Finished,
    Started,
)
from server.race.instants import instant
from server.race.states import OVER, RoomState
from tests.race.builders import (
    ANA,
    BO,
    CY,
    DI,
    NONCE,
    OPEN_CODE,
    OPENED,
    a_room,
    a_room_in,
    after,
    end_game,
    everything,
    refused,
)

STATES: list[RoomState] = list(get_args(RoomState))
BEFORE_THE_RACE: list[RoomState] = ["open", "countdown"]
NOT_BEFORE_THE_RACE: list[RoomState] = ["racing", "finished", "cancelled"]


# What time does


def test_the_race_starts_when_the_countdown_is_over() -> None:
    room = a_room_in("countdown")

    assert room.due_at == after(14)
    assert room.advance(at=after(13.999)) == []
    events = room.advance(at=after(14))

    assert events == [
        Started(
            started_at=instant(after(14)),
            ends_at=instant(after(914)),
            code=OPEN_CODE,
            nonce=NONCE,
        )
    ]
    assert (room.state, room.started_at, room.ends_at) == ("racing", after(14), after(914))


def test_a_start_takes_effect_at_its_instant_however_late_it_is_processed() -> None:
    room = a_room_in("countdown")

    room.advance(at=after(1000))

    assert (room.started_at, room.ends_at, room.last_event_at) == (after(14), after(914), after(14))


def test_at_the_start_everyone_stands_where_the_deal_does() -> None:
    room = a_room_in("racing", ruleset="CH1")

    start = Board.deal(GameCode.parse(str(room.deal.code)))
    assert [(s.state, s.placed, s.score, s.ply) for s in room.seats] == [
        ("racing", start.placed, start.score, 0)
    ] * 2


def test_a_room_with_a_time_counts_down_before_it_and_starts_at_it() -> None:
    room = a_room(start="at", start_at=after(600), countdown_s=10)

    assert room.due_at == after(590)
    assert room.advance(at=after(589.999)) == []
    assert room.advance(at=after(590)) == [Countdown(starts_at=instant(after(600)))]
    assert room.due_at == after(600)
    room.advance(at=after(600))
    assert (room.state, room.started_at) == ("racing", after(600))


def test_a_room_with_a_time_that_is_looked_at_late_has_started_at_its_time() -> None:
    room = a_room(start="at", start_at=after(600), countdown_s=10)

    events = room.advance(at=after(700))

    assert [type(event) for event in events] == [Countdown, Started]
    assert (room.starts_at, room.started_at, room.version) == (after(600), after(600), 3)


def test_a_time_nearer_than_the_countdown_is_kept() -> None:
    room = a_room(start="at", start_at=after(3), countdown_s=60)

    room.advance(at=OPENED)

    assert (room.state, room.starts_at, room.last_event_at) == ("countdown", after(3), OPENED)


def test_a_room_that_nobody_starts_is_cancelled_at_the_instant_it_was_due() -> None:
    room = a_room(players=2)
    due_at = after(1) + IDLE_AFTER

    assert room.due_at == due_at
    assert not room.is_due(due_at - timedelta(milliseconds=1))
    assert room.advance(at=due_at + timedelta(hours=3)) == [Cancelled(reason="idle")]
    assert (room.state, room.last_event_at) == ("cancelled", due_at)


def test_every_event_gives_a_room_half_an_hour_more() -> None:
    room = a_room(players=2)

    room.set_ready(BO, ready=True, at=after(1000))

    assert room.due_at == after(1000) + IDLE_AFTER


def test_a_room_with_a_time_days_ahead_is_not_idle() -> None:
    room = a_room(start="at", start_at=after(86_400))

    assert room.advance(at=after(86_000)) == []
    assert room.state == "open"


def test_a_race_is_due_a_moment_after_its_end_or_when_nobody_races_any_more() -> None:
    room = a_room(players=2, racing=True)

    assert room.ends_at is not None
    assert room.due_at == room.ends_at + GRACE
    end_game(room, ANA)
    assert room.due_at == room.ends_at + GRACE
    end_game(room, BO)
    assert room.due_at == room.last_event_at


def test_time_alone_does_not_finish_a_race() -> None:
    room = a_room(racing=True)
    before = everything(room)

    assert room.advance(at=after(5000)) == []
    assert everything(room) == before


@pytest.mark.parametrize("state", sorted(OVER))
def test_nothing_is_ever_due_in_a_room_that_is_over(state: RoomState) -> None:
    room = a_room_in(state)
    before = everything(room)

    assert room.due_at is None
    assert not room.is_due(after(10**7))
    assert room.advance(at=after(10**7)) == []
    assert everything(room) == before


# Finishing


def test_a_race_finishes_with_ranks_at_the_instant_the_last_game_ended() -> None:
    room = a_room(players=4, racing=True)
    end_game(room, ANA, "won", elapsed_s=300, placed=52, at_ms=300_000)
    end_game(room, BO, "resigned", elapsed_s=400, placed=9, at_ms=100_000, ply=70)
    end_game(room, CY, "resigned", elapsed_s=350, placed=9, at_ms=100_000, ply=70)
    end_game(room, DI, "resigned", elapsed_s=100, placed=9, at_ms=100_000, ply=71)

    [event] = room.finish()

    assert isinstance(event, Finished)
    assert (room.state, room.finished_at, room.due_at) == ("finished", after(410), None)
    assert (event.finished_at, event.code, event.nonce) == (instant(after(410)), OPEN_CODE, NONCE)
    assert [seat.player for seat in room.seats] == [ANA, BO, CY, DI]
    assert [seat.rank for seat in room.seats] == [1, 2, 2, 4]
    assert event.standings == room.standings()


def test_a_race_that_ran_out_of_time_finishes_at_its_end() -> None:
    room = a_room_in("finished")

    assert room.finished_at == room.ends_at


def test_ranks_are_written_to_the_seats_they_belong_to() -> None:
    room = a_room(players=3, racing=True)
    for player, placed in ((ANA, 3), (BO, 30), (CY, 12)):
        end_game(room, player, placed=placed)

    room.finish()

    assert {seat.player: seat.rank for seat in room.seats} == {ANA: 3, BO: 1, CY: 2}


def test_a_race_does_not_finish_while_someone_races() -> None:
    room = a_room(players=2, racing=True)
    end_game(room, ANA, "won")

    with refused(room, WrongState):
        room.finish()


@pytest.mark.parametrize("state", ["open", "countdown", "finished", "cancelled"])
def test_only_a_race_that_is_on_finishes(state: RoomState) -> None:
    room = a_room_in(state)

    with refused(room, WrongState) as refusal:
        room.finish()
    assert refusal.value.state == state


def test_time_told_to_a_room_never_goes_back() -> None:
    room = a_room(players=2)
    earlier: datetime = after(-30)

    room.set_ready(BO, ready=True, at=earlier)

    assert room.last_event_at == after(1)
