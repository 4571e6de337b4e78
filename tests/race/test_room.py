from typing import get_args

import msgspec
import pytest

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
from server.race.room import Change, Room
from server.race.states import RoomState
from tests.race.builders import (
    ANA,
    BO,
    CY,
    OPENED,
    STRANGER,
    a_room,
    a_room_in,
    after,
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


def test_a_room_is_kept_whole_when_it_is_written_down() -> None:
    told = msgspec.json.decode(everything(a_room_in("finished")))

    assert set(told) == set(Room.__struct_fields__)


# Changes


def a_change() -> Change:
    """A room that came from version 2 to 5."""
    room = a_room(players=2)
    events = [
        *room.join(CY, game_id="g_cy", at=after(5)),
        *room.leave(CY, at=after(6)),
        *room.start(ANA, at=after(7)),
    ]
    return Change(room, [*events])


@pytest.mark.parametrize("version", [2, 3, 4, 5, 6, 99])
def test_a_change_gives_each_event_after_a_version_with_its_own(version: int) -> None:
    change = a_change()

    since = change.since(version)

    assert change.before == 2
    assert since == [*enumerate(change.events, start=3)][version - 2 :]


@pytest.mark.parametrize("version", [1, 0, -1])
def test_a_change_gives_nothing_where_events_before_it_are_missing(version: int) -> None:
    assert a_change().since(version) is None


def test_a_change_without_events_is_the_room_as_it_is() -> None:
    room = a_room(players=2)
    change = Change(room, [])

    assert (change.before, change.since(2), change.since(1)) == (2, [], None)
