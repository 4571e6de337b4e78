"""The daily as a room: whom it takes and when, and when it finishes; without a database."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.game import Board
from server.race.course import GRACE
from server.race.daily import (
    ATTEMPT_S,
    LATECOMERS,
    SHOWN,
    Daily,
    day_of,
    start_of,
)
from server.race.errors import DailyOver, NotInADaily, RaceError, WrongState
from server.race.events import Cancelled, Countdown, Finished, Renamed, RoomEvent, Started
from server.race.instants import instant
from server.race.player import Player
from server.race.seat import Seat
from server.race.states import OVER, RoomState
from server.race.views import view_room
from tests.race.builders import ANA, BO, CY, STRANGER, TODAY, a_daily, everything, refused

MS = timedelta(milliseconds=1)
LEAP_DAY = date(2028, 2, 29)
OPENS, CLOSES = a_daily().opens_at, a_daily().closes_at


def a_daily_in(state: RoomState) -> Daily:
    """A daily in a state, come to it as dailies do."""
    daily = a_daily(racing=state in ("racing", "finished"))
    if state == "finished":
        daily.finish()
    if state == "cancelled":
        daily.withdraw(at=OPENS - MS)
    assert daily.state == state
    return daily


def with_seats(daily: Daily, *seats: Seat) -> Daily:
    """The daily as it is read when these have joined."""
    daily.seats = list(seats)
    daily.entrants = len(seats)
    daily.racing = sum(not seat.ended for seat in seats)
    daily.last_ended_at = max((seat.ended_at for seat in seats if seat.ended_at), default=None)
    return daily


def an_ended_seat(player: Player, *, ended_at: datetime, placed: int = 1) -> Seat:
    seat = a_daily(racing=True).admit(player, game_id=f"g_{player.name}", at=OPENS)
    seat.state, seat.ended_at, seat.placed = "resigned", ended_at, placed
    return seat


# The day


@pytest.mark.parametrize(
    ("at", "day"),
    [
        (datetime(2026, 11, 29, tzinfo=UTC), date(2026, 11, 29)),
        (datetime(2026, 11, 29, 23, 59, 59, 999_000, tzinfo=UTC), date(2026, 11, 29)),
        (datetime(2026, 11, 30, tzinfo=UTC), date(2026, 11, 30)),
        (datetime(2026, 11, 30, 1, tzinfo=timezone(timedelta(hours=2))), date(2026, 11, 29)),
        (datetime(2028, 2, 29, 23, 59, tzinfo=UTC), LEAP_DAY),
        (datetime(2028, 3, 1, tzinfo=UTC), date(2028, 3, 1)),
    ],
)
def test_a_day_is_that_of_utc_from_midnight_to_midnight(at: datetime, day: date) -> None:
    assert day_of(at) == day


@given(st.dates(min_value=date(2020, 1, 1), max_value=date(2100, 1, 1)))
def test_a_day_begins_at_the_first_instant_that_is_of_it(day: date) -> None:
    assert day_of(start_of(day)) == day
    assert day_of(start_of(day) - timedelta(microseconds=1)) == day - timedelta(days=1)


@pytest.mark.parametrize("day", [TODAY, LEAP_DAY, date(2026, 12, 31)])
def test_a_daily_is_open_for_24_hours_of_its_own_day(day: date) -> None:
    daily = a_daily(day=day)

    assert daily.day == day
    assert daily.opens_at == start_of(day)
    assert daily.closes_at == start_of(day + timedelta(days=1))


def test_a_daily_is_what_the_contract_says() -> None:
    view = view_room(a_daily())

    assert (view.kind, view.state, view.ruleset, view.draw) == ("daily", "open", "CF1", 3)
    assert (view.sealed, view.ranked, view.undo, view.visibility) == (True, True, True, "public")
    assert (view.time_limit_s, view.start, view.countdown_s) == (1800, "at", 0)
    assert (view.start_at, view.host, view.title) == (instant(OPENS), None, "Daily 2026-11-29")
    assert (view.code, view.nonce, view.standings, view.player_count) == (None, None, [], 0)


def test_the_race_is_on_from_midnight_as_scheduled_however_late_that_is_processed() -> None:
    daily = a_daily()
    assert daily.advance(at=OPENS - MS) == []

    events = daily.advance(at=OPENS + timedelta(hours=5))

    ends_at = CLOSES + timedelta(minutes=30)
    assert events == [
        Countdown(starts_at=instant(OPENS)),
        Started(started_at=instant(OPENS), ends_at=instant(ends_at), code=None, nonce=None),
    ]
    assert (daily.state, daily.started_at, daily.ends_at) == ("racing", OPENS, ends_at)
    assert (daily.version, daily.last_event_at) == (2, OPENS)


# Joining


@pytest.mark.parametrize("arrival", [OPENS, OPENS + MS, CLOSES - MS])
def test_who_arrives_on_the_day_has_the_whole_time_from_then_on(arrival: datetime) -> None:
    daily = a_daily(racing=True)
    before = everything(daily)

    seat = daily.admit(ANA, game_id="g_ana", at=arrival)

    start = Board.deal(daily.deal.code)
    assert seat == Seat(
        game_id="g_ana",
        player=ANA,
        joined_at=arrival,
        state="racing",
        placed=start.placed,
        score=start.score,
        started_at=arrival,
        ends_at=arrival + timedelta(seconds=ATTEMPT_S),
    )
    assert everything(daily) == before, "joining changes nothing that joiners share"


def test_a_bot_is_taken_as_everyone_is() -> None:
    assert a_daily(racing=True).admit(STRANGER, game_id="g", at=OPENS).player.kind == "bot"


@pytest.mark.parametrize(
    ("state", "arrival", "refusal"),
    [
        ("open", OPENS - MS, WrongState),
        ("racing", OPENS - MS, WrongState),
        ("racing", CLOSES, DailyOver),
        ("racing", CLOSES + MS, DailyOver),
        ("finished", CLOSES - MS, DailyOver),
        ("finished", CLOSES, DailyOver),
        ("cancelled", OPENS - MS, WrongState),
        ("cancelled", OPENS, WrongState),
        ("cancelled", CLOSES, DailyOver),
    ],
)
def test_nobody_else_is_taken(
    state: RoomState, arrival: datetime, refusal: type[RaceError]
) -> None:
    daily = a_daily_in(state)

    with refused(daily, refusal) as refused_with:
        daily.admit(ANA, game_id="g_ana", at=arrival)

    if isinstance(refused_with.value, WrongState):
        assert refused_with.value.state == state


COMMANDS: dict[str, Callable[[Daily], list[RoomEvent]]] = {
    "join": lambda daily: daily.join(CY, game_id="g_cy", at=OPENS),
    "leave": lambda daily: daily.leave(ANA, at=OPENS),
    "ready": lambda daily: daily.set_ready(ANA, ready=True, at=OPENS),
    "start": lambda daily: daily.start(ANA, at=OPENS),
    "cancel": lambda daily: daily.cancel(ANA, at=OPENS),
    "kick": lambda daily: daily.kick(ANA, target_id=BO.id, at=OPENS),
    "rematch": lambda daily: daily.open_rematch(ANA, room_id="r_2", at=OPENS),
}


@pytest.mark.parametrize("verb", COMMANDS)
@pytest.mark.parametrize("state", ["open", "racing", "finished", "cancelled"])
def test_what_is_done_to_a_race_is_not_done_to_a_daily(state: RoomState, verb: str) -> None:
    daily = a_daily_in(state)
    daily.seats = [an_ended_seat(ANA, ended_at=CLOSES)]

    with refused(daily, NotInADaily) as refusal:
        COMMANDS[verb](daily)

    assert refusal.value.code == "not_in_a_daily"


# Withdrawing and renaming


def test_a_day_that_has_not_begun_can_be_withdrawn_and_stays_so() -> None:
    daily = a_daily()

    assert daily.withdraw(at=OPENS - MS) == [Cancelled(reason="replaced")]
    assert daily.withdraw(at=OPENS - MS) == []
    assert (daily.state, daily.version, daily.due_at, daily.looked_at_from) == (
        *("cancelled", 1),
        *(None, None),
    )
    assert daily.advance(at=CLOSES) == []
    assert view_room(daily).code is None


@pytest.mark.parametrize("state", ["racing", "finished"])
def test_a_day_that_has_begun_cannot_be_withdrawn(state: RoomState) -> None:
    daily = a_daily_in(state)

    with refused(daily, WrongState):
        daily.withdraw(at=OPENS)


def test_a_new_name_is_told_of_those_who_are_shown_only() -> None:
    daily = with_seats(a_daily(racing=True), an_ended_seat(ANA, ended_at=CLOSES))
    daily.asked = (an_ended_seat(BO, ended_at=CLOSES),)
    version = daily.version
    ana, bo = (Player(id=one.id, name="New", kind=one.kind) for one in (ANA, BO))

    assert daily.rename(bo, at=OPENS) == []
    assert daily.rename(CY, at=OPENS) == []
    assert daily.version == version
    assert daily.rename(ana, at=OPENS) == [Renamed(player=ana)]
    assert (daily.seats[0].player, daily.version) == (ana, version + 1)


def test_seats_that_were_asked_for_are_found_but_not_shown() -> None:
    daily = with_seats(a_daily(racing=True), an_ended_seat(ANA, ended_at=CLOSES))
    daily.asked = (an_ended_seat(BO, ended_at=CLOSES),)

    assert daily.seat_of(BO.id) is daily.asked[0]
    assert [standing.player for standing in daily.standings()] == [ANA]
    assert daily.seat_of(CY.id) is None


# The end

DEADLINE = CLOSES + LATECOMERS


@pytest.mark.parametrize(
    ("at", "finishes"),
    [
        (CLOSES - MS, False),
        (CLOSES, False),
        (DEADLINE - MS, False),
        (DEADLINE, True),
        (DEADLINE + timedelta(days=3), True),
    ],
)
def test_a_day_on_which_nobody_plays_any_more_finishes_five_seconds_after_midnight(
    at: datetime, finishes: bool
) -> None:
    daily = with_seats(a_daily(racing=True), an_ended_seat(ANA, ended_at=OPENS + MS))

    assert timedelta(seconds=5) == LATECOMERS
    assert daily.is_due(at) is finishes
    assert daily.may_finish(at) is finishes
    assert daily.looked_at_from == DEADLINE


@pytest.mark.parametrize("at", [OPENS, DEADLINE, CLOSES + timedelta(minutes=30)])
def test_a_day_does_not_finish_while_someone_plays(at: datetime) -> None:
    seat = a_daily(racing=True).admit(ANA, game_id="g_ana", at=CLOSES - MS)
    daily = with_seats(a_daily(racing=True), seat)

    assert not daily.may_finish(at)
    assert not daily.is_due(at)
    assert daily.looked_at_from == DEADLINE, "from then on an attempt's end can finish it"
    with refused(daily, WrongState):
        daily.finish()


def test_whoever_plays_is_out_of_time_once_the_last_attempt_must_have_ended() -> None:
    seat = a_daily(racing=True).admit(ANA, game_id="g_ana", at=CLOSES - MS)
    daily = with_seats(a_daily(racing=True), seat)
    last = CLOSES + timedelta(seconds=ATTEMPT_S)
    assert seat.ends_at is not None
    assert seat.ends_at < last

    assert daily.due_at is not None
    assert daily.due_at >= last + GRACE, "moves that arrived in time can land"
    assert daily.is_due(last + LATECOMERS)


@pytest.mark.parametrize(
    ("ends", "finished_at"),
    [
        ([], CLOSES),
        ([OPENS + MS], CLOSES),
        ([CLOSES], CLOSES),
        ([CLOSES + MS, OPENS], CLOSES + MS),
        ([OPENS, CLOSES + timedelta(minutes=29)], CLOSES + timedelta(minutes=29)),
    ],
)
def test_a_day_finishes_with_its_last_attempt_but_not_before_midnight(
    ends: list[datetime], finished_at: datetime
) -> None:
    seats = [
        an_ended_seat(player, ended_at=at) for player, at in zip((ANA, BO), ends, strict=False)
    ]
    daily = with_seats(a_daily(racing=True), *seats)

    (finished,) = daily.finish()

    assert isinstance(finished, Finished)
    assert (daily.state, daily.finished_at) == ("finished", finished_at)
    assert finished.finished_at == instant(finished_at)
    assert (finished.code, finished.nonce) == (str(daily.deal.code), daily.deal.nonce)
    assert (daily.due_at, daily.looked_at_from) == (None, None)
    assert not daily.may_finish(DEADLINE)


def test_the_shown_are_ranked_with_ties_when_the_day_finishes() -> None:
    seats = [
        an_ended_seat(ANA, ended_at=OPENS, placed=4),
        an_ended_seat(BO, ended_at=OPENS, placed=4),
        an_ended_seat(CY, ended_at=OPENS, placed=3),
    ]
    daily = with_seats(a_daily(racing=True), *seats)

    (finished,) = daily.finish()

    assert isinstance(finished, Finished)
    assert [(one.player, one.rank) for one in finished.standings] == [(ANA, 1), (BO, 1), (CY, 3)]
    assert [seat.rank for seat in daily.seats] == [1, 1, 3]


def test_the_number_of_players_is_that_of_all_who_joined() -> None:
    daily = a_daily(racing=True)
    daily.entrants = SHOWN * 1000

    assert view_room(daily).player_count == SHOWN * 1000


@pytest.mark.parametrize("state", ["open", "racing", "finished", "cancelled"])
def test_the_deal_is_shown_only_once_the_day_has_finished(state: RoomState) -> None:
    daily = a_daily_in(state)
    view = view_room(daily)

    known = state in OVER and state != "cancelled"
    assert view.code == (str(daily.deal.code) if known else None)
    assert view.nonce == (daily.deal.nonce if known else None)
    assert view.commitment == daily.deal.commitment


def test_a_room_without_a_day_is_no_daily() -> None:
    daily = a_daily()
    daily.settings = type(daily.settings)(
        **{name: getattr(daily.settings, name) for name in daily.settings.__struct_fields__}
        | {"start_at": None}
    )

    with pytest.raises(ValueError, match="beginning of its day"):
        _ = daily.opens_at
