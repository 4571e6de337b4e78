"""Leaderboards as plain SQL gives them, by `RANK()` over the raw games: what ours are held against.

Nothing is used here of what the server counts, but for the record of rating changes: the ratings
board shows what that record says.
"""

from datetime import date
from itertools import product
from typing import Any, NamedTuple

from sqlalchemy import Date, bindparam, text
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.database import Database
from tests.store.builders import rows

ALL_TIME = (date(1970, 1, 1), date(9999, 12, 31))

DAY_OF = {
    "sqlite": "date({ms} / 1000, 'unixepoch')",
    "postgresql": "(to_timestamp({ms} / 1000) AT TIME ZONE 'UTC')::date",
}
DAYS = {"sqlite": "CAST(julianday({day}) AS INTEGER)", "postgresql": "({day} - date '1970-01-01')"}

GAMES = """
WITH counted AS (
    SELECT g.room_id, g.player_id, g.placed, g.score, r.kind AS room_kind, r.sealed,
           CASE WHEN g.state = 'won' THEN 1 END AS won,
           g.ended_at - coalesce(g.started_at, r.started_at) AS took_ms, {day} AS day
    FROM games g JOIN rooms r ON r.id = g.room_id JOIN players p ON p.id = g.player_id
    WHERE r.state = 'finished' AND r.ruleset = :ruleset AND r.draw = :draw AND p.kind = :kind
      AND (r.kind = 'daily' OR (r.ranked AND
           (SELECT count(*) FROM games o WHERE o.room_id = r.id) >= 2))
),
wins_by_day AS (
    SELECT player_id, day, {number} - row_number() OVER (PARTITION BY player_id ORDER BY day) AS run
    FROM counted WHERE room_kind = 'daily' AND won = 1
),
runs AS (
    SELECT player_id, day, count(*) OVER (PARTITION BY player_id, run ORDER BY day) AS length
    FROM wins_by_day
),
here AS (SELECT * FROM counted WHERE day BETWEEN :first AND :last),
changes AS (
    SELECT c.player_id, c.rating,
           row_number() OVER (PARTITION BY c.player_id ORDER BY c.id DESC) AS n
    FROM rating_changes c JOIN here ON here.room_id = c.room_id AND here.player_id = c.player_id
),
figures AS (
    SELECT h.player_id, count(*) AS games, {value} AS value FROM here h
    LEFT JOIN runs ON h.room_kind = 'daily' AND runs.player_id = h.player_id AND runs.day = h.day
    LEFT JOIN changes ON changes.player_id = h.player_id AND changes.n = 1
    GROUP BY h.player_id
)
SELECT RANK() OVER (ORDER BY value {order}) AS rank, player_id, value, games
FROM figures WHERE value IS NOT NULL ORDER BY 1, 2
"""

VALUES = {
    "wins": "sum(won)",
    "fastest": "min(CASE WHEN sealed THEN took_ms * won END)",
    "placed": "sum(placed)",
    "winnings": "sum(score)",
    "streak": "max(length)",
    "rating": "max(rating)",
}


class Line(NamedTuple):
    """Somebody on a board."""

    rank: int
    player_id: str
    value: float
    games: int


async def plain_board(
    connection: AsyncConnection, board: str, first: date, last: date, **variant: Any
) -> list[Line]:
    """Give a whole board over the days from `first` to `last`, equal ones in the order of ids."""
    dialect = connection.dialect.name
    at_ms = "CASE WHEN r.kind = 'daily' THEN r.started_at ELSE g.ended_at END"
    query = GAMES.format(
        day=DAY_OF[dialect].format(ms=f"({at_ms})"),
        number=DAYS[dialect].format(day="day"),
        value=VALUES[board],
        order="ASC" if board == "fastest" else "DESC",
    )
    days = [bindparam("first", type_=Date), bindparam("last", type_=Date)]
    given = {"first": first, "last": last, **variant}
    found = await connection.execute(text(query).bindparams(*days), given)
    return [Line(*row) for row in found]


async def is_counted_once(database: Database) -> None:
    """Hold the totals of all time against the raw games."""
    for board, kind in product(("wins", "placed", "streak"), ("human", "bot")):
        variant: dict[str, Any] = {"ruleset": "CF1", "draw": 3, "kind": kind}
        async with database.read() as connection:
            plain = await plain_board(connection, board, *ALL_TIME, **variant)
        found = await rows(
            database,
            f"SELECT player_id, {board}, games FROM player_totals WHERE ruleset = 'CF1' "  # noqa: S608 — names of this file
            f"AND draw = 3 AND period = 'all' AND kind = :kind AND {board} > 0",
            kind=kind,
        )
        assert sorted(found) == sorted((who, value, games) for _, who, value, games in plain)
