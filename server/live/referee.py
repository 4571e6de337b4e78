"""The one who decides what happens to rooms: reads one, lets `race` decide, writes, tells.

Every change is a compare-and-set on the room's version; who comes second decides again on the
room as it is by then. What has been begun is done to its end, even if whoever asked has gone:
what is written must be told.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from weakref import WeakValueDictionary

import structlog
from msgspec.structs import replace

from server import metrics
from server.clock import Clock, now
from server.live.deadlines import Deadlines
from server.live.hub import Hub
from server.live.ports import Attempts, Games, Rooms
from server.live.session import Session
from server.live.sessions import Sessions
from server.live.sharing import Shared
from server.live.tasks import Tasks
from server.race.course import GRACE
from server.race.daily import Daily
from server.race.errors import NotAPlayer, Unavailable, WrongState
from server.race.events import RoomEvent
from server.race.player import Player
from server.race.proof import Opening
from server.race.room import Change, Room
from server.race.seat import Seat
from server.race.standings import Entry
from server.race.states import ENDED, STARTED

log = structlog.get_logger()

Command = Callable[[Room, datetime], list[RoomEvent]]

Decide = Callable[[Room, datetime], Awaitable[tuple[Room, list[RoomEvent]]]]

MOST_TRIES = 10  # compare-and-set rounds; more means a storm that the caller should sit out
DRAIN_S = 5.0  # how long a race's end waits for moves that arrived in time to be written


class Referee:
    """Changes rooms as players ask, and as time demands."""

    def __init__(
        self,
        *,
        rooms: Rooms,
        games: Games,
        attempts: Attempts,
        sessions: Sessions,
        hub: Hub,
        deadlines: Deadlines,
        clock: Clock,
        tasks: Tasks,
    ) -> None:
        self._rooms = rooms
        self._games = games
        self._attempts = attempts
        self._sessions = sessions
        self._hub = hub
        self._deadlines = deadlines
        self._clock = clock
        self._tasks = tasks
        self._shared = Shared(self._load)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        deadlines.on_due = self.advance

    async def present(self, room_id: str, *, asking: Player | None = None) -> Room:
        """Give a room as it is now: with what was due made first. It is shared: do not change it.

        Of a daily, only the seat of whoever is asking is read.

        Raises:
            NotFound: no such room.
        """
        room = await self._shared.read(room_id)
        if room.is_due(now(self._clock)):
            room = await self.advance(room_id)
        else:
            self._deadlines.arm(room)
        return room if asking is None else await self._with_seat(room, asking)

    async def _with_seat(self, room: Room, player: Player) -> Room:
        if not isinstance(room, Daily) or room.seat_of(player.id) is not None:
            return room
        seat = await self._attempts.seat(room.id, player.id)
        return room if seat is None else replace(room, asked=(*room.asked, seat))

    async def change(
        self, room_id: str, command: Command, *, opening: Opening | None = None
    ) -> Room:
        """Change a room; `command` decides on it, and may be asked again.

        Args:
            room_id: which room.
            command: gives the events of the change, or none where there is nothing to change.
            opening: a new room to be kept with the change, in the same transaction.

        Raises:
            RaceError: what the command raises; nothing has changed.
            Unavailable: storage did not answer, or too many change the room at once.
        """
        await self.present(room_id)

        async def decide(room: Room, at: datetime) -> tuple[Room, list[RoomEvent]]:
            events: list[RoomEvent] = []
            if isinstance(room, Daily):  # what is told of a player depends on who is shown
                room = await self._rooms.load_shown(room_id)
            if room.is_due(at):  # it has come since
                room, events = await self._what_is_due(room, at)
            return room, events + command(room, at)

        return await self._decide(room_id, decide, opening=opening)

    async def advance(self, room_id: str) -> Room:
        """Make what is due in a room, by the clock or because nobody races any more."""
        room = await self._decide(room_id, self._what_is_due)
        while room.is_due(now(self._clock)):  # after a long stop, one thing after the other
            before = room.version
            room = await self._decide(room_id, self._what_is_due)
            if room.version == before:
                break
        return room

    async def resign(self, room_id: str, *, player: Player) -> Room:
        """End a player's game; what was placed counts. Saying it again changes nothing.

        Raises:
            NotAPlayer: the player has not joined.
            WrongState: the race has not started, or the game has ended in another way.
        """
        return await self._tasks.whole(self._resign(room_id, player), name="resign")

    async def _resign(self, room_id: str, player: Player) -> Room:
        at = now(self._clock)
        room = await self.present(room_id, asking=player)
        session = self.session_of(room, player)
        await session.settled()
        ends_at = _seat_of(room, player).ends_at or room.ends_at
        resigned = False
        if ends_at is not None and at < ends_at:  # else time decides
            resigned = await self._games.end(session.game_id, state="resigned", at=at)
        session.expire()
        present = await self._with_seat(await self._rooms.load(room_id), player)
        seat = _seat_of(present, player)
        if not resigned and seat.state != "resigned":
            how = "out of time" if seat.state == "racing" else seat.state
            raise WrongState(f"your game has ended already: {how}", state=room.state)
        if resigned:
            log.info("game.resigned", room=room_id, player=player.id)
            self.game_ended(room, session.game_id, seat.entry)
        return await self.advance(room_id)

    def game_ended(self, room: Room, game_id: str, entry: Entry) -> None:
        """Tell that a game has ended; that of a daily is put away at once, not all at midnight."""
        self._hub.ticker.progress(room.id, entry)
        if isinstance(room, Daily):
            self._put_away(room.id, game_id)

    def _put_away(self, room_id: str, game_id: str) -> None:
        self._tasks.start(self._games.pack(game_id), name="pack", room=room_id)

    def session_of(self, room: Room, player: Player) -> Session:
        """Give the game that a player plays in a room that has started.

        Raises:
            NotAPlayer: the player has not joined.
            WrongState: the room has not started.
        """
        seat = _seat_of(room, player)
        if room.state not in STARTED:
            raise WrongState("there is no game yet: the race has not started", state=room.state)
        of_a_daily = isinstance(room, Daily)
        on_progress = self._on_progress_in_daily if of_a_daily else self._on_progress
        return self._sessions.of(room, seat, on_progress=on_progress)

    async def _load(self, room_id: str) -> Room:
        return await self._rooms.load(room_id)

    async def _decide(
        self, room_id: str, decide: Decide, *, opening: Opening | None = None
    ) -> Room:
        work = self._decide_alone(room_id, decide, opening)
        return await self._tasks.whole(work, name="decide")

    async def _decide_alone(self, room_id: str, decide: Decide, opening: Opening | None) -> Room:
        async with self._locks.setdefault(room_id, asyncio.Lock()):
            for _ in range(MOST_TRIES):
                room = await self._rooms.load(room_id)
                room, events = await decide(room, now(self._clock))
                if not events or await self._rooms.save(room, events, opening=opening):
                    await self._tell(room, events)
                    return room
        raise Unavailable("too many change this room at once; ask again in a moment")

    async def _tell(self, room: Room, events: list[RoomEvent]) -> None:
        for event in events:
            kind = str(event.__struct_config__.tag)
            log.info("room.changed", room=room.id, kind=kind, version=room.version)
            metrics.count_room_event(kind)
        self._deadlines.arm(room)
        if events:
            await self._hub.changed(Change(room, events))

    async def _what_is_due(self, room: Room, at: datetime) -> tuple[Room, list[RoomEvent]]:
        if room.state != "racing" or room.ends_at is None:
            return room, room.advance(at=at)
        if room.ends_at + GRACE <= at:
            await self._drain(room)
            await self._games.end_all(room.id, at=room.ends_at)
        if not isinstance(room, Daily) or room.is_due(at):
            room = await self._rooms.load_shown(room.id)
            await self._games.pack_ended(room.id)  # after it: every game that it has as ended
        return room, room.finish() if room.may_finish(at) else []

    async def _drain(self, room: Room) -> None:
        """Let moves that arrived in time be written, for as long as is bearable."""
        try:
            async with asyncio.timeout(DRAIN_S):
                for session in self._sessions.held(room):
                    await session.settled()
        except TimeoutError:
            log.warning("room.moves_left_behind", room=room.id)

    def _on_progress(self, session: Session, entry: Entry) -> None:
        self._hub.ticker.progress(session.room_id, entry)
        if entry.state in ENDED:
            self._deadlines.ring(session.room_id)

    def _on_progress_in_daily(self, session: Session, entry: Entry) -> None:
        self._hub.ticker.progress(session.room_id, entry)
        if entry.state in ENDED:
            self._put_away(session.room_id, session.game_id)


def _seat_of(room: Room, player: Player) -> Seat:
    seat = room.seat_of(player.id)
    if seat is None:
        raise NotAPlayer("you have not joined this room; join it first")
    return seat
