"""Who watches which room on this node, and what they are told.

Changes come from here, from hints of other nodes, and from comparing with the database; whichever
way they come, what a room's sockets have not been told is told once and in order.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import structlog

from server import metrics
from server.clock import Clock
from server.live.buses.bus import EVERYONE, Bus, Changed, Revoked, TookOver
from server.live.channel import Channel, Listener
from server.live.greeting import welcome_back, welcome_to
from server.live.hearsay import Hearsay
from server.live.messages import Since
from server.live.outbox import BAD_TOKEN, COME_BACK
from server.live.ports import Rooms
from server.live.pulse import Pulse
from server.live.resuming import Missed, find_missed
from server.live.sessions import Sessions
from server.live.tasks import Tasks
from server.live.ticker import Ticker
from server.race.daily import Daily
from server.race.errors import NotFound, Unavailable
from server.race.events import Renamed, Started
from server.race.marks import RoomMark
from server.race.room import Change, Room
from server.race.states import OVER
from server.race.views import RoomView, view_room

log = structlog.get_logger()


class Hub:
    """The channels of the rooms that this node has sockets for.

    Attributes:
        epoch: names the history that the database is in; see `begin`.
        channels: by room.
        ticker: tells how everyone stands.
        pulse: keeps dailies fresh.
    """

    def __init__(
        self, bus: Bus, *, rooms: Rooms, sessions: Sessions, clock: Clock, tasks: Tasks
    ) -> None:
        self.epoch = ""
        self.channels: dict[str, Channel] = {}
        self._bus = bus
        self._rooms = rooms
        self._sessions = sessions
        self._clock = clock
        self._tasks = tasks
        self.ticker = Ticker(self.channels, bus, clock=clock, tasks=tasks)
        self.pulse = Pulse(
            self.channels,
            rooms,
            ticker=self.ticker,
            tasks=tasks,
            catch_up=self.catch_up,
            take_over=self._take_over,
        )
        hearsay = Hearsay(
            self.channels,
            sessions=sessions,
            ticker=self.ticker,
            pulse=self.pulse,
            tasks=tasks,
            catch_up=self._catch_up_soon,
            disconnect=self.disconnect,
        )
        bus.listen(hearsay.hear)

    # Sockets

    @contextmanager
    def watching(self, room_id: str, listener: Listener) -> Iterator[Channel]:
        """Lend the room's channel to a socket; it hears nothing before `welcome`."""
        channel = self.channels.get(room_id)
        if channel is None:
            channel = self.channels[room_id] = Channel()
            self._bus.watch(room_id)
        channel.sockets.add(listener)
        try:
            yield channel
        finally:
            channel.remove(listener)
            if not channel.sockets:
                del self.channels[room_id]
                self._bus.unwatch(room_id)

    async def welcome(
        self, channel: Channel, listener: Listener, room: Room, *, since: Since | None = None
    ) -> None:
        """Take a socket in: tell it the room, or what it missed, and everything that comes after.

        Args:
            channel: of the room.
            listener: the socket.
            room: as it has just been read.
            since: where the client's knowledge ends.

        Raises:
            Unavailable: storage did not answer.
        """
        await self._open(channel, room)
        channel.newest = max(channel.newest, room.version)
        if channel.is_behind:
            await self.catch_up(channel)
        missed = None
        if since is not None and since.epoch == self.epoch:
            missed = await find_missed(self._rooms, channel, since, now_ms=self._clock.now_ms())
            if since.epoch != self.epoch:  # another history has begun meanwhile
                missed = None
        if listener.outbox.close_code is not None:
            return  # its token has been revoked meanwhile: it takes nothing over
        if since is not None:
            metrics.count_resume(recovered=missed is not None)
        # Nothing waits from here on: whatever comes next is told to everyone, the listener too.
        plays = channel.add(listener)
        if missed is None:
            self._tell_all(channel, listener)
        else:
            self._tell_missed(channel, listener, missed)
        if plays:
            self._take_over(channel, listener)
            channel.tell_news()

    async def _open(self, channel: Channel, room: Room) -> None:
        """Have a channel begin with a room; of a daily, the seats of who has a socket come too."""
        if isinstance(room, Daily):
            room = await self.pulse.refresh(room.id, channel)
        if channel.room is None:
            channel.open(room)

    def _tell_all(self, channel: Channel, listener: Listener) -> None:
        if channel.room is None:
            raise RuntimeError("a channel welcomes once its room has been read")
        view, now_ms = self._view(channel, channel.room), self._clock.now_ms()
        listener.outbox.push(welcome_to(view, channel, epoch=self.epoch, now_ms=now_ms))

    def _tell_missed(self, channel: Channel, listener: Listener, missed: Missed) -> None:
        now_ms = self._clock.now_ms()
        for frame in welcome_back(missed, channel, epoch=self.epoch, now_ms=now_ms):
            listener.outbox.push(frame)

    def _take_over(self, channel: Channel, listener: Listener) -> None:
        """Tell other nodes that a player plays on a socket here now."""
        if channel.room is not None and listener.player is not None:
            message = TookOver(player_id=listener.player.id, claim=listener.claim)
            self._bus.publish(channel.room.id, message)

    async def view(self, room: Room) -> RoomView:
        """Show a room with the freshest standings and the spectators that this node knows of.

        Raises:
            Unavailable: storage did not answer.
        """
        if isinstance(room, Daily):
            room = await self.pulse.read(room.id)
        channel = self.channels.get(room.id)
        return view_room(room) if channel is None else self._view(channel, room)

    @staticmethod
    def _view(channel: Channel, room: Room) -> RoomView:
        standings = channel.scores.standings(room)
        return view_room(room, spectators=channel.spectators, standings=standings)

    # Changes

    async def changed(self, change: Change) -> None:
        """Tell a change that this node has just written."""
        room = change.room
        self._bus.publish(room.id, Changed(version=room.version))
        await self._tell_sessions(change)
        channel = self.channels.get(room.id)
        if channel is None:
            return
        # Of a daily, the seats of who has a socket here are not in what was written.
        if isinstance(room, Daily) or not self._follow(channel, change):
            channel.newest = max(channel.newest, room.version)
            await self._catch_up_soon(channel)

    async def catch_up(self, channel: Channel) -> None:
        """Tell a room's sockets, from the database, what they have not been told.

        Raises:
            Unavailable: storage did not answer.
        """
        async with channel.catching_up:
            await self._tell_what_is_missing(channel)

    async def _tell_what_is_missing(self, channel: Channel) -> None:
        if channel.room is None:
            return
        change = await self._rooms.change_since(
            channel.room.id, channel.room.version, asked_for=channel.concerned
        )
        await self._tell_sessions(change)
        if not self._follow(channel, change):
            log.info("room.told_anew", room=change.room.id)
            self._tell_anew(channel, change.room)

    async def begin(self, epoch: str) -> None:
        """Begin another history: every socket is welcomed anew, to the rooms as they are in it.

        Sockets of a room that cannot be read, or is not there any more, are closed to come back.
        """
        self.epoch = epoch
        self._sessions.expire_all()
        for room_id, channel in list(self.channels.items()):
            channel.newest = 0
            if channel.room is None:
                continue
            try:
                room = await self._rooms.load_shown(room_id, asked_for=channel.identified)
            except (NotFound, Unavailable):
                channel.close_all(COME_BACK, "the room could not be read again; reconnect")
            else:
                self._tell_anew(channel, room)

    def games_are_behind(self, room: Room, mark: RoomMark) -> bool:
        """Whether the games held here lack moves that other nodes have written."""
        return self._sessions.are_behind(room, mark)

    def _follow(self, channel: Channel, change: Change) -> bool:
        """Tell what is new of a change; gives False where events before it are missing."""
        events = channel.follow(change)
        if events is None:
            return False
        if any(isinstance(event, Started) for event in events):
            self._enter_games(channel, change.room)
        if events:
            channel.tell_news()
        self.ticker.tick_soon(change.room.id)
        return True

    def _tell_anew(self, channel: Channel, room: Room) -> None:
        channel.open(room)
        for listener in channel.listeners:
            self._tell_all(channel, listener)
        self._enter_games(channel, room)
        channel.tell_news()

    def _enter_games(self, channel: Channel, room: Room) -> None:
        for listener in channel.players.values():
            self._tasks.start(listener.enter_game(room), name="enter_game", room=room.id)

    async def _tell_sessions(self, change: Change) -> None:
        """Let the games that this node holds know of a change, and of moves made elsewhere."""
        room = change.room
        if any(isinstance(event, Renamed) for event in change.events):
            self._sessions.rename(room)
        with suppress(Unavailable):  # the next comparison makes up for it
            seats = (*room.seats, *room.asked)
            await self._sessions.catch_up(room, [seat.entry for seat in seats])
        if room.state in OVER:  # only now: the last moves have their acks
            self._sessions.retire(room)

    async def _catch_up_soon(self, channel: Channel) -> None:
        async with channel.catching_up:
            if channel.is_behind:  # still: hints come in bursts, and one reading tells it all
                with suppress(Unavailable):  # the next comparison makes up for it
                    await self._tell_what_is_missing(channel)

    # Ends

    def revoke(self, token_id: str) -> None:
        """Close every socket, here and on other nodes, that said hello with a token."""
        self._bus.publish(EVERYONE, Revoked(token_id=token_id))
        self.disconnect(token_id)

    def count_sockets(self) -> None:
        """Tell the metrics how many sockets there are, and what they do."""
        channels = self.channels.values()
        metrics.show_sockets(
            players=sum(len(channel.players) for channel in channels),
            spectators=sum(channel.spectators for channel in channels),
            greeting=sum(len(channel.sockets) - len(channel.listeners) for channel in channels),
        )

    def disconnect(self, token_id: str) -> None:
        """Close every socket here that said hello with a token."""
        for channel in self.channels.values():
            for listener in channel.sockets:
                if listener.token_id == token_id:
                    listener.outbox.close(BAD_TOKEN, "this token is not valid any more")

    def close_all(self, code: int, reason: str) -> None:
        """Close every socket."""
        for channel in self.channels.values():
            channel.close_all(code, reason)
