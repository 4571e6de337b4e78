"""The games that this node holds."""

from collections import OrderedDict
from collections.abc import Iterable

from server.live.ports import Games, Journal
from server.live.session import OnProgress, Session
from server.race.marks import RoomMark
from server.race.room import Room
from server.race.seat import Seat
from server.race.standings import Entry

MOST_SESSIONS = 20_000  # full: the longest unused idle one goes, and is loaded again when asked for


class Sessions:
    """One session for each game, made when it is first asked for."""

    def __init__(self, *, journal: Journal, games: Games) -> None:
        self._journal = journal
        self._games = games
        self._sessions: OrderedDict[str, Session] = OrderedDict()  # by game, longest unused first
        self._by_player: dict[str, dict[str, Session]] = {}  # the same, by room and player

    def of(self, room: Room, seat: Seat, *, on_progress: OnProgress) -> Session:
        """Give the session of a seat that has just been read; a new one is stale until loaded.

        Games of finished rooms are only read: whoever asks gets a session of its own.
        """
        session = self._sessions.get(seat.game_id)
        if session is None:
            session = Session(
                room, seat, journal=self._journal, games=self._games, on_progress=on_progress
            )
            if room.state == "finished":
                return session
            self._make_room()
            self._sessions[seat.game_id] = session
            self._by_player.setdefault(room.id, {})[seat.player.id] = session
        elif session.is_behind(actions=seat.ply, ended=seat.ended):
            session.expire()
        self._sessions.move_to_end(seat.game_id)
        session.player = seat.player  # who may have a new name
        return session

    async def catch_up(self, room: Room, entries: Iterable[Entry]) -> None:
        """Take over what other nodes have written of the games that this node holds.

        Raises:
            Unavailable: storage did not answer.
        """
        held = self._by_player.get(room.id, {})
        for entry in entries:
            session = held.get(entry.player.id)
            if session is not None:
                await session.catch_up(entry)

    def are_behind(self, room: Room, mark: RoomMark) -> bool:
        """Whether other nodes have written of a room's games what is not known here."""
        for session in self.held(room):
            seat = mark.seats.get(session.player.id)
            if seat is not None and session.is_behind(actions=seat.actions, ended=seat.ended):
                return True
        return False

    def find(self, room_id: str, player_id: str) -> Session | None:
        """Give the session of a player in a room, if this node holds one."""
        return self._by_player.get(room_id, {}).get(player_id)

    def held(self, room: Room) -> list[Session]:
        """Give the sessions of a room that this node holds."""
        return list(self._by_player.get(room.id, {}).values())

    def rename(self, room: Room) -> None:
        """Take over the present names of a room's players."""
        for session in self.held(room):
            seat = room.seat_of(session.player.id)
            session.player = session.player if seat is None else seat.player

    def expire_all(self) -> None:
        """Have every game read again before it is used: this is another history."""
        for session in self._sessions.values():
            session.expire()

    def retire(self, room: Room) -> None:
        """Let go of the games of a room that is over; who still holds one reads it again first."""
        for session in self.held(room):
            session.expire()
            self._let_go(session)

    def _make_room(self) -> None:
        if len(self._sessions) >= MOST_SESSIONS:
            oldest_idle = next((s for s in self._sessions.values() if s.idle), None)
            if oldest_idle is not None:
                self._let_go(oldest_idle)

    def _let_go(self, session: Session) -> None:
        del self._sessions[session.game_id]
        of_the_room = self._by_player[session.room_id]
        del of_the_room[session.player.id]
        if not of_the_room:
            del self._by_player[session.room_id]
