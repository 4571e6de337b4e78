"""Counting everything anew from the raw games, for who runs the server: `canfield-race recount`."""

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import TypeVar

from sqlalchemy import Column, Row, delete, func, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.counting import A_DAY_BEFORE_RACES, RECOUNT_LOCK
from server.store.database import Database
from server.store.ratings import rate_rooms
from server.store.tables import (
    UNSETTLED,
    games,
    player_days,
    player_totals,
    rating_changes,
    ratings,
    rooms,
)
from server.store.totals import count, write_runs

IdT = TypeVar("IdT", str, int)

AT_ONCE = 5000
"""Rows that one statement reads: none may take as long as a database is waited for."""

RACES_AT_ONCE = 200
"""Races whose rating changes are written together."""


async def recount(database: Database) -> int:
    """Make totals, runs of days and ratings anew from the games; gives of how many rooms.

    All in one transaction: boards are read as they were until the new ones are there. Rooms may
    finish meanwhile, and are counted afterwards, as unsettled ones. Rooms are rated in the order in
    which they were before, so that the same comes of it, and after them those that never were.

    Raises:
        Unavailable: the database did not answer; nothing has changed.
    """
    async with database.write() as connection:
        if not database.is_sqlite:
            await connection.execute(select(func.pg_advisory_xact_lock(RECOUNT_LOCK)))
        rated = await _read_record(connection)
        await _forget(connection)
        async for behind, up_to in _parts(connection, rooms.c.id, first=""):
            due = (UNSETTLED, rooms.c.id > behind, rooms.c.id <= up_to, ~A_DAY_BEFORE_RACES)
            await connection.execute(update(rooms).where(*due).values(settled=True))
        dailies = select(rooms).where(rooms.c.settled, rooms.c.kind == "daily")
        for daily in (await connection.execute(dailies.order_by(rooms.c.started_at))).all():
            await write_runs(connection, daily)
        for some_rooms in _batches(rated + await _read_unrated(connection, rated)):
            await rate_rooms(connection, some_rooms)
        if not database.is_sqlite:  # it knows them as they were, and would plan for empty tables
            await connection.execute(text("ANALYZE player_days, rating_changes"))
        async for behind, up_to in _parts(connection, games.c.player_id, first=""):
            await count(connection, "settled", behind=behind, up_to=up_to)
        settled = select(func.count()).select_from(rooms).where(rooms.c.settled)
        return int((await connection.execute(settled)).scalar_one())


async def _read_record(connection: AsyncConnection) -> list[Row[str, str]]:
    """Give the rooms that have been rated, with their kinds, in the order in which they were."""
    record = (
        select(rooms.c.id, rooms.c.kind)
        .join_from(rating_changes, rooms, rooms.c.id == rating_changes.c.room_id)
        .group_by(rooms.c.id, rooms.c.kind)
        .order_by(func.min(rating_changes.c.id))
    )
    return list((await connection.execute(record)).all())


async def _read_unrated(
    connection: AsyncConnection, rated: Sequence[Row[str, str]]
) -> list[Row[str, str]]:
    """Give the rooms that might be rated and never were, the oldest first."""
    done = {room.id for room in rated}
    might = (rooms.c.settled, rooms.c.sealed, rooms.c.ranked)
    query = select(rooms.c.id, rooms.c.kind).where(*might)
    found = await connection.execute(query.order_by(rooms.c.started_at, rooms.c.id))
    return [room for room in found if room.id not in done]


async def _forget(connection: AsyncConnection) -> None:
    """Delete all that is made from games."""
    async for _, up_to in _parts(connection, rating_changes.c.id, first=0):
        await connection.execute(delete(rating_changes).where(rating_changes.c.id <= up_to))
    for table in (player_totals, player_days, ratings):
        async for _, up_to in _parts(connection, table.c.player_id, first=""):
            await connection.execute(delete(table).where(table.c.player_id <= up_to))


async def _parts(
    connection: AsyncConnection, column: Column[IdT], *, first: IdT
) -> AsyncIterator[tuple[IdT, IdT]]:
    """Cut a table by a column into parts of not too many rows: behind one value, up to another."""
    while True:
        part = select(column).where(column > first).order_by(column).limit(AT_ONCE).subquery()
        last: IdT | None = (await connection.execute(select(func.max(part.c[0])))).scalar_one()
        if last is None:
            return
        yield first, last
        first = last


def _batches(order: Sequence[Row[str, str]]) -> Iterator[list[str]]:
    """Cut an order of rooms where there are enough, and around each daily: they may be large."""
    batch: list[str] = []
    for room in order:
        if batch and (room.kind == "daily" or len(batch) == RACES_AT_ONCE):
            yield batch
            batch = []
        batch.append(room.id)
        if room.kind == "daily":
            yield batch
            batch = []
    if batch:
        yield batch
