"""What nodes compare their own knowledge with: short answers about much, in one snapshot."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import (
    Column,
    and_,
    bindparam,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from server.race.marks import Claim, Look, RoomMark, SeatMark
from server.race.states import ENDED, OVER
from server.store.among import among
from server.store.database import Database
from server.store.room_rows import DAILY
from server.store.tables import epochs, games, rooms, tokens


class Truth:
    """The database as everything else is measured by it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def epoch(self) -> str:
        """Name the history that the database is in; clients' offsets belong to one."""
        async with self._database.read() as connection:
            return await _epoch(connection)

    async def begin_epoch(self, name: str, *, at: datetime) -> None:
        """Begin a new history: what clients know of the old one does not lead here."""
        async with self._database.write() as connection:
            await connection.execute(insert(epochs).values(name=name, began_at=at))

    async def look(
        self,
        room_ids: Collection[str],
        token_ids: Collection[str],
        *,
        entrants: Collection[str] = (),
    ) -> Look:
        """Tell how far rooms and their players are, and which tokens are valid.

        Of dailies' players, who may be any number, it tells of `entrants` only.

        Raises:
            Unavailable: the database did not answer.
        """
        async with self._database.read() as connection:
            return Look(
                epoch=await _epoch(connection),
                rooms=await _marks(connection, room_ids, entrants),
                tokens=await _present(connection, tokens.c.id, token_ids),
            )

    async def claim(self, claims: Sequence[Claim]) -> None:
        """Write who plays on which socket, where nobody has written a newer one.

        Raises:
            Unavailable: the database did not answer.
        """
        newer = or_(games.c.claim.is_(None), games.c.claim < bindparam("text"))
        mine = and_(
            games.c.room_id == bindparam("room"), games.c.player_id == bindparam("player"), newer
        )
        rows = [
            {"room": claim.room_id, "player": claim.player_id, "text": claim.text}
            for claim in sorted(claims, key=lambda claim: (claim.room_id, claim.player_id))
        ]
        async with self._database.write() as connection:
            await connection.execute(
                update(games).where(mine).values(claim=bindparam("text")), rows
            )


async def _epoch(connection: AsyncConnection) -> str:
    newest = select(epochs.c.name).order_by(epochs.c.id.desc()).limit(1)
    return str((await connection.execute(newest)).scalar_one())


async def _marks(
    connection: AsyncConnection, room_ids: Collection[str], entrants: Collection[str]
) -> dict[str, RoomMark]:
    marks: dict[str, RoomMark] = {}
    versions = select(rooms.c.id, rooms.c.version).where(among(connection, rooms.c.id, room_ids))
    for room_id, version in await connection.execute(versions):
        marks[room_id] = RoomMark(version=version, seats={})
    told = or_(rooms.c.kind != DAILY, among(connection, games.c.player_id, entrants))
    seats = (
        select(games.c.room_id, games.c.player_id, games.c.ply, games.c.state, games.c.claim)
        .join(rooms, rooms.c.id == games.c.room_id)
        .where(among(connection, games.c.room_id, room_ids), rooms.c.state.not_in(OVER), told)
    )
    for room_id, player_id, ply, state, claim in await connection.execute(seats):
        mark = SeatMark(actions=ply, ended=state in ENDED, claim=claim)
        marks[room_id].seats[player_id] = mark
    return marks


async def _present(
    connection: AsyncConnection, column: Column[str], ids: Collection[str]
) -> set[str]:
    query = select(column).where(among(connection, column, ids))
    return set((await connection.execute(query)).scalars())
