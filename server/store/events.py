"""What happened in rooms lately, kept by the transaction that made it happen."""

from datetime import datetime

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.race.events import RoomEvent, read_event, write_event
from server.race.room import Room
from server.store.tables import room_events


async def keep(connection: AsyncConnection, room: Room, event: RoomEvent, *, version: int) -> None:
    """Keep the event that brought a room to a version."""
    row = {
        "room_id": room.id,
        "version": version,
        "at": room.last_event_at,
        "event": write_event(event),
    }
    await connection.execute(insert(room_events).values(row))


async def read_since(connection: AsyncConnection, room_id: str, version: int) -> list[RoomEvent]:
    """Read the events after a version, in order; the oldest may have been forgotten."""
    later = (room_events.c.room_id == room_id, room_events.c.version > version)
    query = select(room_events.c.event).where(*later).order_by(room_events.c.version)
    return [read_event(text) for text in (await connection.execute(query)).scalars()]


async def forget(connection: AsyncConnection, *, before: datetime) -> int:
    """Delete what happened before an instant; gives how many events that were."""
    old = delete(room_events).where(room_events.c.at < before)
    return (await connection.execute(old)).rowcount
