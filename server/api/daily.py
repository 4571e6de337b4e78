"""The daily: today's race, that of any day, and joining today's."""

from datetime import date
from typing import Any

import msgspec

from server.api.endpoint import Call, Endpoint, Nothing
from server.race.daily import Daily, day_of, read_day
from server.race.errors import NotFound, Unavailable
from server.race.instants import Instant, from_epoch_ms, instant
from server.race.views import RoomView

PLANNED_WITHIN_S = 5


class DailyView(RoomView, frozen=True, kw_only=True):
    """The race of a UTC day; `standings` show the first hundred.

    Attributes:
        date: the day.
        closes_at: when joining ends; `ends_at` is when the last attempt does, at the latest.
        winning_line: moves from the deal to a win, as the solver found them; null until the room
            has finished.
    """

    date: date
    closes_at: Instant
    winning_line: list[str] | None


async def show_today(call: Call[Nothing, Nothing]) -> DailyView:
    """Show today's daily; its day is that of the server's clock, in UTC."""
    return await _show(call, await _room_of(call, _today(call)))


async def show_day(call: Call[Nothing, Nothing]) -> DailyView:
    """Show the daily of a day: with the deal and a winning line once it has finished.

    That of a day to come is there, with its commitment, as soon as its deal is chosen.
    """
    day = read_day(call.path["date"])
    if day == _today(call):
        return await show_today(call)
    room_id = await call.services.dailies.room_of(day)
    if room_id is None:
        raise NotFound(f"there is no daily of {day}; GET /api/v1/daily shows today's")
    return await _show(call, room_id)


async def join_today(call: Call[Nothing, Nothing]) -> DailyView:
    """Join today's daily: one's own clock starts at once. Joining again changes nothing."""
    room_id = await _room_of(call, day_of(from_epoch_ms(call.received_ms)))
    await call.services.attempts.enter(room_id, player=call.player, arrived_ms=call.received_ms)
    return await _show(call, room_id)


def _today(call: Call[Any, Any]) -> date:
    return day_of(from_epoch_ms(call.services.clock.now_ms()))


async def _room_of(call: Call[Any, Any], today: date) -> str:
    room_id = await call.services.dailies.room_of(today)
    if room_id is None:
        raise Unavailable(
            "today's daily is being chosen; ask again in a moment", retry_after_s=PLANNED_WITHIN_S
        )
    return room_id


async def _show(call: Call[Any, Any], room_id: str) -> DailyView:
    services = call.services
    room = await services.referee.present(room_id)
    if not isinstance(room, Daily):
        raise NotFound(f"the room {room_id!r} is no daily")
    proof = await services.proofs.of_room(room_id) if room.state == "finished" else None
    return DailyView(
        **msgspec.structs.asdict(await services.hub.view(room)),
        date=room.day,
        closes_at=instant(room.closes_at),
        winning_line=None if proof is None else list(proof.line),
    )


ENDPOINTS = [
    Endpoint("GET", "/daily", show_today, DailyView, "Daily", refuses=("unavailable",)),
    Endpoint("GET", "/daily/{date}", show_day, DailyView, "Daily", refuses=("not_found",)),
    Endpoint(
        "POST",
        "/daily/join",
        join_today,
        DailyView,
        "Daily",
        auth="required",
        refuses=("daily_over", "wrong_state", "unavailable"),
    ),
]
