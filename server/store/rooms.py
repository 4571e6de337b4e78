"""Rooms: read whole, changed by compare-and-set on their version."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, and_, exists, literal, not_, or_, select, tuple_
from sqlalchemy.exc import IntegrityError

from server.race.events import RoomEvent
from server.race.proof import Opening, Proof
from server.race.room import Change, Room
from server.store import events as kept_events
from server.store.database import Database
from server.store.room_changes import Overtaken, insert_room, write_change
from server.store.room_reading import read_room, read_rooms, show_seats
from server.store.room_rows import DAILY
from server.store.tables import Moment, games, rooms


class Rooms:
    """The rooms of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(
        self, room: Room, *, idempotency_key: str | None = None, proof: Proof | None = None
    ) -> Room:
        """Keep a new room; gives the one that its host made with the same key, if there is one.

        `proof` is kept with it: that its deal can be won.

        Raises:
            Unavailable: the database did not answer.
        """
        try:
            async with self._database.write() as connection:
                await insert_room(connection, Opening(room, proof), idempotency_key=idempotency_key)
        except IntegrityError:
            made = None
            if idempotency_key is not None and room.host_id is not None:
                made = await self.made_with(idempotency_key, host_id=room.host_id)
            if made is None:
                raise
            return made
        return room

    async def made_with(self, idempotency_key: str, *, host_id: str) -> Room | None:
        """Give the room that this player made with this key, or None."""
        mine = and_(rooms.c.created_by == host_id, rooms.c.idempotency_key == idempotency_key)
        async with self._database.glance() as connection:
            found = await read_rooms(connection, select(rooms).where(mine))
        return found[0] if found else None

    async def load(self, room_id: str) -> Room:
        """Read a race with everyone in it, or a daily without its seats.

        Raises:
            NotFound: no such room.
            Unavailable: the database did not answer.
        """
        async with self._database.glance() as connection:
            return await read_room(connection, room_id)

    async def load_shown(self, room_id: str, *, asked_for: Collection[str] = ()) -> Room:
        """Read a room with everyone in it who is shown, in one snapshot.

        Of a daily, that is the first hundred, and the players asked for.

        Raises:
            NotFound: no such room.
            Unavailable: the database did not answer.
        """
        async with self._database.read() as connection:
            return await show_seats(connection, await read_room(connection, room_id), asked_for)

    async def change_since(
        self, room_id: str, version: int, *, asked_for: Collection[str] = ()
    ) -> Change:
        """Read a room, as `load_shown` does, with what happened in it since a version.

        Raises:
            NotFound: no such room.
            Unavailable: the database did not answer.
        """
        async with self._database.read() as connection:
            room = await show_seats(connection, await read_room(connection, room_id), asked_for)
            events = await kept_events.read_since(connection, room_id, version)
        return Change(room=room, events=events)

    async def save(
        self, room: Room, events: Sequence[RoomEvent], *, opening: Opening | None = None
    ) -> bool:
        """Write a change, unless somebody else has changed the room since it was read.

        Args:
            room: as it is after `events`.
            events: what was done to it, in order.
            opening: a new room, kept if and only if the change is written.

        The events are kept for a while, for `change_since`. Gives whether it was written; if not,
        nothing was.
        """
        try:
            async with self._database.write() as connection:
                if opening is not None:
                    await insert_room(connection, opening)
                await write_change(connection, room, events)
        except Overtaken:
            return False
        return True

    async def due(self, at: datetime, *, limit: int = 100) -> list[str]:
        """Name rooms that have a change due: by the clock, or because nobody races any more.

        Those that have been due for longest come first.
        """
        racing = and_(games.c.room_id == rooms.c.id, games.c.state == "racing")
        race = and_(rooms.c.state == "racing", rooms.c.kind != DAILY)
        deserted = and_(race, ~exists().where(racing))
        query = (
            select(rooms.c.id)
            .where(or_(rooms.c.due_at <= at, deserted))
            .order_by(rooms.c.due_at, rooms.c.id)
            .limit(limit)
        )
        async with self._database.read() as connection:
            return list((await connection.execute(query)).scalars())

    async def forget_events(self, *, before: datetime) -> int:
        """Delete events so old that nobody goes on from there any more; gives how many."""
        async with self._database.write() as connection:
            return await kept_events.forget(connection, before=before)

    async def lobby(
        self,
        *,
        state: str | None,
        kind: str | None,
        limit: int,
        after: tuple[datetime, str] | None,
    ) -> list[Room]:
        """List public rooms, newest first; `after` is the last one of the page before.

        Dailies of days to come are not among them.
        """
        to_come = and_(rooms.c.kind == DAILY, rooms.c.state == "open")
        wanted: list[ColumnElement[bool]] = [rooms.c.visibility == "public", not_(to_come)]
        if state is not None:
            wanted.append(rooms.c.state == state)
        if kind is not None:
            wanted.append(rooms.c.kind == kind)
        if after is not None:
            last = tuple_(literal(after[0], Moment), literal(after[1]))
            wanted.append(tuple_(rooms.c.created_at, rooms.c.id) < last)
        newest_first = (rooms.c.created_at.desc(), rooms.c.id.desc())
        query = select(rooms).where(*wanted).order_by(*newest_first).limit(limit)
        async with self._database.glance() as connection:
            return await read_rooms(connection, query)

    async def of_player(self, player_id: str) -> list[str]:
        """Name the rooms, not over yet, in which a player has a seat."""
        query = (
            select(rooms.c.id)
            .join(games, games.c.room_id == rooms.c.id)
            .where(games.c.player_id == player_id, rooms.c.state.not_in(["finished", "cancelled"]))
        )
        async with self._database.read() as connection:
            return list((await connection.execute(query)).scalars())
