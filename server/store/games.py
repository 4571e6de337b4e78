"""Games: their logs, their ends, and their packing."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, Row, Select, delete, func, literal, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.game import Board, GameCode
from server.race.errors import NotFound
from server.race.plays import Action, Log
from server.race.replays import progress
from server.store import curves, transcripts
from server.store.database import Database
from server.store.tables import Moment, actions, games, rooms


class Games:
    """The games of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def end(
        self, game_id: str, *, state: Literal["resigned", "out_of_time"], at: datetime
    ) -> bool:
        """End a game that is racing; gives whether it was, and thus has been ended by this call."""
        return bool(await self._end(games.c.id == game_id, state=state, at=literal(at, Moment)))

    async def end_all(self, room_id: str, *, at: datetime) -> int:
        """Let time run out for everyone who still races in a room; gives how many that were.

        Who has a clock of their own, in a daily, is out of time by that.
        """
        own_end = func.coalesce(games.c.ends_at, literal(at, Moment))
        return await self._end(games.c.room_id == room_id, state="out_of_time", at=own_end)

    async def log(self, game_id: str) -> Log:
        """Read everything that was written of a game, in one snapshot.

        Raises:
            NotFound: no such game.
        """
        query = (
            select(games.c.state, games.c.ended_at, games.c.transcript)
            .add_columns(actions.c.move, actions.c.elapsed_ms)
            .outerjoin_from(games, actions, actions.c.game_id == games.c.id)
            .where(games.c.id == game_id)
            .order_by(actions.c.ply)
        )
        async with self._database.glance() as connection:
            rows = (await connection.execute(query)).all()
        if not rows:
            raise NotFound(f"no game {game_id!r}")
        state, ended_at, transcript, *_ = rows[0]
        if transcript is not None:
            return Log(state=state, ended_at=ended_at, actions=transcripts.unpack(transcript))
        log = [Action(move=move, elapsed_ms=ms) for *_, move, ms in rows if move is not None]
        return Log(state=state, ended_at=ended_at, actions=log)

    async def room_of(self, game_id: str) -> str:
        """Name the room of a game.

        Raises:
            NotFound: no such game.
        """
        query = select(games.c.room_id).where(games.c.id == game_id)
        async with self._database.read() as connection:
            room_id: str | None = (await connection.execute(query)).scalar_one_or_none()
        if room_id is None:
            raise NotFound(f"no game {game_id!r}; GET /api/v1/rooms/<id>/games lists a room's")
        return room_id

    async def pack(self, game_id: str) -> None:
        """Pack an ended game: its log becomes its transcript and its curve, and leaves its table.

        A game that has not ended, or is packed already, is left as it is.
        """
        await self._pack_all(_unpacked().where(games.c.id == game_id))

    async def pack_ended(self, room_id: str) -> None:
        """Pack every ended game of a room, each in a transaction of its own."""
        await self._pack_all(_unpacked().where(games.c.room_id == room_id))

    async def _pack_all(self, which: Select[str, str]) -> None:
        async with self._database.glance() as connection:
            unpacked = (await connection.execute(which.order_by(games.c.id))).all()
        for game_id, code in unpacked:
            async with self._database.write() as connection:
                await _pack(connection, game_id, GameCode.parse(code))

    async def _end(self, which: ColumnElement[bool], *, state: str, at: ColumnElement[Any]) -> int:
        racing = (
            select(games.c.id)
            .where(which, games.c.state == "racing")
            .order_by(games.c.id)
            .with_for_update()
        )
        async with self._database.write() as connection:
            ids = (await connection.execute(racing)).scalars().all()
            if ids:
                end: dict[str, Any] = {"state": state, "ended_at": at}
                await connection.execute(update(games).where(games.c.id.in_(ids)).values(end))
        return len(ids)


def _unpacked() -> Select[str, str]:
    """Ask for ended games that are not packed, and their codes."""
    return (
        select(games.c.id, rooms.c.code)
        .join(rooms, rooms.c.id == games.c.room_id)
        .where(games.c.ended_at.is_not(None), games.c.transcript.is_(None))
    )


async def _pack(connection: AsyncConnection, game_id: str, code: GameCode) -> None:
    query: Select[Any] = select(actions.c.move, actions.c.elapsed_ms, actions.c.placed)
    query = query.where(actions.c.game_id == game_id).order_by(actions.c.ply)
    rows = (await connection.execute(query)).all()
    log = [Action(move=row.move, elapsed_ms=row.elapsed_ms) for row in rows]
    packed = {"transcript": transcripts.pack(log), "curve": _curve(code, rows)}
    unpacked = (games.c.id == game_id, games.c.transcript.is_(None))
    written = await connection.execute(update(games).where(*unpacked).values(packed))
    if written.rowcount:
        await connection.execute(delete(actions).where(actions.c.game_id == game_id))


def _curve(code: GameCode, rows: Sequence[Row[Any]]) -> str | None:
    """Give a game's progress as text; None if an action was logged without what it placed."""
    if any(row.placed is None for row in rows):
        return None
    steps = ((row.elapsed_ms, row.placed) for row in rows)
    return curves.pack(progress(Board.deal(code).placed, steps))
