"""The games of finished rooms, each by itself and page by page, however many a room has."""

from collections.abc import Iterable
from itertools import groupby
from typing import Annotated, Any, NamedTuple

from msgspec import Meta
from sqlalchemy import Row, Select, func, literal, select, tuple_

from server.race.errors import NotFound
from server.race.instants import instant
from server.race.player import Player
from server.race.plays import Action
from server.race.replays import GameSummary, Replay
from server.race.room import Room
from server.race.standings import Standing
from server.store import transcripts
from server.store.database import Database
from server.store.tables import actions, games, players, rooms

MOST_RANKED = 2**31 - 1  # what the column takes

RESULT = (
    games.c.id,
    games.c.player_id,
    players.c.name,
    players.c.kind,
    games.c.state,
    games.c.placed,
    games.c.score,
    games.c.ply.label("actions"),
    games.c.at_ms,
    games.c.rank,
)


class Place(NamedTuple):
    """A game's place in its room's list."""

    rank: Annotated[int, Meta(ge=1, le=MOST_RANKED)]
    game_id: str


async def list_results(
    database: Database, room: Room, *, limit: int, after: Place | None
) -> list[GameSummary]:
    """List games of a finished room, best first; `after` is the last one of the page before.

    Raises:
        Unavailable: the database did not answer.
    """
    query = _page(select(*RESULT).join(players), room, limit=limit, after=after)
    async with database.glance() as connection:
        rows = (await connection.execute(query)).all()
    return [
        GameSummary(id=row.id, room=room.id, player=_player(row), result=_result(row))
        for row in rows
    ]


async def read_replays(
    database: Database, room: Room, *, limit: int, after: Place | None = None
) -> list[Replay]:
    """Read games of a finished room complete, best first; `after` as in `list_results`.

    Raises:
        Unavailable: the database did not answer.
    """
    page = _page(select(games.c.id), room, limit=limit, after=after)
    return await _read(database, room, page)


async def read_replay(database: Database, room: Room, game_id: str) -> Replay:
    """Read a game of a finished room complete.

    Raises:
        NotFound: the room has no such game.
        Unavailable: the database did not answer.
    """
    one = select(games.c.id).where(games.c.room_id == room.id, games.c.id == game_id)
    found = await _read(database, room, one)
    if not found:
        raise NotFound(f"no game {game_id!r}")
    return found[0]


def place_of(game: GameSummary | Replay) -> Place:
    """Give a game's place in its room's list."""
    return Place(game.result.rank, game.id)


def _page(query: Select[Any], room: Room, *, limit: int, after: Place | None) -> Select[Any]:
    query = query.where(games.c.room_id == room.id)
    if after is not None:
        last = tuple_(literal(after.rank), literal(after.game_id))
        query = query.where(tuple_(games.c.rank, games.c.id) > last)
    return query.order_by(games.c.rank, games.c.id).limit(limit)


async def _read(database: Database, room: Room, which: Select[Any]) -> list[Replay]:
    """Read games by one statement; one that has not been packed yet with the rows of its log."""
    chosen = which.subquery()
    started_at = func.coalesce(games.c.started_at, rooms.c.started_at).label("started_at")
    query = (
        select(*RESULT, started_at, games.c.ended_at, games.c.transcript)
        .add_columns(actions.c.move, actions.c.elapsed_ms)
        .select_from(chosen)
        .join(games, games.c.id == chosen.c.id)
        .join(rooms, rooms.c.id == games.c.room_id)
        .join(players, players.c.id == games.c.player_id)
        .outerjoin(actions, actions.c.game_id == games.c.id)
        .order_by(games.c.rank, games.c.id, actions.c.ply)
    )
    async with database.glance() as connection:
        rows = (await connection.execute(query)).all()
    return [_replay(room, list(game)) for _, game in groupby(rows, key=lambda row: row.id)]


def _replay(room: Room, rows: list[Row[Any]]) -> Replay:
    row, log = rows[0], _log(rows)
    settings = room.settings
    return Replay(
        id=row.id,
        room=room.id,
        players=room.player_count,
        player=_player(row),
        code=str(room.deal.code),
        nonce=room.deal.nonce,
        commitment=room.deal.commitment,
        ruleset=settings.ruleset,
        draw=settings.draw,
        undo=settings.undo,
        time_limit_s=settings.time_limit_s,
        started_at=instant(row.started_at),
        ended_at=instant(row.ended_at),
        moves=[action.move for action in log],
        times_ms=[action.elapsed_ms for action in log],
        result=_result(row),
    )


def _log(rows: Iterable[Row[Any]]) -> list[Action]:
    log: list[Action] = []
    for row in rows:
        if row.transcript is not None:
            return transcripts.unpack(row.transcript)
        if row.move is not None:
            log.append(Action(move=row.move, elapsed_ms=row.elapsed_ms))
    return log


def _player(row: Row[Any]) -> Player:
    return Player(id=row.player_id, name=row.name, kind=row.kind)


def _result(row: Row[Any]) -> Standing:
    return Standing(
        player=_player(row),
        state=row.state,
        placed=row.placed,
        score=row.score,
        actions=row.actions,
        at_ms=row.at_ms,
        rank=row.rank,
    )
