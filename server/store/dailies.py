"""Which room is the daily of which day, and the secret that their deals are chosen from."""

from collections.abc import Sequence
from datetime import date, datetime

from msgspec import Struct
from sqlalchemy import Row, and_, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from server.game import GameCode
from server.race.daily import Daily
from server.race.deals import Deal
from server.race.events import RoomEvent
from server.race.proof import Opening, Proof
from server.race.states import RoomState
from server.store.database import Database
from server.store.proofs import read_proof
from server.store.room_changes import Overtaken, go_on_if, insert_room, write_change
from server.store.tables import HOUSE, dailies, games, players, proofs, rooms, secrets
from server.store.upserts import insert_unless_there

DAILY_SECRET = "daily"  # noqa: S105 — the name of it


class PlannedDay(Struct, frozen=True):
    """A day's daily as whoever runs the server is shown it.

    Attributes:
        number: of the day's candidate that was taken, from 0.
        players: how many have joined.
    """

    day: date
    room_id: str
    number: int
    planned_at: datetime
    state: RoomState
    deal: Deal
    proof: Proof | None
    players: int


class Dailies:
    """The dailies of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def room_of(self, day: date) -> str | None:
        """Name the room of a day, or None for one that is not planned.

        Raises:
            Unavailable: the database did not answer.
        """
        query = select(dailies.c.room_id).where(dailies.c.day == day)
        async with self._database.glance() as connection:
            return (await connection.execute(query)).scalar_one_or_none()

    async def plan(self, room: Daily, proof: Proof, *, number: int, at: datetime) -> str:
        """Make a room the daily of its day; gives the day's room.

        That is the room of another node if one has planned the day meanwhile: then nothing of this
        one is kept.

        Raises:
            Unavailable: the database did not answer.
        """
        row = {"day": room.day, "room_id": room.id, "number": number, "planned_at": at}
        try:
            async with self._database.write() as connection:
                await _open(connection, room, proof)
                await connection.execute(insert(dailies).values(row))
        except IntegrityError:
            planned = await self.room_of(room.day)
            if planned is None:
                raise
            return planned
        return room.id

    async def replace(
        self,
        replaced: Daily,
        events: Sequence[RoomEvent],
        *,
        by: Daily,
        proof: Proof,
        number: int,
        at: datetime,
    ) -> bool:
        """Put another room in the place of a day's room that has been withdrawn.

        Args:
            replaced: the day's room as it is after `events`; it stays, to be looked at.
            events: those of its withdrawal, to be told to who watches it.
            by: the new room of the same day.
            proof: that its deal can be won.
            number: of the candidate that it deals.
            at: when that was planned.

        Gives whether it was done: not if the room has changed since it was read, or is not the
        day's any more; then nothing was written.

        Raises:
            Unavailable: the database did not answer.
        """
        todays = and_(dailies.c.day == by.day, dailies.c.room_id == replaced.id)
        row = {"room_id": by.id, "number": number, "planned_at": at}
        try:
            async with self._database.write() as connection:
                await write_change(connection, replaced, events)
                await _open(connection, by, proof)
                moved = await connection.execute(update(dailies).where(todays).values(row))
                go_on_if(moved.rowcount)
        except Overtaken:
            return False
        return True

    async def secret(self, *, fresh: str) -> str:
        """Give the secret that dailies' deals are chosen from, the same for all nodes.

        `fresh` becomes it if there is none yet.

        Raises:
            Unavailable: the database did not answer.
        """
        mine = {"name": DAILY_SECRET, "value": fresh}
        kept = select(secrets.c.value).where(secrets.c.name == DAILY_SECRET)
        async with self._database.write() as connection:
            await insert_unless_there(connection, secrets, mine)
            return str((await connection.execute(kept)).scalar_one())

    async def planned(self, *, since: date, limit: int) -> list[PlannedDay]:
        """List planned days in order, from one on.

        Raises:
            Unavailable: the database did not answer.
        """
        joined = select(func.count()).where(games.c.room_id == dailies.c.room_id).scalar_subquery()
        query = (
            select(
                dailies,
                rooms.c.state,
                rooms.c.code,
                rooms.c.nonce,
                proofs.c.line,
                proofs.c.positions,
                joined.label("players"),
            )
            .join(rooms, rooms.c.id == dailies.c.room_id)
            .outerjoin(proofs, proofs.c.room_id == dailies.c.room_id)
            .where(dailies.c.day >= since)
            .order_by(dailies.c.day)
            .limit(limit)
        )
        async with self._database.glance() as connection:
            return [_planned_day(row) for row in await connection.execute(query)]


async def _open(connection: AsyncConnection, room: Daily, proof: Proof) -> None:
    """Keep a new room that the house opens, with its proof."""
    house = {"id": HOUSE, "name": "", "kind": "bot", "created_at": room.created_at}
    await insert_unless_there(connection, players, house | {"left_at": room.created_at})
    await insert_room(connection, Opening(room, proof))


def _planned_day(row: Row[tuple[object, ...]]) -> PlannedDay:
    kept = row._mapping
    return PlannedDay(
        day=kept["day"],
        room_id=kept["room_id"],
        number=kept["number"],
        planned_at=kept["planned_at"],
        state=kept["state"],
        deal=Deal(code=GameCode.parse(kept["code"]), nonce=kept["nonce"]),
        proof=None if kept["line"] is None else read_proof(kept["line"], kept["positions"]),
        players=kept["players"],
    )
