"""A room under random commands and passing time: what holds whatever happens."""

from collections.abc import Callable
from datetime import datetime, timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from server.race.course import GRACE
from server.race.errors import RaceError
from server.race.events import RoomEvent
from server.race.player import Player
from server.race.room import Room
from server.race.states import ENDED, OVER, STARTED
from tests.race.builders import COMPANY, OPENED, a_room, after, everything, numbered

PLAYERS = st.sampled_from(COMPANY)
FOLLOWS = {
    "open": {"open", "countdown", "racing", "cancelled"},
    "countdown": {"countdown", "racing", "cancelled"},
    "racing": {"racing", "finished"},
    "finished": {"finished"},
    "cancelled": {"cancelled"},
}
"""Where one command, with what time does at once, may take a room from each state."""

Command = Callable[[datetime], list[RoomEvent]]


class RandomRoom(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.room: Room = a_room()
        self.now = OPENED
        self.names = numbered("g")
        self.events = 1

    @initialize(
        start=st.sampled_from(["host", "ready", "at"]),
        seats=st.integers(1, 4),
        countdown_s=st.sampled_from([0, 5]),
        sealed=st.booleans(),
    )
    def open(self, start: str, seats: int, countdown_s: int, sealed: bool) -> None:
        self.room = a_room(
            start=start,
            seats=seats,
            countdown_s=countdown_s,
            sealed=sealed,
            time_limit_s=60,
            start_at=after(90) if start == "at" else None,
        )

    def do(self, command: Command) -> None:
        """Do a command as the referee does: what was due is made first."""
        self.note(lambda at: self.room.advance(at=at))
        self.note(command)

    def note(self, command: Command) -> None:
        before, state, version = everything(self.room), self.room.state, self.room.version
        was_over = state in OVER
        try:
            events = command(self.now)
        except RaceError:
            events = []
        if not events:
            assert everything(self.room) == before
        assert self.room.version == version + len(events)
        assert self.room.state in FOLLOWS[state]
        assert not (was_over and events)
        self.events += len(events)

    @rule(player=PLAYERS)
    def join(self, player: Player) -> None:
        self.do(lambda at: self.room.join(player, game_id=next(self.names), at=at))

    @rule(player=PLAYERS)
    def leave(self, player: Player) -> None:
        self.do(lambda at: self.room.leave(player, at=at))

    @rule(player=PLAYERS, ready=st.booleans())
    def say_ready(self, player: Player, ready: bool) -> None:
        self.do(lambda at: self.room.set_ready(player, ready=ready, at=at))

    @rule(player=PLAYERS)
    def start(self, player: Player) -> None:
        self.do(lambda at: self.room.start(player, at=at))

    @rule(player=PLAYERS, unwanted=PLAYERS)
    def kick(self, player: Player, unwanted: Player) -> None:
        self.do(lambda at: self.room.kick(player, target_id=unwanted.id, at=at))

    @rule(player=PLAYERS, sure=st.integers(0, 9))
    def cancel(self, player: Player, sure: int) -> None:
        if sure == 9:
            self.do(lambda at: self.room.cancel(player, at=at))

    @rule()
    def finish(self) -> None:
        self.do(lambda at: self.room.finish())  # noqa: ARG005 — a command takes the time

    @precondition(lambda self: self.room.state == "racing")
    @rule(player=PLAYERS, won=st.booleans(), placed=st.integers(1, 52))
    def end_a_game(self, player: Player, won: bool, placed: int) -> None:
        seat = self.room.seat_of(player.id)
        assert self.room.ends_at is not None
        if seat is not None and not seat.ended:
            seat.state = "won" if won else "resigned"
            seat.placed = 52 if won else placed
            seat.ended_at = min(self.now, self.room.ends_at)

    @precondition(lambda self: self.room.state == "racing" and self.room.is_due(self.now))
    @rule()
    def run_out_of_time(self) -> None:
        assert self.room.ends_at is not None
        if not self.room.nobody_races:
            assert self.room.due_at == self.room.ends_at + GRACE
        for seat in self.room.seats:
            if not seat.ended:
                seat.state, seat.ended_at = "out_of_time", self.room.ends_at
        self.note(lambda at: self.room.finish())  # noqa: ARG005 — a command takes the time
        assert self.room.state == "finished"
        assert self.room.finished_at is not None
        assert self.room.finished_at <= self.room.ends_at

    @rule(ms=st.sampled_from([1, 999, 5_000, 30_000, 61_000, 1_800_000]))
    def let_time_pass(self, ms: int) -> None:
        self.now += timedelta(milliseconds=ms)

    @rule()
    def look(self) -> None:
        self.note(lambda at: self.room.advance(at=at))
        if self.room.state in ("open", "countdown"):
            assert self.room.due_at is not None
            assert self.room.due_at > self.now

    @invariant()
    def the_host_has_a_seat_and_only_an_empty_room_has_none(self) -> None:
        if self.room.seats:
            assert self.room.host in [seat.player for seat in self.room.seats]
        else:
            assert self.room.host is None
            assert self.room.state == "cancelled"

    @invariant()
    def the_version_counts_the_events(self) -> None:
        assert self.room.version == self.events

    @invariant()
    def seats_are_few_enough_and_nobody_has_two(self) -> None:
        ids = [seat.player.id for seat in self.room.seats]
        assert len(set(ids)) == len(ids) <= self.room.settings.seats

    @invariant()
    def who_was_kicked_is_not_here(self) -> None:
        assert not set(self.room.kicked) & {seat.player.id for seat in self.room.seats}

    @invariant()
    def something_is_due_until_the_room_is_over(self) -> None:
        assert (self.room.due_at is None) == (self.room.state in OVER)

    @invariant()
    def the_times_of_a_race_belong_together(self) -> None:
        room = self.room
        if room.state in STARTED:
            assert room.started_at is not None
            assert room.started_at == room.starts_at
            assert room.ends_at == room.started_at + timedelta(seconds=60)
            assert room.settings.start_at in (None, room.started_at)
        else:
            assert room.started_at is room.ends_at is room.finished_at is None
        assert room.last_event_at <= self.now

    @invariant()
    def players_race_in_a_race_only(self) -> None:
        started = self.room.state in STARTED
        assert all((seat.state in {"racing", *ENDED}) == started for seat in self.room.seats)

    @invariant()
    def ranks_are_there_once_it_is_finished(self) -> None:
        if self.room.state == "finished":
            ranks = {standing.player.id: standing.rank for standing in self.room.standings()}
            assert {seat.player.id: seat.rank for seat in self.room.seats} == ranks
        else:
            assert all(seat.rank is None for seat in self.room.seats)


TestARoomAtRandom = RandomRoom.TestCase
TestARoomAtRandom.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
