from datetime import datetime, timedelta
from typing import get_args

import msgspec
import pytest

from server.game import Board, GameCode
from server.race.errors import (
    Invalid,
    Kicked,
    NotAPlayer,
    NotFound,
    NotHost,
    RaceError,
    RoomFull,
    WrongState,
)
from server.race.events import (
    Cancelled,
    Countdown,
    Finished,
    Joined,
    Left,
    PlayerKicked,
    ReadyChanged,
    RematchOpened,
    Renamed,
    Started,
)
from server.race.instants import instant
from server.race.player import Player
from server.race.room import GRACE, IDLE_AFTER, Room
from server.race.states import OVER, RoomState
from tests.race.builders import (
    ANA,
    BO,
    CY,
    DI,
    NONCE,
    OPEN_CODE,
    OPENED,
    STRANGER,
    a_room,
    a_room_in,
    after,
    end_game,
    everything,
    refused,
    settings_for,
)

STATES: list[RoomState] = list(get_args(RoomState))
BEFORE_THE_RACE: list[RoomState] = ["open", "countdown"]
NOT_BEFORE_THE_RACE: list[RoomState] = ["racing", "finished", "cancelled"]


# Opening and joining


def test_the_creator_is_host_and_first_player() -> None:
    room = a_room()

    assert (room.state, room.version, room.host) == ("open", 1, ANA)
    assert [(s.player, s.game_id, s.state) for s in room.seats] == [(ANA, "g_ana", "joined")]


def test_players_sit_in_the_order_of_joining() -> None:
    room = a_room(players=2)

    events = room.join(CY, game_id="g_cy", at=after(9))

    assert events == [Joined(player=CY)]
    assert [seat.player for seat in room.seats] == [ANA, BO, CY]
    assert (room.seats[2].joined_at, room.version, room.last_event_at) == (after(9), 3, after(9))


def test_one_may_join_during_the_countdown() -> None:
    room = a_room_in("countdown")

    assert room.join(CY, game_id="g_cy", at=after(10)) == [Joined(player=CY)]
    room.advance(at=after(14))
    assert [seat.state for seat in room.seats] == ["racing"] * 3


@pytest.mark.parametrize("state", STATES)
def test_joining_again_changes_nothing_in_any_state(state: RoomState) -> None:
    room = a_room_in(state)
    before = everything(room)

    assert room.join(BO, game_id="g_other", at=after(20)) == []
    assert everything(room) == before


def test_a_full_room_takes_nobody_else() -> None:
    room = a_room(players=2, seats=2)

    with refused(room, RoomFull):
        room.join(CY, game_id="g_cy", at=after(9))


@pytest.mark.parametrize("state", NOT_BEFORE_THE_RACE)
def test_nobody_joins_once_the_race_is_on_or_over(state: RoomState) -> None:
    room = a_room_in(state)

    with refused(room, WrongState) as refusal:
        room.join(CY, game_id="g_cy", at=after(20))
    assert refusal.value.state == state


# Leaving


def test_who_leaves_gives_up_the_seat() -> None:
    room = a_room(players=3)

    assert room.leave(BO, at=after(9)) == [Left(player=BO, host=ANA)]
    assert [seat.player for seat in room.seats] == [ANA, CY]


def test_when_the_host_leaves_the_longest_joined_player_is_host() -> None:
    room = a_room(players=3)

    assert room.leave(ANA, at=after(9)) == [Left(player=ANA, host=BO)]
    assert room.leave(BO, at=after(10)) == [Left(player=BO, host=CY)]


def test_a_host_who_comes_back_is_the_last_in_line() -> None:
    room = a_room(players=2)
    room.leave(ANA, at=after(9))

    room.join(ANA, game_id="g_ana2", at=after(10))

    assert room.host == BO
    assert [seat.game_id for seat in room.seats] == ["g_bo", "g_ana2"]


@pytest.mark.parametrize("start", ["host", "ready", "at"])
def test_a_room_that_everyone_left_is_cancelled(start: str) -> None:
    room = a_room(start=start, start_at=after(600) if start == "at" else None)

    assert room.leave(ANA, at=after(9)) == [Left(player=ANA, host=None), Cancelled(reason="empty")]
    assert (room.state, room.host, room.due_at) == ("cancelled", None, None)


def test_a_countdown_that_everyone_left_is_cancelled() -> None:
    room = a_room()
    room.start(ANA, at=after(5))

    assert room.leave(ANA, at=after(6))[1:] == [Cancelled(reason="empty")]


@pytest.mark.parametrize("state", STATES)
def test_leaving_a_room_one_is_not_in_changes_nothing(state: RoomState) -> None:
    room = a_room_in(state)
    before = everything(room)

    assert room.leave(STRANGER, at=after(20)) == []
    assert everything(room) == before


@pytest.mark.parametrize("state", NOT_BEFORE_THE_RACE)
def test_nobody_leaves_once_the_race_is_on_or_over(state: RoomState) -> None:
    room = a_room_in(state)

    with refused(room, WrongState) as refusal:
        room.leave(BO, at=after(20))
    assert refusal.value.state == state


# Being ready


def test_who_is_ready_may_not_be_any_more() -> None:
    room = a_room(players=2)

    assert room.set_ready(BO, ready=True, at=after(3)) == [ReadyChanged(player=BO, ready=True)]
    assert [seat.state for seat in room.seats] == ["joined", "ready"]
    assert room.set_ready(BO, ready=False, at=after(4)) == [ReadyChanged(player=BO, ready=False)]
    assert [seat.state for seat in room.seats] == ["joined", "joined"]


@pytest.mark.parametrize("ready", [True, False])
def test_saying_ready_again_changes_nothing(ready: bool) -> None:
    room = a_room(players=2)
    if ready:
        room.set_ready(BO, ready=True, at=after(3))
    before = everything(room)

    assert room.set_ready(BO, ready=ready, at=after(4)) == []
    assert everything(room) == before


def test_a_ready_room_starts_when_everyone_is_ready() -> None:
    room = a_room(players=2, start="ready")
    room.set_ready(ANA, ready=True, at=after(3))

    events = room.set_ready(BO, ready=True, at=after(4))

    assert events == [ReadyChanged(player=BO, ready=True), Countdown(starts_at=instant(after(9)))]
    assert room.state == "countdown"


def test_a_ready_room_of_one_starts_when_that_one_is_ready() -> None:
    room = a_room(start="ready")

    room.set_ready(ANA, ready=True, at=after(4))

    assert room.state == "countdown"


@pytest.mark.parametrize("how", ["leave", "kick"])
def test_a_ready_room_starts_when_the_last_one_not_ready_goes(how: str) -> None:
    room = a_room(players=2, start="ready")
    room.set_ready(ANA, ready=True, at=after(3))

    if how == "leave":
        room.leave(BO, at=after(4))
    else:
        room.kick(ANA, target_id=BO.id, at=after(4))

    assert (room.state, room.starts_at) == ("countdown", after(9))


@pytest.mark.parametrize("start", ["host", "at"])
def test_ready_starts_nothing_in_a_room_that_starts_otherwise(start: str) -> None:
    room = a_room(start=start, start_at=after(600) if start == "at" else None)

    room.set_ready(ANA, ready=True, at=after(4))

    assert room.state == "open"


def test_who_has_not_joined_is_not_ready() -> None:
    room = a_room()

    with refused(room, NotAPlayer):
        room.set_ready(STRANGER, ready=True, at=after(4))


@pytest.mark.parametrize("state", ["countdown", "racing", "finished", "cancelled"])
@pytest.mark.parametrize("ready", [True, False])
def test_ready_is_said_before_the_countdown_only(state: RoomState, ready: bool) -> None:
    room = a_room_in(state)
    if state in ("countdown", "cancelled") and not ready:
        room.seats[1].state = "ready"

    with refused(room, WrongState) as refusal:
        room.set_ready(BO, ready=ready, at=after(20))
    assert refusal.value.state == state


def test_ready_said_again_during_the_countdown_succeeds() -> None:
    room = a_room(start="ready")
    room.set_ready(ANA, ready=True, at=after(4))

    assert room.set_ready(ANA, ready=True, at=after(5)) == []


# Starting


def test_the_host_starts_the_countdown() -> None:
    room = a_room(players=2, countdown_s=7)

    assert room.start(ANA, at=after(5)) == [Countdown(starts_at=instant(after(12)))]
    assert (room.state, room.starts_at, room.started_at) == ("countdown", after(12), None)


def test_one_player_may_start() -> None:
    room = a_room()

    room.start(ANA, at=after(5))

    assert room.state == "countdown"


def test_without_a_countdown_the_race_is_on_at_once() -> None:
    room = a_room(countdown_s=0)

    events = room.start(ANA, at=after(5))

    assert [type(event) for event in events] == [Countdown, Started]
    assert (room.state, room.started_at, room.version) == ("racing", after(5), 3)


@pytest.mark.parametrize("state", ["countdown", "racing"])
def test_starting_again_changes_nothing(state: RoomState) -> None:
    room = a_room_in(state)
    before = everything(room)

    assert room.start(ANA, at=after(20)) == []
    assert everything(room) == before


@pytest.mark.parametrize("state", ["finished", "cancelled"])
def test_a_room_that_is_over_does_not_start(state: RoomState) -> None:
    room = a_room_in(state)

    with refused(room, WrongState) as refusal:
        room.start(ANA, at=after(20))
    assert refusal.value.state == state


@pytest.mark.parametrize("player", [BO, STRANGER])
def test_only_the_host_starts(player: Player) -> None:
    room = a_room(players=2)

    with refused(room, NotHost):
        room.start(player, at=after(5))


def test_a_room_that_starts_at_its_time_is_not_started_by_its_host() -> None:
    room = a_room(start="at", start_at=after(600))

    with refused(room, WrongState) as refusal:
        room.start(ANA, at=after(5))
    assert refusal.value.state == "open"
    assert instant(after(600)) in refusal.value.detail


def test_a_cancelled_room_with_a_time_does_not_say_that_it_starts_by_itself() -> None:
    room = a_room(start="at", start_at=after(600))
    room.cancel(ANA, at=after(5))

    with refused(room, WrongState) as refusal:
        room.start(ANA, at=after(6))
    assert "by itself" not in refusal.value.detail


def test_the_host_may_start_a_ready_room_sooner() -> None:
    room = a_room(players=2, start="ready")

    room.start(ANA, at=after(5))

    assert room.state == "countdown"


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


# Cancelling and kicking


@pytest.mark.parametrize("state", BEFORE_THE_RACE)
def test_the_host_calls_the_race_off(state: RoomState) -> None:
    room = a_room_in(state)

    assert room.cancel(ANA, at=after(10)) == [Cancelled(reason="host")]
    assert room.state == "cancelled"
    assert room.cancel(ANA, at=after(11)) == []


@pytest.mark.parametrize("state", ["racing", "finished"])
def test_a_race_that_has_started_is_not_called_off(state: RoomState) -> None:
    room = a_room_in(state)

    with refused(room, WrongState) as refusal:
        room.cancel(ANA, at=after(20))
    assert refusal.value.state == state


@pytest.mark.parametrize("player", [BO, STRANGER])
def test_only_the_host_cancels(player: Player) -> None:
    room = a_room(players=2)

    with refused(room, NotHost):
        room.cancel(player, at=after(5))


@pytest.mark.parametrize("state", BEFORE_THE_RACE)
def test_who_is_kicked_cannot_come_back(state: RoomState) -> None:
    room = a_room_in(state)

    assert room.kick(ANA, target_id=BO.id, at=after(10)) == [PlayerKicked(player=BO)]
    assert [seat.player for seat in room.seats] == [ANA]
    with refused(room, Kicked):
        room.join(BO, game_id="g_bo2", at=after(11))


def test_kicking_somebody_again_changes_nothing() -> None:
    room = a_room(players=2)
    room.kick(ANA, target_id=BO.id, at=after(5))
    before = everything(room)

    assert room.kick(ANA, target_id=BO.id, at=after(6)) == []
    assert everything(room) == before


@pytest.mark.parametrize(
    ("player", "target", "error"),
    [
        (BO, CY, NotHost),
        (STRANGER, CY, NotHost),
        (BO, BO, NotHost),
        (ANA, ANA, Invalid),
        (ANA, STRANGER, NotFound),
    ],
)
def test_a_kick_that_may_not_be_is_refused(
    player: Player, target: Player, error: type[RaceError]
) -> None:
    room = a_room(players=3)

    with refused(room, error):
        room.kick(player, target_id=target.id, at=after(5))


@pytest.mark.parametrize("state", NOT_BEFORE_THE_RACE)
def test_nobody_is_kicked_once_the_race_is_on_or_over(state: RoomState) -> None:
    room = a_room_in(state)

    with refused(room, WrongState) as refusal:
        room.kick(ANA, target_id=BO.id, at=after(20))
    assert refusal.value.state == state


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


# Rematch and names


def test_everyone_who_asks_gets_the_same_next_room() -> None:
    room = a_room_in("finished")

    assert room.open_rematch(BO, room_id="r_2", at=after(1000)) == [RematchOpened(room="r_2")]
    assert room.open_rematch(ANA, room_id="r_3", at=after(1001)) == []
    assert (room.rematch, room.state) == ("r_2", "finished")


def test_a_rematch_is_for_those_who_were_in_the_race() -> None:
    room = a_room_in("finished")

    with refused(room, NotAPlayer):
        room.open_rematch(STRANGER, room_id="r_2", at=after(1000))


@pytest.mark.parametrize("state", ["open", "countdown", "racing", "cancelled"])
def test_a_rematch_is_for_a_race_that_was_run(state: RoomState) -> None:
    room = a_room_in(state)

    with refused(room, WrongState) as refusal:
        room.open_rematch(BO, room_id="r_2", at=after(20))
    assert refusal.value.state == state


def test_a_new_name_is_told_and_seen_in_the_standings() -> None:
    room = a_room(players=2)
    anna = Player(id=ANA.id, name="Anna", kind="human")

    assert room.rename(anna, at=after(5)) == [Renamed(player=anna)]
    assert room.host == anna
    assert anna in [standing.player for standing in room.standings()]


def test_a_new_name_of_somebody_elsewhere_changes_nothing() -> None:
    room = a_room()
    before = everything(room)

    assert room.rename(STRANGER, at=after(5)) == []
    assert everything(room) == before


def test_no_two_rooms_share_their_seats() -> None:
    one, other = (
        Room(
            id=name,
            settings=settings_for(),
            deal=a_room().deal,
            code_is_known=False,
            created_at=OPENED,
            last_event_at=OPENED,
        )
        for name in ("r_1", "r_2")
    )

    one.join(ANA, game_id="g", at=OPENED)

    assert other.seats == []


def test_time_told_to_a_room_never_goes_back() -> None:
    room = a_room(players=2)
    earlier: datetime = after(-30)

    room.set_ready(BO, ready=True, at=earlier)

    assert room.last_event_at == after(1)


def test_a_room_is_kept_whole_when_it_is_written_down() -> None:
    told = msgspec.json.decode(everything(a_room_in("finished")))

    assert set(told) == set(Room.__struct_fields__)
