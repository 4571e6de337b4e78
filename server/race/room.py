"""A room from its opening to its end.

Every command validates first and changes last: it raises and leaves the room as it was, or
changes it and gives the events that tell so. Saying again what is already so gives no event.
"""

from datetime import datetime

from msgspec import Struct

from server.race.course import Course
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
    Joined,
    Left,
    PlayerKicked,
    ReadyChanged,
    RematchOpened,
    Renamed,
    RoomEvent,
)
from server.race.instants import instant
from server.race.player import Player
from server.race.seat import Seat
from server.race.settings import RoomSettings
from server.race.states import OVER, PlayerState


class Room(Course, kw_only=True):
    """A race with its people: who joins, who is host, and what each may do when."""

    @property
    def host(self) -> Player | None:
        """The player who starts, cancels and kicks; None in a room that everyone left."""
        seat = self.seat_of(self.host_id) if self.host_id else None
        return seat.player if seat else None

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


class Change(Struct, frozen=True):
    """A room after the last of some events that happened in it one after the other.

    Attributes:
        room: as it is after them.
        events: in order; each has raised the version by one.
    """

    room: Room
    events: list[RoomEvent]

    @property
    def before(self) -> int:
        """The version that the room had before the first event."""
        return self.room.version - len(self.events)

    def since(self, version: int) -> list[tuple[int, RoomEvent]] | None:
        """Give the events after a version, each with its own; None where some are missing."""
        if version < self.before:
            return None
        numbered = enumerate(self.events, start=self.before + 1)
        return [(number, event) for number, event in numbered if number > version]


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
