"""Rooms and seats as the rows of their tables, and back."""

from collections.abc import Mapping
from typing import Any

from server.game import GameCode
from server.race.daily import Daily
from server.race.deals import Deal
from server.race.player import Player
from server.race.room import Room
from server.race.seat import Seat
from server.race.settings import RoomSettings
from server.store.tables import HOUSE, games, players, rooms

DAILY = "daily"
"""The kind of room whose seats are not read whole: see `daily_seats`."""

SETTINGS = tuple(RoomSettings.__struct_fields__)
CHANGING = (
    "state",
    "version",
    "host_id",
    "kicked",
    "last_event_at",
    "starts_at",
    "started_at",
    "ends_at",
    "finished_at",
    "due_at",
    "rematch",
)
"""What of a room changes after it has been opened."""

ROOM_NAMES = tuple(rooms.columns.keys())

SEAT_COLUMNS = (
    games.c.id,
    games.c.player_id,
    games.c.joined_at,
    games.c.state,
    games.c.ply,
    games.c.placed,
    games.c.score,
    games.c.at_ms,
    games.c.started_at,
    games.c.ends_at,
    games.c.ended_at,
    games.c.rank,
    players.c.name,
    players.c.kind,
)
SEAT_NAMES = tuple(column.name for column in SEAT_COLUMNS)


def room_of(row: Mapping[str, Any], seats: list[Seat], **more: Any) -> Room:
    """Give the room of a row of `rooms`; `more` are the fields that only a daily has."""
    changing = {name: row[name] for name in CHANGING if name != "due_at"}
    kind = Daily if row["kind"] == DAILY else Room
    return kind(
        id=row["id"],
        kind=row["kind"],
        settings=RoomSettings(**{name: row[name] for name in SETTINGS}),
        deal=Deal(code=GameCode.parse(row["code"]), nonce=row["nonce"]),
        code_is_known=row["code_is_known"],
        created_at=row["created_at"],
        seats=seats,
        **changing,
        **more,
    )


def seat_of(row: Mapping[str, Any]) -> Seat:
    """Give the seat of what `SEAT_COLUMNS` are of a player in a room."""
    return Seat(
        game_id=row["id"],
        player=Player(id=row["player_id"], name=row["name"], kind=row["kind"]),
        joined_at=row["joined_at"],
        state=row["state"],
        ply=row["ply"],
        placed=row["placed"],
        score=row["score"],
        at_ms=row["at_ms"],
        started_at=row["started_at"],
        ends_at=row["ends_at"],
        ended_at=row["ended_at"],
        rank=row["rank"],
    )


def changing_values(room: Room) -> dict[str, Any]:
    """Give the columns that every change of a room writes."""
    values = {name: getattr(room, name) for name in CHANGING if name != "due_at"}
    return values | {"due_at": room.looked_at_from}


def new_values(room: Room, *, idempotency_key: str | None) -> dict[str, Any]:
    """Give the row of a room that its host, or for a daily the house, has just opened."""
    values = {name: getattr(room.settings, name) for name in SETTINGS} | changing_values(room)
    return values | {
        "id": room.id,
        "kind": room.kind,
        "code": str(room.deal.code),
        "nonce": room.deal.nonce,
        "code_is_known": room.code_is_known,
        "created_at": room.created_at,
        "created_by": room.host_id or HOUSE,
        "idempotency_key": idempotency_key,
    }


def seat_values(room: Room, seat: Seat, *, place: int) -> dict[str, Any]:
    """Give the row of a player who has just joined; places rise in the order of joining."""
    return {
        "id": seat.game_id,
        "room_id": room.id,
        "player_id": seat.player.id,
        "seat": place,
        "state": seat.state,
        "joined_at": seat.joined_at,
        "ply": seat.ply,
        "placed": seat.placed,
        "score": seat.score,
        "at_ms": seat.at_ms,
        "started_at": seat.started_at,
        "ends_at": seat.ends_at,
    }
