"""The seats of a daily: as many as are shown or asked for, whatever their number.

Ranks are the database's, by the same four keys as `server.race.standings`.
"""

from collections.abc import Collection
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Subquery, case, func, or_, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.race.daily import SHOWN
from server.race.seat import Seat
from server.race.standings import Standing, with_rank
from server.store.among import among
from server.store.room_rows import SEAT_COLUMNS, SEAT_NAMES, seat_of
from server.store.tables import games, players, rooms

NOT_WON = case((games.c.state == "won", 0), else_=1)

BEST_FIRST: tuple[ColumnElement[Any], ...] = (
    NOT_WON,
    games.c.placed.desc(),
    games.c.at_ms,
    games.c.ply,
)
"""The order of standings; equal on all four is an equal rank."""


class Window(NamedTuple):
    """What is read of a daily's seats.

    Attributes:
        shown: the seats of the first hundred, best first.
        asked: further seats that were asked for, each with its rank.
        more: the numbers that a `Daily` has of all of them.
    """

    shown: list[Seat]
    asked: tuple[Seat, ...]
    more: dict[str, Any]


async def read_window(
    connection: AsyncConnection, room_id: str, *, asked_for: Collection[str] = ()
) -> Window:
    """Read the seats of the first hundred, and of the players asked for, by one statement."""
    seat = _ranked(room_id)
    wanted = or_(seat.c.number <= SHOWN, among(connection, seat.c.player_id, asked_for))
    query = select(seat).where(wanted).order_by(seat.c.number)
    rows = (await connection.execute(query)).mappings().all()
    more = {}
    if rows:
        last_ended_at = rows[0]["last_ended_at"]
        more = {
            "entrants": rows[0]["entrants"],
            "racing": rows[0]["racing"],
            "last_ended_at": last_ended_at,
        }
    seats = [(row["number"], _seat(row)) for row in rows]
    return Window(
        shown=[one for number, one in seats if number <= SHOWN],
        asked=tuple(one for number, one in seats if number > SHOWN),
        more=more,
    )


async def read_seat(connection: AsyncConnection, room_id: str, player_id: str) -> Seat | None:
    """Read one player's seat, without the rank that it has meanwhile."""
    query = (
        select(*SEAT_COLUMNS)
        .join_from(games, players, players.c.id == games.c.player_id)
        .where(games.c.room_id == room_id, games.c.player_id == player_id)
    )
    row = (await connection.execute(query)).mappings().one_or_none()
    return None if row is None else seat_of({name: row[name] for name in SEAT_NAMES})


async def read_page(
    connection: AsyncConnection,
    room_id: str,
    *,
    limit: int,
    after: tuple[bool, int, int, int, str] | None = None,
    around: str | None = None,
) -> tuple[list[Standing], bool] | None:
    """Read a page of standings, and whether there are more after it.

    Args:
        connection: in one snapshot.
        room_id: of the daily.
        limit: how many at most.
        after: `rank_key` and player of the last one of the page before.
        around: the player who is to be in the middle; gives None if there is no such player.
    """
    seat = _ranked(room_id)
    first = 1
    if after is not None:
        key = tuple_(seat.c.not_won, -seat.c.placed, seat.c.at_ms, seat.c.ply, seat.c.player_id)
        before = select(func.count()).select_from(seat).where(key <= tuple_(*_numbers(after)))
        first = (await connection.execute(before)).scalar_one() + 1
    if around is not None:
        mine = select(seat.c.number, seat.c.entrants).where(seat.c.player_id == around)
        found = (await connection.execute(mine)).one_or_none()
        if found is None:
            return None
        first = max(1, min(found.number - limit // 2, found.entrants - limit + 1))
    page = select(seat).where(seat.c.number.between(first, first + limit))
    rows = (await connection.execute(page.order_by(seat.c.number))).mappings().all()
    standings = [with_rank(_seat(row).entry, row["place"]) for row in rows[:limit]]
    return standings, len(rows) > limit


async def someone_races(connection: AsyncConnection, room_id: str) -> bool:
    """Tell whether an attempt is under way; from now on nobody joins before the commit."""
    lock = select(rooms.c.id).where(rooms.c.id == room_id).with_for_update()
    await connection.execute(lock)
    racing = select(func.count()).where(games.c.room_id == room_id, games.c.state == "racing")
    return bool((await connection.execute(racing)).scalar_one())


async def write_ranks(connection: AsyncConnection, room_id: str) -> None:
    """Write everyone's rank, once and for all."""
    seat = _ranked(room_id)
    ranks = update(games).where(games.c.id == seat.c.id).values(rank=seat.c.place)
    await connection.execute(ranks)


def _ranked(room_id: str) -> Subquery:
    """Give every seat of a daily with its rank, and its number: no two have the same."""
    best_first = (*BEST_FIRST, games.c.player_id)
    racing = case((games.c.state == "racing", 1), else_=0)
    return (
        select(
            *SEAT_COLUMNS,
            NOT_WON.label("not_won"),
            func.rank().over(order_by=BEST_FIRST).label("place"),
            func.row_number().over(order_by=best_first).label("number"),
            func.count().over().label("entrants"),
            func.sum(racing).over().label("racing"),
            func.max(games.c.ended_at).over().label("last_ended_at"),
        )
        .join_from(games, players, players.c.id == games.c.player_id)
        .where(games.c.room_id == room_id)
        .subquery()
    )


def _numbers(after: tuple[bool, int, int, int, str]) -> tuple[int | str, ...]:
    not_won, missing, at_ms, ply, player_id = after
    return (int(not_won), missing, at_ms, ply, player_id)


def _seat(row: Any) -> Seat:
    """Give the seat of a row of `_ranked`, with its present rank."""
    seat = seat_of({name: row[name] for name in SEAT_NAMES})
    seat.rank = row["place"]
    return seat
