"""Dailies as their sockets see them: read again every second, whatever their number of players.

A daily's room holds its first hundred and the players who have a socket here, no more; joining is
no event of it. So who is among the hundred, and who plays by now, is learned by reading it.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress

from server.live.channel import Channel, Listener
from server.live.ports import Rooms
from server.live.rounds import go_on
from server.live.sharing import Shared
from server.live.tasks import Tasks
from server.live.ticker import Ticker
from server.race.daily import Daily
from server.race.errors import Unavailable
from server.race.room import Room
from server.race.seat import Seat

EVERY_S = 1.0


class Pulse:
    """Keeps the dailies that this node has sockets for fresh."""

    def __init__(
        self,
        channels: Mapping[str, Channel],
        rooms: Rooms,
        *,
        ticker: Ticker,
        tasks: Tasks,
        catch_up: Callable[[Channel], Awaitable[None]],
        take_over: Callable[[Channel, Listener], None],
    ) -> None:
        self._channels = channels
        self._rooms = rooms
        self._ticker = ticker
        self._tasks = tasks
        self._catch_up = catch_up
        self._take_over = take_over
        self._readings = Shared(self._read)

    async def run(self) -> None:
        """Beat every second, for as long as it runs."""
        await go_on(self.beat, name="pulse", every_s=EVERY_S)

    async def beat(self) -> None:
        """Read each daily once, and tell players who race how they stand.

        Raises:
            Unavailable: storage did not answer.
        """
        for room_id, channel in list(self._channels.items()):
            if isinstance(channel.room, Daily) and channel.room.state == "racing":
                await self.refresh(room_id, channel)
                channel.tell_news(racing_too=True)

    def entered(self, daily: Daily, seat: Seat) -> None:
        """Tell that a player has joined a daily on this node."""
        self._ticker.progress(daily.id, seat.entry)
        self.let_in_soon(daily.id, {seat.player.id})

    def let_in_soon(self, room_id: str, player_ids: Collection[str]) -> None:
        """Let players play who are in a daily, as they were just heard of, and only watch here."""
        channel = self._channels.get(room_id)
        if channel is not None and channel.has_waiting(player_ids):
            self._tasks.start(self._refresh_soon(room_id, channel), name="refresh", room=room_id)

    async def read(self, room_id: str) -> Room:
        """Read a daily with its first hundred, once for all who ask at about the same time.

        Raises:
            Unavailable: storage did not answer.
        """
        return await self._readings.read(room_id)

    async def refresh(self, room_id: str, channel: Channel) -> Room:
        """Read a daily again: who is among the first hundred, and how players here stand.

        Sockets of players who have joined meanwhile play from now on. Gives what was read.

        Raises:
            Unavailable: storage did not answer.
        """
        room = await self.read(room_id)
        known = channel.room
        if known is None or room.version < known.version:
            return room
        if room.version > known.version:
            channel.newest = max(channel.newest, room.version)
            await self._catch_up(channel)
            return room
        for listener in channel.refresh(room):
            self._tasks.start(self._let_in(channel, listener, room), name="let_in", room=room_id)
        self._ticker.tick_soon(room_id)
        return room

    async def _read(self, room_id: str) -> Room:
        channel = self._channels.get(room_id)
        asked_for = () if channel is None else channel.concerned
        return await self._rooms.load_shown(room_id, asked_for=asked_for)

    async def _refresh_soon(self, room_id: str, channel: Channel) -> None:
        with suppress(Unavailable):  # the next beat makes up for it
            await self.refresh(room_id, channel)

    async def _let_in(self, channel: Channel, listener: Listener, room: Room) -> None:
        self._take_over(channel, listener)
        channel.tell_news()
        await listener.enter_game(room)
