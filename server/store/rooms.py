"""Rooms: read whole, changed by compare-and-set on their version."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace
from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    and_,
    delete,
    exists,
    insert,
    literal,
    not_,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from server.race.daily import Daily
from server.race.errors import NotFound
from server.race.events import (
    Finished,
    Joined,
    Left,
    PlayerKicked,
    ReadyChanged,
    RoomEvent,
    Started,
)
from server.race.proof import Opening, Proof
from server.race.room import Change, Room
from server.race.seat import Seat
from server.store import daily_seats
from server.store import events as kept_events
from server.store.counting import settle_race
from server.store.database import Database
from server.store.proofs import keep_proof
from server.store.room_rows import (
    DAILY,
    ROOM_NAMES,
    SEAT_COLUMNS,
    SEAT_NAMES,
    changing_values,
    new_values,
    room_of,
    seat_of,
    seat_values,
)
from server.store.tables import Moment, games, players, rooms


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
                await _insert(connection, Opening(room, proof), idempotency_key)
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
            found = await _read(connection, select(rooms).where(mine))
        return found[0] if found else None

    async def load(self, room_id: str) -> Room:
        """Read a race with everyone in it, or a daily without its seats.

        Raises:
            NotFound: no such room.
            Unavailable: the database did not answer.
        """
        async with self._database.glance() as connection:
            return await _read_one(connection, room_id)

    async def load_shown(self, room_id: str, *, asked_for: Collection[str] = ()) -> Room:
        """Read a room with everyone in it who is shown, in one snapshot.

        Of a daily, that is the first hundred, and the players asked for.

        Raises:
            NotFound: no such room.
            Unavailable: the database did not answer.
        """
        async with self._database.read() as connection:
            return await _show(connection, await _read_one(connection, room_id), asked_for)

    async def change_since(
        self, room_id: str, version: int, *, asked_for: Collection[str] = ()
    ) -> Change:
        """Read a room, as `load_shown` does, with what happened in it since a version.

        Raises:
            NotFound: no such room.
            Unavailable: the database did not answer.
        """
        async with self._database.read() as connection:
            room = await _show(connection, await _read_one(connection, room_id), asked_for)
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
        before = room.version - len(events)
        unchanged = and_(rooms.c.id == room.id, rooms.c.version == before)
        try:
            async with self._database.write() as connection:
                if opening is not None:
                    await _insert(connection, opening, None)
                if isinstance(room, Daily) and isinstance(events[-1], Finished):
                    _go_on_if(not await daily_seats.someone_races(connection, room.id))
                written = await connection.execute(
                    update(rooms).where(unchanged).values(changing_values(room))
                )
                _go_on_if(written.rowcount)
                for version, event in enumerate(events, start=before + 1):
                    await _write_event(connection, room, event)
                    await kept_events.keep(connection, room, event, version=version)
        except _Overtaken:
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
            return await _read(connection, query)

    async def of_player(self, player_id: str) -> list[str]:
        """Name the rooms, not over yet, in which a player has a seat."""
        query = (
            select(rooms.c.id)
            .join(games, games.c.room_id == rooms.c.id)
            .where(games.c.player_id == player_id, rooms.c.state.not_in(["finished", "cancelled"]))
        )
        async with self._database.read() as connection:
            return list((await connection.execute(query)).scalars())


class _Overtaken(Exception):
    """The room is not as it was read any more: the transaction is rolled back."""


def _go_on_if(so: object) -> None:
    if not so:
        raise _Overtaken


async def _insert(
    connection: AsyncConnection, opening: Opening, idempotency_key: str | None
) -> None:
    room = opening.room
    values = new_values(room, idempotency_key=idempotency_key)
    await connection.execute(insert(rooms).values(values))
    for place, seat in enumerate(room.seats):
        await connection.execute(insert(games).values(seat_values(room, seat, place=place)))
    if opening.proof is not None:
        await keep_proof(connection, room.id, opening.proof)


async def _read_one(connection: AsyncConnection, room_id: str) -> Room:
    found = await _read(connection, select(rooms).where(rooms.c.id == room_id))
    if not found:
        raise NotFound(f"no room {room_id!r}; GET /api/v1/rooms lists those there are")
    return found[0]


async def _show(connection: AsyncConnection, room: Room, asked_for: Collection[str]) -> Room:
    """Give a room with its seats, those of a daily as far as they are shown or asked for."""
    if not isinstance(room, Daily):
        return room
    window = await daily_seats.read_window(
        connection, room.id, finished=room.state == "finished", asked_for=asked_for
    )
    return replace(room, seats=window.shown, asked=window.asked)


async def _read(connection: AsyncConnection, which: Select[Any]) -> list[Room]:
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


async def _write_event(connection: AsyncConnection, room: Room, event: RoomEvent) -> None:
    """Write what an event did to the seats; their progress while racing is the journal's."""
    here = games.c.room_id == room.id
    match event:
        case Joined(player=player):
            seat = room.seat_of(player.id)
            if seat is not None:
                row = seat_values(room, seat, place=room.version)
                await connection.execute(insert(games).values(row))
        case Left(player=player) | PlayerKicked(player=player):
            await connection.execute(delete(games).where(here, games.c.player_id == player.id))
        case ReadyChanged(player=player, ready=ready):
            state = "ready" if ready else "joined"
            mine = games.c.player_id == player.id
            await connection.execute(update(games).where(here, mine).values(state=state))
        case Started() if room.seats:
            first = room.seats[0]
            start = {"state": "racing", "placed": first.placed, "score": first.score}
            await connection.execute(update(games).where(here).values(start))
        case Finished() if isinstance(room, Daily):
            await daily_seats.write_ranks(connection, room.id)
        case Finished():
            for seat in sorted(room.seats, key=lambda seat: seat.game_id):
                mine = games.c.id == seat.game_id
                await connection.execute(update(games).where(mine).values(rank=seat.rank))
            await settle_race(connection, room.id)
        case _:
            pass
