"""The daily: one race for everyone per UTC day, each player on a clock of their own.

Joining changes nothing that joiners share: a player's attempt is a game with a start and an end
of its own, and the room's version counts only the day's beginning and end.
"""

from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from typing import NoReturn

from server.game import Board
from server.race.deals import Deal
from server.race.errors import DailyOver, Invalid, NotInADaily, WrongState
from server.race.events import RoomEvent
from server.race.player import Player
from server.race.room import Room
from server.race.seat import Seat
from server.race.settings import RoomSettings

DAY = timedelta(days=1)

ATTEMPT_S = 1800
"""What a player has for the daily, from joining on."""

SHOWN = 100
"""How many of a daily's players its room shows: the first by rank."""

SEATS = 1_000_000
"""As good as no limit, for clients that show one."""


LATECOMERS = timedelta(seconds=5)
"""A day is finished this much after its end, so that who arrived in time can be let in."""


def day_of(at: datetime) -> date:
    """Give the UTC day of an aware instant."""
    return at.astimezone(UTC).date()


def read_day(text: str) -> date:
    """Read a day in the one form that is written everywhere.

    >>> read_day("2026-12-24")
    datetime.date(2026, 12, 24)

    Raises:
        Invalid: it is none, or is written in another form.
    """
    with suppress(ValueError):
        day = date.fromisoformat(text)
        if day.isoformat() == text:
            return day
    raise Invalid(f"{text!r} is no day; write it as 2026-12-24", pointer="/date")


def start_of(day: date) -> datetime:
    """Give the instant at which a UTC day begins."""
    return datetime.combine(day, time(), tzinfo=UTC)


class Daily(Room, kw_only=True):
    """The race of a UTC day, of which no more seats are read than are needed.

    Attributes:
        seats: those of the first hundred, best first, or none where they were not read.
        asked: those of further players whom somebody asked for.
        entrants: how many have joined.
        racing: how many of them still play.
        last_ended_at: when the last game ended that has; None before the first has.
    """

    kind: str = "daily"
    entrants: int = 0
    racing: int = 0
    last_ended_at: datetime | None = None

    @property
    def day(self) -> date:
        """The UTC day that it is the race of."""
        return day_of(self.opens_at)

    @property
    def opens_at(self) -> datetime:
        """When the day begins, and joining with it."""
        if self.settings.start_at is None:
            raise ValueError("a daily starts at the beginning of its day")
        return self.settings.start_at

    @property
    def closes_at(self) -> datetime:
        """When the day ends: who arrives then is too late; attempts under way run on."""
        return self.opens_at + DAY

    @property
    def player_count(self) -> int:
        """How many have joined."""
        return self.entrants

    @property
    def nobody_races(self) -> bool:
        """Whether no attempt is under way now."""
        return self.racing == 0

    @property
    def due_at(self) -> datetime | None:
        """When it next changes by itself; None if it never will."""
        if self.state != "racing":
            return super().due_at
        return (self.closes_at if self.nobody_races else self.last_end) + LATECOMERS

    @property
    def looked_at_from(self) -> datetime | None:
        """From when on it may change by itself: as soon as the last attempt has ended."""
        return self.closes_at + LATECOMERS if self.state == "racing" else self.due_at

    @property
    def last_end(self) -> datetime:
        """When the last attempt that can be ends."""
        return self.closes_at + timedelta(seconds=self.settings.time_limit_s)

    def may_finish(self, at: datetime) -> bool:
        """Whether the day is over and nobody races any more."""
        return super().may_finish(at) and self.closes_at + LATECOMERS <= at

    def admit(self, player: Player, *, game_id: str, at: datetime) -> Seat:
        """Give the seat of a player who arrives: the own clock runs from then on.

        Raises:
            WrongState: the day has not begun, or the daily has been replaced.
            DailyOver: the day is over.
        """
        if at >= self.closes_at or self.state == "finished":
            raise DailyOver(
                f"the daily of {self.day} is over; POST /api/v1/daily/join joins today's"
            )
        if at < self.opens_at or self.state == "cancelled":
            raise WrongState(
                f"this daily takes nobody: {self.day} has not begun, or has another deal; "
                "POST /api/v1/daily/join joins today's",
                state=self.state,
            )
        start = Board.deal(self.deal.code)
        return Seat(
            game_id=game_id,
            player=player,
            joined_at=at,
            state="racing",
            placed=start.placed,
            score=start.score,
            started_at=at,
            ends_at=at + timedelta(seconds=self.settings.time_limit_s),
        )

    def withdraw(self, *, at: datetime) -> list[RoomEvent]:
        """Take the day's room back before the day begins: another deal will be in its place.

        Raises:
            WrongState: the day has begun.
        """
        if self.state == "cancelled":
            return []
        if at >= self.opens_at:
            raise WrongState(
                f"{self.day} has begun: its deal stays; a day to come can be replaced",
                state=self.state,
            )
        return self._cancel("replaced", at=at)

    def join(self, player: Player, *, game_id: str, at: datetime) -> list[RoomEvent]:  # noqa: ARG002 — the room's signature
        """Not here: see `admit`."""
        self._refuse("joined as a room is")

    def leave(self, player: Player, *, at: datetime) -> list[RoomEvent]:  # noqa: ARG002 — the room's signature
        """Not here: an attempt is resigned."""
        self._refuse("left: resign to stop playing; the result stays")

    def set_ready(self, player: Player, *, ready: bool, at: datetime) -> list[RoomEvent]:  # noqa: ARG002 — the room's signature
        """Not here: everyone's clock starts on joining."""
        self._refuse("waited for: your clock starts when you join")

    def start(self, player: Player, *, at: datetime) -> list[RoomEvent]:  # noqa: ARG002 — the room's signature
        """Not here: the day starts it."""
        self._refuse("started by anyone: it starts with its day")

    def cancel(self, player: Player, *, at: datetime) -> list[RoomEvent]:  # noqa: ARG002 — the room's signature
        """Not here: it is everyone's."""
        self._refuse("cancelled: it is everyone's")

    def kick(self, player: Player, *, target_id: str, at: datetime) -> list[RoomEvent]:  # noqa: ARG002 — the room's signature
        """Not here: nobody is its host."""
        self._refuse("anybody's to kick from: it has no host")

    def open_rematch(self, player: Player, *, room_id: str, at: datetime) -> list[RoomEvent]:  # noqa: ARG002 — the room's signature
        """Not here: tomorrow brings the next."""
        self._refuse("played again: the next one comes with the next day")

    def rename(self, player: Player, *, at: datetime) -> list[RoomEvent]:
        """Tell a player's new name to those who see it: if it is one of those that are shown."""
        if all(seat.player.id != player.id for seat in self.seats):
            return []
        return super().rename(player, at=at)

    def _refuse(self, why: str) -> NoReturn:
        raise NotInADaily(f"a daily is not {why}")

    def _end_of_race(self, started_at: datetime) -> datetime:  # noqa: ARG002 — of the day
        return self.last_end

    def _last_ending(self) -> datetime:
        return max(self.closes_at, self.last_ended_at or self.closes_at)


def open_daily(room_id: str, deal: Deal, *, day: date, at: datetime) -> Daily:
    """Open the room of a day that has not begun; its commitment is known from now on."""
    return Daily(
        id=room_id,
        settings=RoomSettings(
            ruleset="CF1",
            draw=3,
            sealed=True,
            seats=SEATS,
            visibility="public",
            time_limit_s=ATTEMPT_S,
            start="at",
            start_at=start_of(day),
            countdown_s=0,
            undo=True,
            ranked=True,
            title=f"Daily {day.isoformat()}",
        ),
        deal=deal,
        code_is_known=False,
        created_at=at,
        last_event_at=at,
    )
