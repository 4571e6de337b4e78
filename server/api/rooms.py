"""Rooms: opening, joining, starting, and how they stand."""

from datetime import datetime
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct

from server.api.cursors import Cursor, Limit, Page, read_cursor, write_cursor
from server.api.endpoint import Call, Endpoint, Nothing
from server.live.referee import Command
from server.race.instants import from_epoch_ms, to_epoch_ms
from server.race.settings import RoomWish
from server.race.states import RoomState
from server.race.views import RoomView

LatestMs = Annotated[int, Meta(ge=0, le=253_402_300_799_999)]
"""Milliseconds from 1970 to the end of the year 9999, the last that can be written."""

RoomId = Annotated[str, Meta(pattern="^[a-z0-9]{1,16}$")]


class Opened(NamedTuple):
    """A room's place in the lobby."""

    created_ms: LatestMs
    room_id: RoomId


class LobbyQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which rooms to list.

    Attributes:
        state: only rooms in this state.
        kind: only rooms of this kind.
    """

    state: RoomState | None = None
    kind: Literal["race", "daily"] | None = None
    limit: Limit = 20
    after: Cursor | None = None


class Ready(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether one is ready."""

    ready: bool = True


class Kick(Struct, frozen=True, forbid_unknown_fields=True):
    """Whom to remove."""

    player: Annotated[str, Meta(max_length=40, description="the player's id")]


async def open_room(call: Call[RoomWish, Nothing]) -> RoomView:
    """Open a room; its creator is host and has joined.

    The same `Idempotency-Key` of the same player gives the same room.
    """
    services = call.services
    room = await services.lobby.open(
        call.body, host=call.player, idempotency_key=call.idempotency_key
    )
    return await services.hub.view(room)


async def list_rooms(call: Call[Nothing, LobbyQuery]) -> Page[RoomView]:
    """List rooms, newest first, unlisted ones left out."""
    query = call.query
    after: tuple[datetime, str] | None = None
    if query.after is not None:
        last = read_cursor(query.after, Opened)
        after = (from_epoch_ms(last.created_ms), last.room_id)
    rooms = await call.services.rooms.lobby(
        state=query.state, kind=query.kind, limit=query.limit + 1, after=after
    )
    page = rooms[: query.limit]
    more = len(rooms) > query.limit
    return Page(
        items=[await call.services.hub.view(room) for room in page],
        next=write_cursor((to_epoch_ms(page[-1].created_at), page[-1].id)) if more else None,
    )


async def show_room(call: Call[Nothing, Nothing]) -> RoomView:
    """Show a room as it is now."""
    room = await call.services.referee.present(call.path["room"])
    return await call.services.hub.view(room)


async def join(call: Call[Nothing, Nothing]) -> RoomView:
    """Take a seat; in the daily, one's own clock starts. Joining again changes nothing."""
    room = await call.services.lobby.join(
        call.path["room"], player=call.player, arrived_ms=call.received_ms
    )
    return await call.services.hub.view(room)


async def leave(call: Call[Nothing, Nothing]) -> RoomView:
    """Give up the seat before the race; while racing, resign instead."""
    player = call.player
    return await _change(call, lambda room, at: room.leave(player, at=at))


async def say_ready(call: Call[Ready, Nothing]) -> RoomView:
    """Say that one is ready, or not any more."""
    player, ready = call.player, call.body.ready
    return await _change(call, lambda room, at: room.set_ready(player, ready=ready, at=at))


async def start(call: Call[Nothing, Nothing]) -> RoomView:
    """Start the countdown, as the host. A room that has started answers as it is."""
    player = call.player
    return await _change(call, lambda room, at: room.start(player, at=at))


async def cancel(call: Call[Nothing, Nothing]) -> RoomView:
    """Call the race off before it starts, as the host."""
    player = call.player
    return await _change(call, lambda room, at: room.cancel(player, at=at))


async def kick(call: Call[Kick, Nothing]) -> RoomView:
    """Remove a player before the race, as the host; who is kicked cannot come back."""
    player, target = call.player, call.body.player
    return await _change(call, lambda room, at: room.kick(player, target_id=target, at=at))


async def rematch(call: Call[Nothing, Nothing]) -> RoomView:
    """Join the next room, the same for everyone who asks, with a new deal."""
    room = await call.services.lobby.rematch(
        call.path["room"], player=call.player, arrived_ms=call.received_ms
    )
    return await call.services.hub.view(room)


async def resign(call: Call[Nothing, Nothing]) -> RoomView:
    """Stop playing; what was placed counts. Resigning again changes nothing."""
    room = await call.services.referee.resign(call.path["room"], player=call.player)
    return await call.services.hub.view(room)


async def _change(call: Call[Any, Any], command: Command) -> RoomView:
    room = await call.services.referee.change(call.path["room"], command)
    return await call.services.hub.view(room)


IN_A_ROOM = ("not_found", "wrong_state")
NOT_IN_A_DAILY = (*IN_A_ROOM, "not_in_a_daily")

ENDPOINTS = [
    Endpoint(
        "POST",
        "/rooms",
        open_room,
        RoomView,
        "Rooms",
        body=RoomWish,
        status=201,
        auth="required",
        rate="rooms",
        keyed=True,
        refuses=("not_available",),
    ),
    Endpoint("GET", "/rooms", list_rooms, Page[RoomView], "Rooms", query=LobbyQuery),
    Endpoint("GET", "/rooms/{room}", show_room, RoomView, "Rooms", refuses=("not_found",)),
    Endpoint(
        "POST",
        "/rooms/{room}/join",
        join,
        RoomView,
        "Rooms",
        auth="required",
        refuses=(*IN_A_ROOM, "room_full", "kicked", "daily_over"),
    ),
    Endpoint(
        "POST",
        "/rooms/{room}/leave",
        leave,
        RoomView,
        "Rooms",
        auth="required",
        refuses=NOT_IN_A_DAILY,
    ),
    Endpoint(
        "POST",
        "/rooms/{room}/ready",
        say_ready,
        RoomView,
        "Rooms",
        body=Ready,
        auth="required",
        refuses=(*NOT_IN_A_DAILY, "not_a_player"),
    ),
    Endpoint(
        "POST",
        "/rooms/{room}/start",
        start,
        RoomView,
        "Rooms",
        auth="required",
        refuses=(*NOT_IN_A_DAILY, "not_host"),
    ),
    Endpoint(
        "POST",
        "/rooms/{room}/cancel",
        cancel,
        RoomView,
        "Rooms",
        auth="required",
        refuses=(*NOT_IN_A_DAILY, "not_host"),
    ),
    Endpoint(
        "POST",
        "/rooms/{room}/kick",
        kick,
        RoomView,
        "Rooms",
        body=Kick,
        auth="required",
        refuses=(*NOT_IN_A_DAILY, "not_host"),
    ),
    Endpoint(
        "POST",
        "/rooms/{room}/rematch",
        rematch,
        RoomView,
        "Rooms",
        auth="required",
        refuses=(*NOT_IN_A_DAILY, "not_a_player", "room_full", "not_available"),
    ),
    Endpoint(
        "POST",
        "/rooms/{room}/resign",
        resign,
        RoomView,
        "Rooms",
        auth="required",
        refuses=(*IN_A_ROOM, "not_a_player"),
    ),
]
