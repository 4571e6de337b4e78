"""Days in statements: which one a game belongs to, and the periods that days are part of."""

from collections.abc import Iterable

from sqlalchemy import (
    CTE,
    BigInteger,
    Date,
    Integer,
    String,
    case,
    column,
    func,
    type_coerce,
    values,
)

from server.race.periods import calendar
from server.store.tables import games, rooms

DAY_MS = 86_400_000

_counted_at = case((rooms.c.kind == "daily", rooms.c.started_at), else_=games.c.ended_at)

DAY_NUMBER = type_coerce(_counted_at, BigInteger) // DAY_MS
"""The number of the day that a game belongs to: the daily's own, otherwise that of its end."""

OWN_TIME_MS = type_coerce(games.c.ended_at, BigInteger) - type_coerce(
    func.coalesce(games.c.started_at, rooms.c.started_at), BigInteger
)
"""How long a game took, by the player's own clock."""


def days_table(numbers: Iterable[int]) -> CTE:
    """Make a table of the periods that days belong to, for one statement to join."""
    columns = (
        column("number", Integer),
        column("day", Date),
        column("period", String(5)),
        column("start", Date),
    )
    return values(*columns, name="days").data(list(calendar(numbers))).cte("days")
