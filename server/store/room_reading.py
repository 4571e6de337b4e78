"""Reading rooms: a race with everyone in it, a daily with no more seats than are needed."""

from collections.abc import Collection
from typing import Any

from msgspec.structs import replace
from sqlalchemy import Row, Select, and_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.race.daily import Daily
from server.race.errors import NotFound
from server.race.room import Room
from server.race.seat import Seat
from server.store import daily_seats
from server.store.room_rows import DAILY, ROOM_NAMES, SEAT_COLUMNS, SEAT_NAMES, room_of, seat_of
from server.store.tables import games, players, rooms


async def read_room(connection: AsyncConnection, room_id: str) -> Room:
    """Read a race with everyone in it, or a daily without its seats.

    Raises:
        NotFound: no such room.
    """
    found = await read_rooms(connection, select(rooms).where(rooms.c.id == room_id))
    if not found:
        raise NotFound(f"no room {room_id!r}; GET /api/v1/rooms lists those there are")
    return found[0]


async def show_seats(connection: AsyncConnection, room: Room, asked_for: Collection[str]) -> Room:
    """Give a room with its seats, those of a daily as far as they are shown or asked for."""
    if not isinstance(room, Daily):
        return room
    window = await daily_seats.read_window(
        connection, room.id, finished=room.state == "finished", asked_for=asked_for
    )
    return replace(room, seats=window.shown, asked=window.asked)


async def read_rooms(connection: AsyncConnection, which: Select[Any]) -> list[Room]:
    """Read rooms, newest first, by one statement, and by one more for each daily."""
    room = which.subquery()
    in_a_race = and_(games.c.room_id == room.c.id, room.c.kind != DAILY)
    with_seats = room.outerjoin(games, in_a_race).outerjoin(
        players, players.c.id == games.c.player_id
    )
    order = (room.c.created_at.desc(), room.c.id.desc(), games.c.seat)
    query = select(room, *SEAT_COLUMNS).select_from(with_seats).order_by(*order)
    found: dict[str, tuple[Row[Any], list[Seat]]] = {}
    for row in await connection.execute(query):
        _, seats = found.setdefault(row.id, (row, []))
        seat = row[len(ROOM_NAMES) :]
        if seat[0] is not None:
            seats.append(seat_of(dict(zip(SEAT_NAMES, seat, strict=True))))
    read = []
    for row, seats in found.values():
        values = dict(zip(ROOM_NAMES, row, strict=False))
        if row.kind == DAILY:
            numbers = await daily_seats.read_numbers(connection, row.id)
            read.append(room_of(values, [], **numbers))
        else:
            read.append(room_of(values, seats))
    return read
