"""Games: their logs, their ends, and their packing."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, delete, func, literal, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.race.errors import NotFound
from server.race.plays import Action, Log
from server.store.database import Database
from server.store.tables import Moment, actions, games
from server.store.transcripts import pack, unpack


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
            return Log(state=state, ended_at=ended_at, actions=unpack(transcript))
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
        """Pack an ended game; see `pack_ended`."""
        async with self._database.write() as connection:
            await _pack(connection, game_id)

    async def pack_ended(self, room_id: str) -> None:
        """Pack every ended game of a room, each in a transaction of its own.

        Its log becomes its transcript, and its rows leave the live table.
        """
        ended = (games.c.room_id == room_id, games.c.ended_at.is_not(None))
        query = select(games.c.id).where(*ended, games.c.transcript.is_(None)).order_by(games.c.id)
        async with self._database.read() as connection:
            unpacked: Sequence[str] = (await connection.execute(query)).scalars().all()
        for game_id in unpacked:
            await self.pack(game_id)

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


async def _live_log(connection: AsyncConnection, game_id: str) -> list[Action]:
    query = select(actions.c.move, actions.c.elapsed_ms).where(actions.c.game_id == game_id)
    rows = await connection.execute(query.order_by(actions.c.ply))
    return [Action(move=move, elapsed_ms=elapsed_ms) for move, elapsed_ms in rows]


async def _pack(connection: AsyncConnection, game_id: str) -> None:
    transcript = pack(await _live_log(connection, game_id))
    unpacked = (games.c.id == game_id, games.c.transcript.is_(None))
    packed = await connection.execute(update(games).where(*unpacked).values(transcript=transcript))
    if packed.rowcount:
        await connection.execute(delete(actions).where(actions.c.game_id == game_id))
