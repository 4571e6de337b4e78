"""What other nodes say, and what is done about it: hints, which only hurry."""

from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any

from server.live.buses.bus import AnyMessage, Changed, Progressed, Revoked
from server.live.channel import Channel
from server.live.pulse import Pulse
from server.live.sessions import Sessions
from server.live.tasks import Tasks
from server.live.ticker import Ticker
from server.race.daily import Daily
from server.race.errors import Unavailable
from server.race.standings import Entry


class Hearsay:
    """Follows up what is heard on the bus, for the rooms that this node has sockets for."""

    def __init__(
        self,
        channels: Mapping[str, Channel],
        *,
        sessions: Sessions,
        ticker: Ticker,
        pulse: Pulse,
        tasks: Tasks,
        catch_up: Callable[[Channel], Coroutine[Any, Any, None]],
        disconnect: Callable[[str], None],
    ) -> None:
        self._channels = channels
        self._sessions = sessions
        self._ticker = ticker
        self._pulse = pulse
        self._tasks = tasks
        self._catch_up = catch_up
        self._disconnect = disconnect

    def hear(self, topic: str, message: AnyMessage) -> None:
        """Take what was said about a topic; returns at once."""
        if isinstance(message, Revoked):
            self._disconnect(message.token_id)
        elif (channel := self._channels.get(topic)) is None:
            return
        elif isinstance(message, Changed):
            channel.newest = max(channel.newest, message.version)
            if channel.is_behind:
                self._tasks.start(self._catch_up(channel), name="catch_up", room=topic)
        elif isinstance(message, Progressed):
            self._progressed(topic, channel, message.entries)
        else:
            channel.yield_to(message.player_id, message.claim)

    def _progressed(self, room_id: str, channel: Channel, entries: list[Entry]) -> None:
        channel.scores.fold(entries)
        self._ticker.tick_soon(room_id)
        self._tasks.start(self._catch_up_games(channel, entries), name="games", room=room_id)
        if isinstance(channel.room, Daily):
            self._pulse.let_in_soon(room_id, {entry.player.id for entry in entries})

    async def _catch_up_games(self, channel: Channel, entries: list[Entry]) -> None:
        if channel.room is not None:
            with suppress(Unavailable):  # the next comparison makes up for it
                await self._sessions.catch_up(channel.room, entries)
