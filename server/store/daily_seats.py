"""The seats of a daily: as many as are shown or asked for, whatever their number.

Ranks are the database's, by the same four keys as `server.race.standings`.
"""

from collections.abc import Collection
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, RowMapping, Subquery, and_, case, func, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.race.daily import SHOWN
from server.race.seat import Seat
from server.race.standings import Standing, rank, with_rank
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
    """What is shown of a daily's seats.

    Attributes:
        shown: the seats of the first hundred, best first.
        asked: further seats that were asked for, each with its rank.
    """

    shown: list[Seat]
    asked: tuple[Seat, ...]


async def read_numbers(connection: AsyncConnection, room_id: str) -> dict[str, Any]:
    """Read what a `Daily` has of all its seats together."""
    racing = case((games.c.state == "racing", 1))
    numbers = select(
        func.count().label("entrants"),
        func.count(racing).label("racing"),
        func.max(games.c.ended_at).label("last_ended_at"),
    ).where(games.c.room_id == room_id)
    return dict((await connection.execute(numbers)).mappings().one())


async def read_window(
    connection: AsyncConnection,
    room_id: str,
    *,
    finished: bool = False,
    asked_for: Collection[str] = (),
) -> Window:
    """Read the seats of the first hundred, and of the players asked for.

    Ranks that have been written, when the daily finished, are not found out again.
    """
    shown = await _read_best(connection, room_id, finished=finished)
    missing = set(asked_for) - {seat.player.id for seat in shown}
    asked: list[Seat] = []
    if missing:
        ranked = _ranked(room_id)
        further = among(connection, ranked.c.player_id, missing)
        asked = await _read_seats(connection, ranked, further)
    return Window(shown=shown, asked=tuple(asked))


async def read_seat(connection: AsyncConnection, room_id: str, player_id: str) -> Seat | None:
    """Read one player's seat, without the rank that it has meanwhile."""
    query = (
        select(*SEAT_COLUMNS)
        .join_from(games, players, players.c.id == games.c.player_id)
        .where(games.c.room_id == room_id, games.c.player_id == player_id)
    )
    row = (await connection.execute(query)).mappings().one_or_none()
    return None if row is None else _seat(row)


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
    ranked = _ranked(room_id)
    first = 1
    if after is not None:
        best_first = (ranked.c.not_won, -ranked.c.placed, ranked.c.at_ms, ranked.c.ply)
        key = tuple_(*best_first, ranked.c.player_id)
        before = select(func.count()).select_from(ranked).where(key <= tuple_(*_numbers(after)))
        first = (await connection.execute(before)).scalar_one() + 1
    if around is not None:
        mine = select(ranked.c.number, ranked.c.entrants).where(ranked.c.player_id == around)
        found = (await connection.execute(mine)).one_or_none()
        if found is None:
            return None
        first = max(1, min(found.number - limit // 2, found.entrants - limit + 1))
    there = ranked.c.number.between(first, first + limit)
    seats = await _read_seats(connection, ranked, there)
    standings = [with_rank(seat.entry, seat.rank or 0) for seat in seats[:limit]]
    return standings, len(seats) > limit


async def hold_numbers(connection: AsyncConnection, room_id: str) -> dict[str, Any]:
    """Read what `read_numbers` does; from now on nobody joins before the commit."""
    lock = select(rooms.c.id).where(rooms.c.id == room_id).with_for_update()
    await connection.execute(lock)
    return await read_numbers(connection, room_id)


async def write_ranks(connection: AsyncConnection, room_id: str) -> None:
    """Write everyone's rank, once and for all."""
    ranked = _ranked(room_id)
    ranks = update(games).where(games.c.id == ranked.c.id).values(rank=ranked.c.place)
    await connection.execute(ranks)


def _ranked(room_id: str) -> Subquery:
    """Rank a daily's games, and number them: no two have the same number.

    No more columns than that takes: they are sorted by the thousand.
    """
    return (
        select(
            games.c.id,
            games.c.player_id,
            NOT_WON.label("not_won"),
            games.c.placed,
            games.c.at_ms,
            games.c.ply,
            func.rank().over(order_by=BEST_FIRST).label("place"),
            func.row_number().over(order_by=(*BEST_FIRST, games.c.player_id)).label("number"),
            func.count().over().label("entrants"),
        )
        .where(games.c.room_id == room_id)
        .subquery("ranked")
    )


async def _read_best(connection: AsyncConnection, room_id: str, *, finished: bool) -> list[Seat]:
    """Read the seats of the first hundred: without ranking all the others."""
    best_first = (*BEST_FIRST, games.c.player_id)
    here = games.c.room_id == room_id
    among_them = and_(here, games.c.rank <= SHOWN) if finished else here
    best = select(games.c.id).where(among_them).order_by(*best_first).limit(SHOWN).cte("best")
    query = (
        select(*SEAT_COLUMNS)
        .join_from(best, games, games.c.id == best.c.id)
        .join(players, players.c.id == games.c.player_id)
        .order_by(*best_first)
    )
    seats = [_seat(row) for row in (await connection.execute(query)).mappings()]
    for seat, standing in zip(seats, rank(seat.entry for seat in seats), strict=True):
        seat.rank = standing.rank
    return seats


async def _read_seats(
    connection: AsyncConnection, ranked: Subquery, which: ColumnElement[bool]
) -> list[Seat]:
    """Read the seats of ranked games in their order, each with its present rank."""
    chosen = select(ranked.c.id, ranked.c.place, ranked.c.number).where(which).cte("chosen")
    query = (
        select(*SEAT_COLUMNS, chosen.c.place)
        .join_from(chosen, games, games.c.id == chosen.c.id)
        .join(players, players.c.id == games.c.player_id)
        .order_by(chosen.c.number)
    )
    seats = []
    for row in (await connection.execute(query)).mappings():
        seat = _seat(row)
        seat.rank = row["place"]
        seats.append(seat)
    return seats


def _seat(row: RowMapping) -> Seat:
    return seat_of({name: row[name] for name in SEAT_NAMES})


def _numbers(after: tuple[bool, int, int, int, str]) -> tuple[int | str, ...]:
    not_won, missing, at_ms, ply, player_id = after
    return (int(not_won), missing, at_ms, ply, player_id)
