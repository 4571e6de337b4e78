"""Counting finished games into what the leaderboards are read from: each game once, by sets.

Whoever counts first locks the room and then its players, in their order: so two nodes never count a
game twice, no rating is lost between them, and none waits for the other in a circle.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Literal

from sqlalchemy import (
    CTE,
    ColumnElement,
    Date,
    Insert,
    Row,
    Update,
    and_,
    case,
    exists,
    func,
    literal,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from server.race.daily import day_of
from server.store.database import Database
from server.store.days import DAY_NUMBER, OWN_TIME_MS, days_table
from server.store.ratings import rate_rooms
from server.store.tables import UNSETTLED, games, player_days, player_totals, players, rooms
from server.store.upserts import greater, insert_into, lesser

CHUNK = 500
"""Games of a daily that are counted by one transaction."""

DAYS_AT_ONCE = 365
"""Days of one statement, which carries their calendar."""

RECOUNT_LOCK = 454787519  # ours among the advisory locks of a database; any number would do

_other = games.alias("other")
COUNTS = and_(
    rooms.c.state == "finished",
    rooms.c.ranked,
    or_(
        rooms.c.kind == "daily",
        exists().where(_other.c.room_id == rooms.c.id, _other.c.id != games.c.id),
    ),
)
"""Games that count: of ranked rooms with at least two players at the start, and of dailies."""

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


async def count(connection: AsyncConnection, which: ColumnElement[bool]) -> None:
    """Add games to the totals of their players, and note the day that each has counted for.

    `which` chooses them from all games that count; none of them may be in the totals already, and
    the runs of days that their wins make have been written.
    """
    numbers = select(DAY_NUMBER).join_from(games, rooms).where(which, COUNTS).distinct()
    found = sorted((await connection.execute(numbers)).scalars())
    for first in range(0, len(found), DAYS_AT_ONCE):
        days = days_table(found[first : first + DAYS_AT_ONCE])
        await connection.execute(_add_totals(connection, days, which))
        await connection.execute(_note_day(days, which))


async def write_runs(
    connection: AsyncConnection, daily: Row[Any], which: ColumnElement[bool]
) -> None:
    """Write the runs of days that the wins of a daily make; its players' earlier ones are there."""
    day = day_of(daily.started_at)
    before = player_days.alias("before")
    mine = and_(before.c.player_id == games.c.player_id, before.c.day == day - timedelta(days=1))
    run = func.coalesce(before.c.run, 0) + 1
    wins = (
        select(games.c.player_id, literal(day, Date), run)
        .outerjoin_from(games, before, mine)
        .where(games.c.room_id == daily.id, games.c.state == "won", which)
        .order_by(games.c.player_id)
    )
    written = insert_into(connection, player_days).from_select(["player_id", "day", "run"], wins)
    await connection.execute(written.on_conflict_do_nothing())


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
        await _finish(connection, room)
        return "settled"
    uncounted = and_(games.c.counted_on.is_(None), games.c.player_id.in_(chunk))
    await write_runs(connection, room, uncounted)
    await count(connection, and_(games.c.room_id == room_id, uncounted))
    return "more"


async def _settle_race(connection: AsyncConnection, room: Row[Any]) -> None:
    await _lock_players(connection, room.id, true())
    await count(connection, and_(games.c.room_id == room.id, games.c.counted_on.is_(None)))
    await _finish(connection, room)


async def _finish(connection: AsyncConnection, room: Row[Any]) -> None:
    """Rate a room whose games have been counted: then nothing is left to do."""
    await rate_rooms(connection, [room.id])
    await connection.execute(update(rooms).where(rooms.c.id == room.id).values(settled=True))


async def _lock(connection: AsyncConnection, room_id: str) -> Row[Any] | None:
    """Give a finished room that nobody else counts now; None if it may not be counted now."""
    may_count: ColumnElement[bool] = true()
    if (
        connection.dialect.name == "postgresql"
    ):  # a recount holds it alone, and whoever counts, together
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


def _add_totals(connection: AsyncConnection, days: CTE, which: ColumnElement[bool]) -> Insert:
    won = games.c.state == "won"
    daily_win = and_(
        rooms.c.kind == "daily",
        won,
        player_days.c.player_id == games.c.player_id,
        player_days.c.day == days.c.day,
    )
    key = (games.c.player_id, rooms.c.ruleset, rooms.c.draw, days.c.period, days.c.start)
    sums = {
        "games": func.count(),
        "wins": func.count(case((won, 1))),
        "placed": func.sum(games.c.placed),
        "fastest_ms": func.min(case((and_(won, rooms.c.sealed), OWN_TIME_MS))),
        "winnings": func.sum(case((rooms.c.ruleset == "CH1", games.c.score))),
        "streak": func.max(player_days.c.run),
    }
    new = (
        select(*key, players.c.kind, *sums.values())
        .select_from(games)
        .join(rooms, rooms.c.id == games.c.room_id)
        .join(players, players.c.id == games.c.player_id)
        .join(days, days.c.number == DAY_NUMBER)
        .outerjoin(player_days, daily_win)
        .where(which, COUNTS)
        .group_by(*key, players.c.kind)
        .order_by(*key)
    )
    totals = player_totals.c
    names = ("player_id", "ruleset", "draw", "period", "start", "kind", *sums)
    added = insert_into(connection, player_totals).from_select(names, new)
    more = added.excluded
    return added.on_conflict_do_update(
        index_elements=list(player_totals.primary_key),
        set_={
            "games": totals.games + more.games,
            "wins": totals.wins + more.wins,
            "placed": totals.placed + more.placed,
            "fastest_ms": lesser(totals.fastest_ms, more.fastest_ms),
            "winnings": totals.winnings + more.winnings,
            "streak": greater(totals.streak, more.streak),
        },
    )


def _note_day(days: CTE, which: ColumnElement[bool]) -> Update:
    """Write the day that games have counted for, where another or none stands there."""
    return (
        update(games)
        .where(
            rooms.c.id == games.c.room_id,
            days.c.period == "day",
            days.c.number == DAY_NUMBER,
            games.c.counted_on.is_distinct_from(days.c.day),
            which,
            COUNTS,
        )
        .values(counted_on=days.c.day)
    )
