"""Who watches which room on this node, and what they are told."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from server.clock import Clock, now
from server.live.bus import Bus
from server.live.channel import Channel, Listener, how_far
from server.live.messages import StandingsFrame, Welcome, encode
from server.live.tasks import Tasks
from server.race.events import Joined, Left, PlayerKicked, RoomEvent, Started
from server.race.instants import instant
from server.race.room import Room
from server.race.standings import Entry
from server.race.states import ENDED
from server.race.views import RoomView, view_room

TICK_S = 0.1  # the standings of a room are published at most this often


class Hub:
    """The channels of the rooms that this node has sockets for."""

    def __init__(self, bus: Bus, *, clock: Clock, tasks: Tasks) -> None:
        self._bus = bus
        self._clock = clock
        self._tasks = tasks
        self._channels: dict[str, Channel] = {}
        self._changed: dict[str, dict[str, Entry]] = {}
        bus.subscribe(self._deliver)

    @contextmanager
    def watching(self, room_id: str, listener: Listener) -> Iterator[Channel]:
        """Lend the room's channel to a socket; it hears nothing before `welcome`.

        The channel learns of every change from now on, so that a room read afterwards can be
        compared with it.
        """
        channel = self._channels.setdefault(room_id, Channel())
        channel.sockets.add(listener)
        try:
            yield channel
        finally:
            channel.remove(listener)
            if not channel.sockets:
                del self._channels[room_id]

    def welcome(self, channel: Channel, listener: Listener) -> None:
        """Take a socket in: tell it the room as it is, and everything that comes after."""
        plays = channel.add(listener)
        if channel.room is None:
            raise RuntimeError("a channel welcomes once its room has been read")
        frame = Welcome(
            epoch=self._bus.epoch,
            offset=self._bus.offset,
            recovered=False,
            server_time=instant(now(self._clock)),
            room=self._view(channel, channel.room),
        )
        listener.outbox.push(encode(frame))
        if plays:
            self._tell_news(channel)

    def view(self, room: Room) -> RoomView:
        """Show a room with the freshest standings and the spectators that this node knows of."""
        channel = self._channels.get(room.id)
        return view_room(room) if channel is None else self._view(channel, room)

    def renew(self, room: Room) -> None:
        """Take over a room that has just been changed, before its events are published."""
        channel = self._channels.get(room.id)
        if channel is not None:
            channel.renew(room)
        changed = self._changed.get(room.id, {})
        if room.state == "finished":
            changed.clear()  # `finished` tells them all, and nothing older may follow it
        for seat in room.seats:
            entry = changed.get(seat.player.id)
            if entry is not None:
                changed[seat.player.id] = replace(entry, player=seat.player)

    def progress(self, room_id: str, entry: Entry) -> None:
        """Have a changed entry published with the room's next standings."""
        changed = self._changed.get(room_id)
        if changed is None:
            self._changed[room_id] = {entry.player.id: entry}
            self._tasks.start(self._publish_standings(room_id), name="standings")
        elif (known := changed.get(entry.player.id)) is None or how_far(entry) >= how_far(known):
            changed[entry.player.id] = entry

    def disconnect_token(self, token_id: str, *, code: int, reason: str) -> None:
        """Close every socket that said hello with a token."""
        for channel in self._channels.values():
            for listener in channel.sockets:
                if listener.token_id == token_id:
                    listener.outbox.close(code, reason)

    def close_all(self, code: int, reason: str) -> None:
        """Close every socket."""
        for channel in self._channels.values():
            for listener in channel.sockets:
                listener.outbox.close(code, reason)

    @staticmethod
    def _view(channel: Channel, room: Room) -> RoomView:
        return view_room(room, spectators=channel.spectators, standings=channel.standings(room))

    async def _publish_standings(self, room_id: str) -> None:
        """Publish what has changed, again and again while there is something."""
        try:
            while changed := self._changed[room_id]:
                self._changed[room_id] = {}
                at = instant(now(self._clock))
                frame = StandingsFrame(at=at, entries=list(changed.values()))
                await self._bus.publish(room_id, frame)
                await asyncio.sleep(TICK_S)
        finally:
            del self._changed[room_id]

    def _deliver(self, room_id: str, event: RoomEvent) -> None:
        channel = self._channels.get(room_id)
        if channel is None:
            return
        if isinstance(event, StandingsFrame):
            channel.fold(event.entries)
        channel.broadcast(encode(event))
        match event:
            case Joined(player=player):
                channel.promote(player.id)
            case Left(player=player) | PlayerKicked(player=player):
                channel.demote(player.id)
            case Started():
                self._start_games(room_id, channel)
            case _:
                pass
        if not isinstance(event, StandingsFrame) or any(e.state in ENDED for e in event.entries):
            self._tell_news(channel)

    def _start_games(self, room_id: str, channel: Channel) -> None:
        for listener in channel.players.values():
            self._tasks.start(listener.enter_game(), name="enter_game")
        if channel.room is not None:
            for seat in channel.room.seats:
                self.progress(room_id, seat.entry)

    @staticmethod
    def _tell_news(channel: Channel) -> None:
        for listener, news in channel.news():
            listener.outbox.push(encode(news))
