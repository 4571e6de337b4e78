"""Carrying a room's events to everyone who watches it."""

from collections.abc import Callable
from typing import Protocol

from server.race.events import RoomEvent

Deliver = Callable[[str, RoomEvent], None]
"""Takes a room's id and an event of it, its `offset` given."""


class Bus(Protocol):
    """A stream of events for each room.

    Attributes:
        epoch: names the streams; offsets of another epoch mean nothing in this one.
    """

    epoch: str

    def subscribe(self, deliver: Deliver) -> None:
        """Have every event delivered from now on, in the order of its room's offsets."""

    async def publish(self, room_id: str, event: RoomEvent) -> None:
        """Give an event its offset and deliver it to every subscriber."""

    @property
    def offset(self) -> int:
        """The newest offset given: whatever is published later has a greater one."""


class MemoryBus:
    """The bus of a server that is one process: it delivers at once."""

    def __init__(self, epoch: str) -> None:
        self.epoch = epoch
        self._offset = 0
        self._subscribers: list[Deliver] = []

    @property
    def offset(self) -> int:
        """The newest offset given; all rooms count together, so a room's offsets skip."""
        return self._offset

    def subscribe(self, deliver: Deliver) -> None:
        """Have every event delivered from now on."""
        self._subscribers.append(deliver)

    async def publish(self, room_id: str, event: RoomEvent) -> None:
        """Give an event the next offset and deliver it."""
        self._offset += 1
        event.offset = self._offset
        for deliver in self._subscribers:
            deliver(room_id, event)
