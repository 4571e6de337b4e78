"""What games add to the totals that the leaderboards are read from, by sets of them."""

from datetime import timedelta
from functools import cache
from typing import Any, Literal

from msgspec import Struct
from sqlalchemy import (
    ColumnElement,
    Date,
    FromClause,
    Insert,
    Row,
    Select,
    String,
    Subquery,
    Update,
    and_,
    bindparam,
    case,
    exists,
    func,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from server.race.daily import day_of
from server.store.days import DAY_NUMBER, OWN_TIME_MS, day_counted, days_table, days_text
from server.store.tables import games, player_days, player_totals, players, rating_changes, rooms
from server.store.upserts import greater, insert_into, lesser

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

Scope = Literal["room", "settled"]

WHICH: dict[Scope, ColumnElement[bool]] = {
    "room": and_(
        games.c.room_id == bindparam("in_room", type_=String),
        games.c.player_id <= bindparam("up_to", type_=String),
        games.c.counted_on.is_(None),
    ),
    "settled": and_(
        rooms.c.settled,
        games.c.player_id > bindparam("behind", type_=String),
        games.c.player_id <= bindparam("up_to", type_=String),
    ),
}
"""Sets of games: those of a room `in_room` that are not counted yet, by players `up_to` an id; and
those of settled rooms, by players `behind` an id and `up_to` another."""


async def count(connection: AsyncConnection, scope: Scope, **given: str) -> None:
    """Add a set of games to the totals of their players, and note the day each has counted for.

    None of them may be in the totals already; the runs of days that their wins make have been
    written. Rooms that are rated in the same transaction have been: what they made of ratings is
    published with the totals. `given` are the ids that the set is chosen by.
    """
    statements = _statements(connection.dialect.name, scope)
    days = days_text((await connection.execute(statements.numbers, given)).scalars())
    await connection.execute(statements.add, given | {"days": days})
    await connection.execute(statements.note, given)


async def write_runs(
    connection: AsyncConnection, daily: Row[Any], *, up_to: str | None = None
) -> None:
    """Write the runs of days that the wins of a daily make; those of the day before are there.

    Where an id is given, only those of players up to it.
    """
    day = day_of(daily.started_at)
    before = player_days.alias("before")
    mine = and_(before.c.player_id == games.c.player_id, before.c.day == day - timedelta(days=1))
    run = func.coalesce(before.c.run, 0) + 1
    won = and_(games.c.room_id == daily.id, games.c.state == "won")
    if up_to is not None:
        won = and_(won, games.c.player_id <= up_to)
    wins = (
        select(games.c.player_id, literal(day, Date), run)
        .outerjoin_from(games, before, mine)
        .where(won)
        .order_by(games.c.player_id)
    )
    written = insert_into(connection.dialect.name, player_days)
    names = ["player_id", "day", "run"]
    await connection.execute(written.from_select(names, wins).on_conflict_do_nothing())


class Statements(Struct, frozen=True):
    """What counting a set of games asks of the database.

    Attributes:
        numbers: gives the numbers of the days that the games belong to.
        add: adds the games to the totals of `days`.
        note: writes the day that each of them has counted for.
    """

    numbers: Select[int]
    add: Insert
    note: Update


@cache
def _statements(dialect: str, scope: Scope) -> Statements:
    """Build what is asked; once, since that takes far longer than asking."""
    which, days = WHICH[scope], days_table(dialect)
    numbers = select(DAY_NUMBER).join_from(games, rooms, rooms.c.id == games.c.room_id)
    return Statements(
        numbers=numbers.where(which, COUNTS).distinct(),
        add=_add(dialect, days, which),
        note=_note(dialect, which),
    )


def _summed(days: FromClause, which: ColumnElement[bool]) -> Subquery:
    """Sum games up by player, variant and period; `change` is the last one made to a rating."""
    won = games.c.state == "won"
    key = (games.c.player_id, rooms.c.ruleset, rooms.c.draw, days.c.period, days.c.start)
    sums = {
        "games": func.count(),
        "wins": func.count(case((won, 1))),
        "placed": func.sum(games.c.placed),
        "fastest_ms": func.min(case((and_(won, rooms.c.sealed), OWN_TIME_MS))),
        "winnings": func.sum(case((rooms.c.ruleset == "CH1", games.c.score))),
        "streak": func.max(player_days.c.run),
    }
    daily_win = and_(
        rooms.c.kind == "daily",
        won,
        player_days.c.player_id == games.c.player_id,
        player_days.c.day == days.c.day,
    )
    rated = and_(
        rating_changes.c.room_id == games.c.room_id, rating_changes.c.player_id == games.c.player_id
    )
    return (
        select(*key, players.c.kind, *(value.label(name) for name, value in sums.items()))
        .add_columns(func.max(rating_changes.c.id).label("change"))
        .join_from(games, rooms, rooms.c.id == games.c.room_id)
        .join(players, players.c.id == games.c.player_id)
        .join(days, days.c.number == DAY_NUMBER)
        .outerjoin(player_days, daily_win)
        .outerjoin(rating_changes, rated)
        .where(which, COUNTS)
        .group_by(*key, players.c.kind)
        .subquery("summed")
    )


def _add(dialect: str, days: FromClause, which: ColumnElement[bool]) -> Insert:
    """Build the insert that adds sums to the totals that are there."""
    summed = _summed(days, which)
    names = [column.name for column in summed.c if column.name != "change"]
    new = (
        select(*(summed.c[name] for name in names), rating_changes.c.rating)
        .outerjoin_from(summed, rating_changes, rating_changes.c.id == summed.c.change)
        .order_by(*(summed.c[column.name] for column in player_totals.primary_key))
    )
    added = insert_into(dialect, player_totals).from_select([*names, "rating"], new)
    totals, more = player_totals.c, added.excluded
    return added.on_conflict_do_update(
        index_elements=list(player_totals.primary_key),
        set_={
            "games": totals.games + more.games,
            "wins": totals.wins + more.wins,
            "placed": totals.placed + more.placed,
            "fastest_ms": lesser(totals.fastest_ms, more.fastest_ms),
            "winnings": totals.winnings + more.winnings,
            "streak": greater(totals.streak, more.streak),
            "rating": func.coalesce(more.rating, totals.rating),
        },
    )


def _note(dialect: str, which: ColumnElement[bool]) -> Update:
    day, here = day_counted(dialect), rooms.c.id == games.c.room_id
    new = games.c.counted_on.is_distinct_from(day)
    return update(games).where(here, new, which, COUNTS).values(counted_on=day)
