"""Games as the database has them, read behind the servers' backs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from server.race.player import Player
from server.race.plays import Action
from server.race.standings import Entry
from server.race.states import PlayerState
from server.store.connecting import parse_url
from server.store.tables import actions, games, rooms
from server.store.transcripts import unpack


@dataclass(frozen=True)
class Stored:
    """One game's row, its log by ply, and what its room says about it."""

    id: str
    room_id: str
    player_id: str
    state: PlayerState
    ply: int
    placed: int
    score: int
    at_ms: int
    rank: int | None
    code: str
    undo: bool
    room_state: str
    started_at: datetime
    log: dict[int, Action]

    @property
    def entry(self) -> Entry:
        """The game's standing."""
        player = Player(id=self.player_id, name="", kind="bot")
        return Entry(player, self.state, self.placed, self.score, self.ply, self.at_ms)


COLUMNS = (
    *(games.c[name] for name in ("id", "room_id", "player_id", "state", "ply", "placed")),
    *(games.c[name] for name in ("score", "at_ms", "rank")),
    *(rooms.c.code, rooms.c.undo, rooms.c.state.label("room_state"), rooms.c.started_at),
)


async def stored_games(database_url: str, room_id: str | None = None) -> list[Stored]:
    """Read the games that have been dealt, of one room or of all, from any kind of database."""
    query = (
        select(*COLUMNS, games.c.transcript)
        .join(rooms, rooms.c.id == games.c.room_id)
        .where(rooms.c.started_at.is_not(None))
        .order_by(games.c.room_id, games.c.seat)
    )
    if room_id is not None:
        query = query.where(rooms.c.id == room_id)
    engine = create_async_engine(parse_url(database_url))
    try:
        async with engine.connect() as connection:
            rows = [dict(row) for row in (await connection.execute(query)).mappings()]
            return [await _with_log(connection, row) for row in rows]
    finally:
        await engine.dispose()


async def _with_log(connection: AsyncConnection, row: dict[str, object]) -> Stored:
    """Complete a row with its transcript if it is packed, and its live log if it is not."""
    transcript = row.pop("transcript")
    if isinstance(transcript, str):
        log = dict(enumerate(unpack(transcript)))
    else:
        query = select(actions.c.ply, actions.c.move, actions.c.elapsed_ms)
        live = await connection.execute(query.where(actions.c.game_id == row["id"]))
        log = {ply: Action(move=move, elapsed_ms=elapsed_ms) for ply, move, elapsed_ms in live}
    return Stored(**row, log=log)  # type: ignore[arg-type] # the columns are named as the fields
