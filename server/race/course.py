"""A race's course through time: from open over countdown and racing to its end.

What was due takes effect at the instant it was due, however late it is made.
"""

from datetime import datetime, timedelta

from msgspec import Struct

from server.game import Board
from server.race.deals import Deal
from server.race.errors import WrongState
from server.race.events import (
    Cancelled,
    CancelReason,
    Countdown,
    Finished,
    RoomEvent,
    Started,
)
from server.race.instants import instant
from server.race.seat import Seat
from server.race.settings import RoomSettings
from server.race.standings import Standing, rank, rank_key
from server.race.states import ROOM, RoomState, Verb

IDLE_AFTER = timedelta(minutes=30)
"""A room that has not started this long after its last event is cancelled."""

GRACE = timedelta(milliseconds=500)
"""A game's end is processed this much after it, so that moves which arrived in time can land."""


class Course(Struct, kw_only=True):
    """One deal on its way to a result; `Room` adds who may do what to it.

    Attributes:
        version: counts the room's events; compared and set with every change.
        kind: `race`, or `daily`: see `server.race.daily`.
        code_is_known: the code was typed by somebody, so it is shown from the beginning.
        seats: in the order of joining.
        asked: further seats that were read: a daily's beyond those that are shown.
        kicked: the ids of players who may not come back.
        rematch: the id of the next room, once someone has asked for it.
    """

    id: str
    settings: RoomSettings
    deal: Deal
    code_is_known: bool
    created_at: datetime
    last_event_at: datetime
    kind: str = "race"
    state: RoomState = "open"
    version: int = 0
    host_id: str | None = None
    seats: list[Seat] = []
    asked: tuple[Seat, ...] = ()
    kicked: list[str] = []
    starts_at: datetime | None = None
    started_at: datetime | None = None
    ends_at: datetime | None = None
    finished_at: datetime | None = None
    rematch: str | None = None

    def seat_of(self, player_id: str) -> Seat | None:
        """Give the player's seat, or None for someone who has not joined.

        Of a daily, it gives None as well where the seat was not read.
        """
        for seats in (self.seats, self.asked):
            for seat in seats:
                if seat.player.id == player_id:
                    return seat
        return None

    @property
    def player_count(self) -> int:
        """How many have joined."""
        return len(self.seats)

    @property
    def nobody_races(self) -> bool:
        """Whether every player's game has ended."""
        return all(seat.ended for seat in self.seats)

    @property
    def due_at(self) -> datetime | None:
        """When the room next changes by itself; None if it never will."""
        match self.state:
            case "open":
                if self.settings.start_at is not None:
                    return self.settings.start_at - timedelta(seconds=self.settings.countdown_s)
                return self.last_event_at + IDLE_AFTER
            case "countdown":
                return self.starts_at
            case "racing" if self.ends_at is not None:
                return self.last_event_at if self.nobody_races else self.ends_at + GRACE
        return None

    @property
    def looked_at_from(self) -> datetime | None:
        """From when on it is to be looked at whether it changes by itself."""
        return self.due_at

    def is_due(self, at: datetime) -> bool:
        """Whether `advance` has something to do."""
        return self.due_at is not None and self.due_at <= at

    def advance(self, *, at: datetime) -> list[RoomEvent]:
        """Make the change that was due, taking effect at the instant it was due.

        Of a racing room every game must have ended before: see `finish`.
        """
        events: list[RoomEvent] = []
        while (due_at := self.due_at) is not None and due_at <= at:
            match self.state:
                case "open" if self.settings.start_at is not None:
                    events += self._count_down(at=due_at)
                case "open":
                    events += self._cancel("idle", at=due_at)
                case "countdown":
                    events += self._go()
                case _:
                    break
        return events

    def may_finish(self, at: datetime) -> bool:  # noqa: ARG002 — a daily waits for its day's end
        """Whether the race is on and everyone's game has ended."""
        return self.state == "racing" and self.nobody_races

    def finish(self) -> list[RoomEvent]:
        """Write the result: everyone's rank, at the instant the last game ended.

        Raises:
            WrongState: the room is not racing, or someone in it still is.
        """
        self._require("finish", "only a race that is on can finish")
        if not self.nobody_races:
            raise WrongState("someone is still racing", state=self.state)
        self.finished_at = self._last_ending()
        self.state = ROOM[self.state]["finish"]
        for seat, standing in zip(self._ranked_seats(), self.standings(), strict=True):
            seat.rank = standing.rank
        finished = Finished(
            finished_at=instant(self.finished_at),
            code=str(self.deal.code),
            nonce=self.deal.nonce,
            standings=self.standings(),
        )
        return self._tell(finished, at=self.finished_at)

    def standings(self) -> list[Standing]:
        """Rank everyone in the room as it stands."""
        return rank(seat.entry for seat in self.seats)

    def _last_ending(self) -> datetime:
        return max(seat.ended_at for seat in self.seats if seat.ended_at)

    def _end_of_race(self, started_at: datetime) -> datetime:
        return started_at + timedelta(seconds=self.settings.time_limit_s)

    def _ranked_seats(self) -> list[Seat]:
        return sorted(self.seats, key=lambda seat: rank_key(seat.entry))

    def _require(self, verb: Verb, mend: str) -> None:
        if verb not in ROOM[self.state]:
            raise WrongState(f"the room is {self.state}: {mend}", state=self.state)

    def _count_down(self, *, at: datetime) -> list[RoomEvent]:
        self._require("start", "it cannot start any more")
        self.state = ROOM[self.state]["start"]
        self.starts_at = at + timedelta(seconds=self.settings.countdown_s)
        events = self._tell(Countdown(starts_at=instant(self.starts_at)), at=at)
        return events + self.advance(at=at)

    def _go(self) -> list[RoomEvent]:
        self._require("go", "it cannot start any more")
        if self.starts_at is None:
            raise WrongState("no start has been set", state=self.state)
        self.state = ROOM[self.state]["go"]
        self.started_at = self.starts_at
        self.ends_at = self._end_of_race(self.started_at)
        start = Board.deal(self.deal.code)
        for seat in self.seats:
            seat.state, seat.placed, seat.score = "racing", start.placed, start.score
        started = Started(
            started_at=instant(self.started_at),
            ends_at=instant(self.ends_at),
            code=None if self.settings.sealed else str(self.deal.code),
            nonce=None if self.settings.sealed else self.deal.nonce,
        )
        return self._tell(started, at=self.started_at)

    def _cancel(self, reason: CancelReason, *, at: datetime) -> list[RoomEvent]:
        self._require("cancel", "a race that has started is resigned, not cancelled")
        self.state = ROOM[self.state]["cancel"]
        return self._tell(Cancelled(reason=reason), at=at)

    def _tell(self, event: RoomEvent, *, at: datetime) -> list[RoomEvent]:
        self.version += 1
        self.last_event_at = max(self.last_event_at, at)
        return [event]
