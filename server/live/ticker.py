"""Telling how everyone stands, gathered: at most ten times a second and room."""

import asyncio
from collections.abc import Mapping

from server import metrics
from server.clock import Clock
from server.live.buses.bus import Bus, Progressed
from server.live.channel import Channel
from server.live.messages import encode
from server.live.tasks import Tasks
from server.race.standings import Entry
from server.race.states import ENDED

TICK_S = 0.1


class Ticker:
    """Tells rooms' sockets here, and other nodes, which players have come further."""

    def __init__(
        self, channels: Mapping[str, Channel], bus: Bus, *, clock: Clock, tasks: Tasks
    ) -> None:
        self._channels = channels
        self._bus = bus
        self._clock = clock
        self._tasks = tasks
        self._unsent: dict[str, dict[str, Entry]] = {}  # what other nodes have not been told
        self._ticking: set[str] = set()

    @property
    def is_at_rest(self) -> bool:
        """Whether everything has been told."""
        return not self._ticking

    def progress(self, room_id: str, entry: Entry) -> None:
        """Have an entry, changed on this node, told here and to other nodes."""
        self._unsent.setdefault(room_id, {})[entry.player.id] = entry
        channel = self._channels.get(room_id)
        if channel is not None:
            channel.scores.fold([entry])
        self.tick_soon(room_id)

    def tick_soon(self, room_id: str) -> None:
        """Have told what is untold: at once, or a tick after it was last told."""
        if room_id not in self._ticking:
            self._ticking.add(room_id)
            self._tasks.start(self._tick(room_id), name="standings", room=room_id)

    async def _tick(self, room_id: str) -> None:
        """Tell what has changed, again and again while there is something."""
        loop = asyncio.get_running_loop()
        try:
            began_s = loop.time()
            while self._tell(room_id):
                await asyncio.sleep(began_s + TICK_S - loop.time())
                began_s = loop.time()
        finally:
            self._ticking.discard(room_id)

    def _tell(self, room_id: str) -> bool:
        """Tell the room's sockets and the other nodes; gives whether there was anything."""
        unsent = list(self._unsent.pop(room_id, {}).values())
        if unsent:
            self._bus.publish(room_id, Progressed(entries=unsent))
        channel = self._channels.get(room_id)
        frame = None if channel is None else channel.standings_frame(now_ms=self._clock.now_ms())
        if channel is not None and frame is not None:
            channel.broadcast(encode(frame))
            metrics.STANDINGS_SENT.inc(len(channel.listeners))
            if any(entry.state in ENDED for entry in frame.entries):
                channel.tell_news()
        return bool(unsent) or frame is not None
