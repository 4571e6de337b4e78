"""Counting finished games into what the leaderboards are read from: each game once, by sets.

Whoever counts first locks the room and then its players, in their order: so two nodes never count a
game twice, no rating is lost between them, and none waits for the other in a circle.
"""

from collections.abc import Sequence
from typing import Any, Literal

from sqlalchemy import ColumnElement, Row, and_, exists, func, or_, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.database import Database
from server.store.ratings import publish, rate_rooms
from server.store.tables import UNSETTLED, games, players, rooms
from server.store.totals import count, write_runs

CHUNK = 500
"""Games of a daily that are counted by one transaction."""

RECOUNT_LOCK = 454787519  # ours among the advisory locks of a database; any number would do

_earlier = rooms.alias("earlier")


def _a_day_before(which: ColumnElement[bool]) -> ColumnElement[bool]:
    """Compare: is a daily, and an earlier one is like this."""
    earlier = and_(_earlier.c.kind == "daily", _earlier.c.started_at < rooms.c.started_at)
    return and_(rooms.c.kind == "daily", exists().where(earlier, which))


A_DAY_BEFORE_RACES = _a_day_before(_earlier.c.state == "racing")
A_DAY_BEFORE_IS_UNSETTLED = _a_day_before(and_(_earlier.c.state == "finished", ~_earlier.c.settled))
"""Dailies that have to wait for an earlier one: runs of days grow day by day."""

Outcome = Literal["more", "settled", "later"]


class Counting:
    """Counts the finished rooms of a database that have not been counted when they finished."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def unsettled(self, limit: int = 100) -> list[str]:
        """Name finished rooms that are still to be settled, in the order to do it in."""
        query = select(rooms.c.id).where(UNSETTLED).order_by(rooms.c.started_at, rooms.c.id)
        async with self._database.glance() as connection:
            return list((await connection.execute(query.limit(limit))).scalars())

    async def settle(self, room_id: str) -> bool:
        """Count what is left to count of a room; gives whether nothing is left now.

        A daily is done in many transactions and goes on wherever it was left. What is left has to
        wait while the room races, an earlier daily is not settled, or a recount is under way.

        Raises:
            Unavailable: the database did not answer.
        """
        outcome: Outcome = "more"
        while outcome == "more":
            async with self._database.write() as connection:
                outcome = await _settle_some(connection, room_id)
        return outcome == "settled"


async def settle_race(connection: AsyncConnection, room_id: str) -> None:
    """Count a race, in the transaction that has just finished it and written its ranks.

    During a recount nothing is done: the room stays among the unsettled.
    """
    room = await _lock(connection, room_id)
    if room is not None and not room.settled:
        await _settle_race(connection, room)


async def _settle_some(connection: AsyncConnection, room_id: str) -> Outcome:
    room = await _lock(connection, room_id)
    if room is None or room.waits:
        return "later"
    if room.settled:
        return "settled"
    if room.kind != "daily" or not room.ranked:
        await _settle_race(connection, room)
        return "settled"
    chunk = await _lock_players(connection, room_id, games.c.counted_on.is_(None), limit=CHUNK)
    if not chunk:
        await _lock_players(connection, room_id, true())
        await rate_rooms(connection, [room_id])
        await publish(connection, room)
        await _note_settled(connection, room_id)
        return "settled"
    await write_runs(connection, room, up_to=chunk[-1])
    await count(connection, "room", in_room=room_id, up_to=chunk[-1])
    return "more"


async def _settle_race(connection: AsyncConnection, room: Row[Any]) -> None:
    everyone = await _lock_players(connection, room.id, true())
    await rate_rooms(connection, [room.id])
    await count(connection, "room", in_room=room.id, up_to=everyone[-1])
    await _note_settled(connection, room.id)


async def _note_settled(connection: AsyncConnection, room_id: str) -> None:
    await connection.execute(update(rooms).where(rooms.c.id == room_id).values(settled=True))


async def _lock(connection: AsyncConnection, room_id: str) -> Row[Any] | None:
    """Give a finished room that nobody else counts now; None if it may not be counted now."""
    may_count: ColumnElement[bool] = true()
    if connection.dialect.name == "postgresql":
        # A recount holds the lock alone; all who count hold it together.
        may_count = func.pg_try_advisory_xact_lock_shared(RECOUNT_LOCK)
    waits = or_(A_DAY_BEFORE_RACES, A_DAY_BEFORE_IS_UNSETTLED)
    query = (
        select(rooms, waits.label("waits"), may_count.label("may_count"))
        .where(rooms.c.id == room_id, rooms.c.state == "finished")
        .with_for_update(key_share=True, of=rooms)
    )
    room = (await connection.execute(query)).one_or_none()
    return room if room is not None and room.may_count else None


async def _lock_players(
    connection: AsyncConnection,
    room_id: str,
    which: ColumnElement[bool],
    *,
    limit: int | None = None,
) -> Sequence[str]:
    """Lock players of a room and their games, in the players' order; gives their ids."""
    query = (
        select(games.c.player_id)
        .join(players, players.c.id == games.c.player_id)
        .where(games.c.room_id == room_id, which)
        .order_by(games.c.player_id)
        .limit(limit)
        .with_for_update(key_share=True)
    )
    return (await connection.execute(query)).scalars().all()
