"""Writing rooms: new ones whole, others by compare-and-set, event by event."""

from collections.abc import Sequence

from sqlalchemy import and_, delete, insert, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.race.daily import Daily
from server.race.events import (
    Finished,
    Joined,
    Left,
    PlayerKicked,
    ReadyChanged,
    RoomEvent,
    Started,
)
from server.race.proof import Opening
from server.race.room import Room
from server.store import daily_seats
from server.store import events as kept_events
from server.store.counting import settle_race
from server.store.proofs import keep_proof
from server.store.room_rows import changing_values, new_values, seat_values
from server.store.tables import games, rooms


class Overtaken(Exception):
    """The room is not as it was read any more: the transaction is to be rolled back."""


def go_on_if(so: object) -> None:
    """Raise `Overtaken` unless something is so."""
    if not so:
        raise Overtaken


async def insert_room(
    connection: AsyncConnection, opening: Opening, *, idempotency_key: str | None = None
) -> None:
    """Write a new room, with the proof of its deal where there is one."""
    room = opening.room
    values = new_values(room, idempotency_key=idempotency_key)
    await connection.execute(insert(rooms).values(values))
    for place, seat in enumerate(room.seats):
        await connection.execute(insert(games).values(seat_values(room, seat, place=place)))
    if opening.proof is not None:
        await keep_proof(connection, room.id, opening.proof)


async def write_change(
    connection: AsyncConnection, room: Room, events: Sequence[RoomEvent]
) -> None:
    """Write what happened in a room, unless somebody else has changed it since it was read.

    Raises:
        Overtaken: somebody has.
    """
    before = room.version - len(events)
    unchanged = and_(rooms.c.id == room.id, rooms.c.version == before)
    if isinstance(room, Daily) and isinstance(events[-1], Finished):
        numbers = await daily_seats.hold_numbers(connection, room.id)
        go_on_if(numbers["racing"] == 0 and numbers["entrants"] == room.entrants)
    written = await connection.execute(update(rooms).where(unchanged).values(changing_values(room)))
    go_on_if(written.rowcount)
    for version, event in enumerate(events, start=before + 1):
        await _write_event(connection, room, event)
        await kept_events.keep(connection, room, event, version=version)


async def _write_event(connection: AsyncConnection, room: Room, event: RoomEvent) -> None:
    """Write what an event did to the seats; their progress while racing is the journal's."""
    here = games.c.room_id == room.id
    match event:
        case Joined(player=player):
            seat = room.seat_of(player.id)
            if seat is not None:
                row = seat_values(room, seat, place=room.version)
                await connection.execute(insert(games).values(row))
        case Left(player=player) | PlayerKicked(player=player):
            await connection.execute(delete(games).where(here, games.c.player_id == player.id))
        case ReadyChanged(player=player, ready=ready):
            state = "ready" if ready else "joined"
            mine = games.c.player_id == player.id
            await connection.execute(update(games).where(here, mine).values(state=state))
        case Started() if room.seats:
            first = room.seats[0]
            start = {"state": "racing", "placed": first.placed, "score": first.score}
            await connection.execute(update(games).where(here).values(start))
        case Finished() if isinstance(room, Daily):
            await daily_seats.write_ranks(connection, room.id)
        case Finished():
            for seat in sorted(room.seats, key=lambda seat: seat.game_id):
                mine = games.c.id == seat.game_id
                await connection.execute(update(games).where(mine).values(rank=seat.rank))
            await settle_race(connection, room.id)
        case _:
            pass
