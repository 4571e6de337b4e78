"""How many rooms and games there are, for whoever watches the server."""

from msgspec import Struct
from sqlalchemy import func, select

from server.race.states import OVER, ROOM, RoomState
from server.store.database import Database
from server.store.tables import games, rooms

LIVE: tuple[RoomState, ...] = tuple(state for state in ROOM if state not in OVER)
"""The states of rooms that are counted: those that are over only grow in number."""

ROOMS_BY_STATE = (
    select(rooms.c.state, func.count()).where(rooms.c.state.in_(LIVE)).group_by(rooms.c.state)
)
RACING_GAMES = (
    select(func.count())
    .select_from(rooms.join(games, games.c.room_id == rooms.c.id))
    .where(rooms.c.state == "racing", games.c.state == "racing")
)  # by way of the rooms, since games have no index on their state


class Census(Struct, frozen=True):
    """What is going on, of all nodes of a database.

    Attributes:
        rooms: the number of rooms in each state that is not over.
        racing_games: the games that are being played.
    """

    rooms: dict[RoomState, int]
    racing_games: int


async def take_census(database: Database) -> Census:
    """Count the rooms and games that are live, in one snapshot.

    Raises:
        Unavailable: the database did not answer.
    """
    async with database.read() as connection:
        counted = {row[0]: row[1] for row in await connection.execute(ROOMS_BY_STATE)}
        racing_games = (await connection.execute(RACING_GAMES)).scalar_one()
    return Census({state: counted.get(state, 0) for state in LIVE}, racing_games)
