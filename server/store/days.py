"""Days in statements: which one a game belongs to, and the periods that days are part of."""

from collections.abc import Iterable
from datetime import date
from typing import Any

import msgspec
from sqlalchemy import (
    JSON,
    BigInteger,
    ColumnClause,
    ColumnElement,
    Date,
    FromClause,
    Integer,
    Text,
    bindparam,
    case,
    cast,
    column,
    func,
    literal,
    select,
    type_coerce,
)

from server.race.periods import FIRST_DAY, calendar
from server.store.tables import games, rooms

DAY_S = 86_400
DAY_MS = DAY_S * 1000

_counted_at = case((rooms.c.kind == "daily", rooms.c.started_at), else_=games.c.ended_at)

DAY_NUMBER = type_coerce(_counted_at, BigInteger) // DAY_MS
"""The number of the day that a game belongs to: the daily's own, otherwise that of its end."""


def day_counted(dialect: str) -> ColumnElement[date]:
    """Give the day that a game belongs to."""
    if dialect == "postgresql":
        return type_coerce(literal(FIRST_DAY, Date) + cast(DAY_NUMBER, Integer), Date)
    return func.date(DAY_NUMBER * DAY_S, "unixepoch", type_=Date)


OWN_TIME_MS = type_coerce(games.c.ended_at, BigInteger) - type_coerce(
    func.coalesce(games.c.started_at, rooms.c.started_at), BigInteger
)
"""How long a game took, by the player's own clock."""

COLUMNS: dict[str, Any] = {"number": Integer, "day": Date, "period": Text, "start": Date}


def days_table(dialect: str) -> FromClause:
    """Make a table of days and their periods, which a statement is given as the text `days`.

    As one text, so that the statement is the same for any days, and need not be built anew.
    """
    given = bindparam("days", type_=Text)
    if dialect == "postgresql":
        typed: list[ColumnClause[Any]] = [column(name, kind) for name, kind in COLUMNS.items()]
        rows = func.json_to_recordset(cast(given, JSON)).table_valued(*typed, name="days")
        return rows.render_derived(with_types=True)
    each = func.json_each(given).table_valued("value")
    parts: list[ColumnElement[Any]] = [
        func.json_extract(each.c.value, f"$.{name}", type_=kind).label(name)
        for name, kind in COLUMNS.items()
    ]
    return select(*parts).subquery("days")


def days_text(numbers: Iterable[int]) -> str:
    """Write the days of these numbers as `days_table` reads them."""
    return msgspec.json.encode(calendar(numbers)).decode()
