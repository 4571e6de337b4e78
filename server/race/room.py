"""A room from its opening to its end.

Every command validates first and changes last: it raises and leaves the room as it was, or
changes it and gives the events that tell so. Saying again what is already so gives no event.
"""

from datetime import datetime, timedelta

from msgspec import Struct

from server.game import Board
from server.race.deals import Deal
from server.race.errors import (
    Invalid,
    Kicked,
    NotAPlayer,
    NotFound,
    NotHost,
    RoomFull,
    WrongState,
)
from server.race.events import (
    Cancelled,
    CancelReason,
    Countdown,
    Finished,
    Joined,
    Left,
    PlayerKicked,
    ReadyChanged,
    RematchOpened,
    Renamed,
    RoomEvent,
    Started,
)
from server.race.instants import instant
from server.race.player import Player
from server.race.seat import Seat
from server.race.settings import RoomSettings
from server.race.standings import Standing, rank, rank_key
from server.race.states import OVER, ROOM, PlayerState, RoomState, Verb

IDLE_AFTER = timedelta(minutes=30)
"""A room that has not started this long after its last event is cancelled."""

GRACE = timedelta(milliseconds=500)
"""A game's end is processed this much after it, so that moves which arrived in time can land."""


class Room(Struct, kw_only=True):
    """One deal, its players, its result.

    Attributes:
        version: counts the room's events; compared and set with every change.
        kind: `race`.
        code_is_known: the code was typed by somebody, so it is shown from the beginning.
        seats: in the order of joining.
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
    kicked: list[str] = []
    starts_at: datetime | None = None
    started_at: datetime | None = None
    ends_at: datetime | None = None
    finished_at: datetime | None = None
    rematch: str | None = None

    # What one asks of a room

    def seat_of(self, player_id: str) -> Seat | None:
        """Give the player's seat, or None for someone who has not joined."""
        return next((seat for seat in self.seats if seat.player.id == player_id), None)

    @property
    def host(self) -> Player | None:
        """The player who starts, cancels and kicks; None in a room that everyone left."""
        seat = self.seat_of(self.host_id) if self.host_id else None
        return seat.player if seat else None

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

    def is_due(self, at: datetime) -> bool:
        """Whether `advance` has something to do."""
        return self.due_at is not None and self.due_at <= at

    # What one may do to it

    def join(self, player: Player, *, game_id: str, at: datetime) -> list[RoomEvent]:
        """Take a seat.

        Raises:
            Kicked: the host has removed this player.
            WrongState: the race is on or over.
            RoomFull: every seat is taken.
        """
        if self.seat_of(player.id):
            return []
        if player.id in self.kicked:
            raise Kicked("the host has removed you from this room; join or open another")
        self._require("join", "join another room, or ask for a rematch once this one is over")
        if len(self.seats) >= self.settings.seats:
            raise RoomFull(f"all {self.settings.seats} seats are taken; join or open another room")
        self.seats.append(Seat(game_id=game_id, player=player, joined_at=at))
        self.host_id = self.host_id or player.id
        return self._tell(Joined(player=player), at=at)

    def leave(self, player: Player, *, at: datetime) -> list[RoomEvent]:
        """Give up the seat; the longest-joined player becomes host, an empty room is cancelled.

        Raises:
            WrongState: the race has started.
        """
        seat = self.seat_of(player.id)
        if seat is None:
            return []
        self._require("leave", "while racing, resign to stop playing; a result stays")
        self._remove(seat)
        events = self._tell(Left(player=seat.player, host=self.host), at=at)
        return events + self._after_a_seat_emptied(at=at)

    def set_ready(self, player: Player, *, ready: bool, at: datetime) -> list[RoomEvent]:
        """Say that one is ready, or not any more; in a `ready` room all ready starts the countdown.

        Raises:
            NotAPlayer: the player has not joined.
            WrongState: the countdown or the race is on.
        """
        seat = self._seat_for(player)
        state: PlayerState = "ready" if ready else "joined"
        if seat.state == state:
            return []
        self._require("ready", "ready is said before the countdown")
        seat.state = state
        events = self._tell(ReadyChanged(player=seat.player, ready=ready), at=at)
        return events + self._start_if_all_ready(at=at)

    def start(self, player: Player, *, at: datetime) -> list[RoomEvent]:
        """Begin the countdown; the race starts `countdown_s` later.

        Raises:
            NotHost: only the host starts.
            WrongState: the room starts at its own time, or is over.
        """
        self._require_host(player, "starts the race")
        if self.starts_at is not None and self.state not in OVER:
            return []
        self._require("start", "open another room, or ask for a rematch")
        if self.settings.start_at is not None:
            when = instant(self.settings.start_at)
            raise WrongState(f"this room starts by itself at {when}", state=self.state)
        return self._count_down(at=at)

    def cancel(self, player: Player, *, at: datetime) -> list[RoomEvent]:
        """Call the race off.

        Raises:
            NotHost: only the host cancels.
            WrongState: the race has started.
        """
        self._require_host(player, "cancels the race")
        if self.state == "cancelled":
            return []
        return self._cancel("host", at=at)

    def kick(self, player: Player, *, target_id: str, at: datetime) -> list[RoomEvent]:
        """Remove a player, who cannot come back.

        Raises:
            NotHost: only the host kicks.
            Invalid: the host means to kick the host.
            NotFound: no such player here.
            WrongState: the race has started.
        """
        self._require_host(player, "removes players")
        if target_id in self.kicked:
            return []
        if target_id == player.id:
            raise Invalid("the host cannot be kicked; leave instead", pointer="/player")
        seat = self.seat_of(target_id)
        if seat is None:
            raise NotFound("no such player in this room; name one of its players by id")
        self._require("kick", "players are removed before the race only")
        self._remove(seat)
        self.kicked.append(target_id)
        events = self._tell(PlayerKicked(player=seat.player), at=at)
        return events + self._after_a_seat_emptied(at=at)

    def rename(self, player: Player, *, at: datetime) -> list[RoomEvent]:
        """Tell a player's new name to those who see it."""
        seat = self.seat_of(player.id)
        if seat is None:
            return []
        seat.player = player
        return self._tell(Renamed(player=seat.player), at=at)

    def open_rematch(self, player: Player, *, room_id: str, at: datetime) -> list[RoomEvent]:
        """Name the next room, unless one is named already.

        Raises:
            NotAPlayer: the player was not in this race.
            WrongState: the race is not finished.
        """
        self._seat_for(player)
        self._require("rematch", "a rematch is for a race that has been run to its end")
        if self.rematch is not None:
            return []
        self.rematch = room_id
        return self._tell(RematchOpened(room=room_id), at=at)

    # What time does to it

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

    def finish(self) -> list[RoomEvent]:
        """Write the result: everyone's rank, at the instant the last game ended.

        Raises:
            WrongState: the room is not racing, or someone in it still is.
        """
        self._require("finish", "only a race that is on can finish")
        if not self.nobody_races:
            raise WrongState("someone is still racing", state=self.state)
        self.finished_at = max(seat.ended_at for seat in self.seats if seat.ended_at)
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

    # How it is done

    def _ranked_seats(self) -> list[Seat]:
        return sorted(self.seats, key=lambda seat: rank_key(seat.entry))

    def _require(self, verb: Verb, mend: str) -> None:
        if verb not in ROOM[self.state]:
            raise WrongState(f"the room is {self.state}: {mend}", state=self.state)

    def _require_host(self, player: Player, does: str) -> None:
        if player.id != self.host_id:
            raise NotHost(f"only the host {does}")

    def _seat_for(self, player: Player) -> Seat:
        seat = self.seat_of(player.id)
        if seat is None:
            raise NotAPlayer("you have not joined this room; join it first")
        return seat

    def _remove(self, seat: Seat) -> None:
        self.seats.remove(seat)
        if seat.player.id == self.host_id:
            self.host_id = self.seats[0].player.id if self.seats else None

    def _after_a_seat_emptied(self, *, at: datetime) -> list[RoomEvent]:
        if not self.seats:
            return self._cancel("empty", at=at)
        return self._start_if_all_ready(at=at)

    def _start_if_all_ready(self, *, at: datetime) -> list[RoomEvent]:
        waiting = self.settings.start == "ready" and self.starts_at is None
        if waiting and all(seat.state == "ready" for seat in self.seats):
            return self._count_down(at=at)
        return []

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
        self.ends_at = self.started_at + timedelta(seconds=self.settings.time_limit_s)
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


def open_room(
    room_id: str,
    settings: RoomSettings,
    deal: Deal,
    *,
    code_is_known: bool,
    host: Player,
    game_id: str,
    at: datetime,
) -> Room:
    """Open a room with its creator as host and first player."""
    room = Room(
        id=room_id,
        settings=settings,
        deal=deal,
        code_is_known=code_is_known,
        created_at=at,
        last_event_at=at,
    )
    room.join(host, game_id=game_id, at=at)
    return room
