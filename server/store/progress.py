"""How players of a room came on, over their own race clocks: of games under way as well."""

import asyncio
from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import Row, Select, bindparam, case, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.game import Board
from server.race.errors import NotAPlayer
from server.race.player import Player
from server.race.replays import Curve, Point, progress, trace
from server.race.room import Room
from server.store import curves, transcripts
from server.store.daily_seats import BEST_FIRST
from server.store.database import Database
from server.store.tables import actions, games, players

IN_ORDER = (*BEST_FIRST, games.c.player_id)
"""The order of standings, in which no two are equal."""


async def read_curves(
    database: Database, room: Room, *, limit: int, around: str | None = None
) -> list[Curve]:
    """Give the progress of the best of a room that has started, best first, in one snapshot.

    With a player's id as `around`, half of them are the best, and the rest those who stand around
    that player.

    Raises:
        NotAPlayer: the player has no game in this room.
        Unavailable: the database did not answer.
    """
    chosen = _best(room, limit) if around is None else _around(room, around, limit)
    async with database.read() as connection:
        seats = (await connection.execute(chosen)).all()
        live = [seat.id for seat in seats if seat.curve is None and seat.transcript is None]
        points = await _live_points(connection, room, live)
    if around is not None and not seats:
        raise NotAPlayer("you have no game in this room: leave around out, or join it first")
    points |= {seat.id: curves.unpack(seat.curve) for seat in seats if seat.curve is not None}
    old = [seat for seat in seats if seat.id not in points]
    if old:
        points |= await _trace(database, room, old)
    return [
        Curve(Player(id=seat.player_id, name=seat.name, kind=seat.kind), points[seat.id])
        for seat in seats
    ]


def _best(room: Room, limit: int) -> Select[Any]:
    best = select(games.c.id).where(games.c.room_id == room.id).order_by(*IN_ORDER).limit(limit)
    chosen = best.subquery()  # so that no curve is sorted
    return _seats().join(chosen, chosen.c.id == games.c.id).order_by(*IN_ORDER)


def _around(room: Room, player_id: str, limit: int) -> Select[Any]:
    """Choose the best, and around a player as many more, or one more; nobody twice."""
    place = func.row_number().over(order_by=IN_ORDER).label("place")
    numbered = (
        select(games.c.id, games.c.player_id, place, func.count().over().label("players"))
        .where(games.c.room_id == room.id)
        .cte()
    )
    mine = numbered.alias()
    best, rest = limit // 2, limit - limit // 2
    centred, last = mine.c.place - rest // 2, mine.c.players - rest + 1
    within = case((centred < last, centred), else_=last)
    first = case((within > best, within), else_=best + 1)
    among = or_(numbered.c.place <= best, numbered.c.place.between(first, first + rest - 1))
    chosen = (
        select(numbered.c.id, numbered.c.place)
        .join(mine, mine.c.player_id == player_id)
        .where(among)
        .order_by(numbered.c.place)
        .limit(limit)
        .subquery()
    )
    return _seats().join(chosen, chosen.c.id == games.c.id).order_by(chosen.c.place)


def _seats() -> Select[Any]:
    no_curve = case((games.c.curve.is_(None), games.c.transcript)).label("transcript")
    return (
        select(games.c.id, games.c.player_id, players.c.name, players.c.kind)
        .add_columns(games.c.curve, no_curve)
        .join(players, players.c.id == games.c.player_id)
    )


async def _live_points(
    connection: AsyncConnection, room: Room, game_ids: Collection[str]
) -> dict[str, list[Point]]:
    """Give progress from the live log; only the actions that changed it are read."""
    dealt = Board.deal(room.deal.code).placed
    points = {game_id: [(0, dealt)] for game_id in game_ids}
    if not game_ids:
        return points
    last = func.lag(actions.c.placed)
    before = last.over(partition_by=actions.c.game_id, order_by=actions.c.ply).label("before")
    known = (
        select(actions.c.game_id, actions.c.ply, actions.c.elapsed_ms, actions.c.placed, before)
        .where(actions.c.game_id.in_(game_ids), actions.c.placed.is_not(None))
        .subquery()
    )
    changes = (
        select(known.c.game_id, known.c.elapsed_ms, known.c.placed)
        .where(known.c.placed.is_distinct_from(known.c.before))
        .order_by(known.c.game_id, known.c.ply)
    )
    rows = await connection.execute(changes)
    for game_id, steps in groupby(rows, key=lambda row: str(row.game_id)):
        points[game_id] = progress(dealt, ((step.elapsed_ms, step.placed) for step in steps))
    return points


async def _trace(database: Database, room: Room, old: Sequence[Row[Any]]) -> dict[str, list[Point]]:
    """Play games again that were packed without their curves, and keep these from now on."""
    points: dict[str, list[Point]] = {}
    for seat in old:
        points[seat.id] = trace(room.deal.code, transcripts.unpack(seat.transcript))
        await asyncio.sleep(0)
    ids = sorted(points)
    missing = update(games).where(games.c.id == bindparam("game"), games.c.curve.is_(None))
    kept = [{"game": game_id, "drawn": curves.pack(points[game_id])} for game_id in ids]
    async with database.write() as connection:
        await connection.execute(missing.values(curve=bindparam("drawn")), kept)
    return points
