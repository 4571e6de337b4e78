"""Attempts at dailies: games with clocks of their own, each taken up and ended by itself."""

from datetime import datetime

from msgspec import Struct
from sqlalchemy import and_, insert, select
from sqlalchemy.exc import IntegrityError

from server.race.daily import Daily
from server.race.instants import MILLISECOND
from server.race.seat import Seat
from server.race.standings import Standing
from server.store import daily_seats
from server.store.database import Database
from server.store.room_rows import seat_values
from server.store.tables import games, rooms


class RunOut(Struct, frozen=True):
    """A game whose own clock has run out while it was played."""

    game_id: str
    room_id: str
    player_id: str
    ends_at: datetime


class Attempts:
    """The attempts at dailies of a database; every call raises `Unavailable` when it is away."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def enter(self, daily: Daily, seat: Seat) -> bool:
        """Take a player into a daily, unless it has finished or the player has joined already.

        Gives whether that was done. No row is changed that another joiner changes.
        """
        racing = and_(rooms.c.id == daily.id, rooms.c.state == "racing")
        # Held until the commit, so that the day is not finished without this player.
        held = select(rooms.c.id).where(racing).with_for_update(read=True, key_share=True)
        place = (seat.joined_at - daily.opens_at) // MILLISECOND
        try:
            async with self._database.write() as connection:
                if (await connection.execute(held)).one_or_none() is None:
                    return False
                row = seat_values(daily, seat, place=place)
                await connection.execute(insert(games).values(row))
        except IntegrityError:
            return False
        return True

    async def seat(self, room_id: str, player_id: str) -> Seat | None:
        """Read a player's seat; None for someone who has not joined."""
        async with self._database.glance() as connection:
            return await daily_seats.read_seat(connection, room_id, player_id)

    async def standings(
        self,
        room_id: str,
        *,
        limit: int,
        after: tuple[bool, int, int, int, str] | None = None,
        around: str | None = None,
    ) -> tuple[list[Standing], bool] | None:
        """Read a page of a daily's standings; see `daily_seats.read_page`."""
        async with self._database.read() as connection:
            return await daily_seats.read_page(
                connection, room_id, limit=limit, after=after, around=around
            )

    async def run_out(self, at: datetime, *, limit: int = 200) -> list[RunOut]:
        """List games that are played though their own clock has run out, the longest first."""
        overdue = and_(games.c.state == "racing", games.c.ends_at <= at)
        query = (
            select(games.c.id, games.c.room_id, games.c.player_id, games.c.ends_at)
            .where(overdue)
            .order_by(games.c.ends_at)
            .limit(limit)
        )
        async with self._database.glance() as connection:
            return [RunOut(*row) for row in await connection.execute(query)]
