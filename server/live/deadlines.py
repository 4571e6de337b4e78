"""Timers for what is due, backed by a sweep: deadlines live in the database, timers only hurry."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

import structlog

from server.clock import Clock, now
from server.live.ports import Rooms
from server.live.rounds import go_on
from server.live.tasks import Tasks
from server.race.errors import Unavailable
from server.race.room import Room

log = structlog.get_logger()

SWEEP_S = 1.0  # how often the database is asked for what is due
LOOKAHEAD = timedelta(seconds=5)  # how early a timer is armed, so that starts are punctual


class Deadlines:
    """Calls `on_due` with the id of every room that has a change due, soon after it is due."""

    def __init__(self, rooms: Rooms, *, clock: Clock, tasks: Tasks) -> None:
        self._rooms = rooms
        self._clock = clock
        self._tasks = tasks
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self.on_due: Callable[[str], Awaitable[object]] | None = None

    def arm(self, room: Room) -> None:
        """Set the timer for a room's next change, or take it away."""
        timer = self._timers.pop(room.id, None)
        if timer is not None:
            timer.cancel()
        if room.due_at is None:
            return
        wait = room.due_at - now(self._clock)
        if wait < LOOKAHEAD:
            delay_s = max(0.0, wait.total_seconds())
            loop = asyncio.get_running_loop()
            self._timers[room.id] = loop.call_later(delay_s, self.ring, room.id)

    def ring(self, room_id: str) -> None:
        """Have a room looked at now."""
        self._timers.pop(room_id, None)
        self._tasks.start(self._look_at(room_id), name="deadline", room=room_id)

    async def sweep(self) -> None:
        """Look at what is overdue or due soon, every second, for as long as it runs."""
        await go_on(self.sweep_once, name="sweep", every_s=SWEEP_S)

    async def sweep_once(self) -> None:
        """Look at what is overdue or due soon; raises `Unavailable` as the rooms do."""
        for room_id in await self._rooms.due(now(self._clock) + LOOKAHEAD):
            if room_id not in self._timers:
                self.ring(room_id)

    async def _look_at(self, room_id: str) -> None:
        if self.on_due is None:
            return
        try:
            await self.on_due(room_id)
        except Unavailable:
            log.warning("room.left_to_the_next_sweep", room=room_id)
