"""For who runs the server, and for clients that want to know its limits."""

from msgspec import Struct

from server.api.endpoint import MOST_BODY_BYTES, Call, Endpoint, Nothing
from server.api.games import MOST_MOVES


class LimitsView(Struct, frozen=True, kw_only=True):
    """Every limit of this server, in numbers."""

    calls_per_minute: int
    players_per_hour: int
    rooms_per_minute: int
    body_bytes: int
    moves_per_call: int
    page_items: int
    socket_frames_per_s: float
    socket_frames_burst: int
    socket_frame_bytes: int
    socket_outbox_frames: int
    socket_hello_within_s: float


FRAME_BYTES = 4096


async def show_limits(call: Call[Nothing, Nothing]) -> LimitsView:
    """State every limit: REST calls per player, or per address without a token; sockets each."""
    settings = call.services.settings
    return LimitsView(
        calls_per_minute=settings.calls_per_minute,
        players_per_hour=settings.players_per_hour,
        rooms_per_minute=settings.rooms_per_minute,
        body_bytes=MOST_BODY_BYTES,
        moves_per_call=MOST_MOVES,
        page_items=100,
        socket_frames_per_s=settings.frames_per_s,
        socket_frames_burst=settings.frames_burst,
        socket_frame_bytes=FRAME_BYTES,
        socket_outbox_frames=settings.outbox_frames,
        socket_hello_within_s=settings.hello_within_s,
    )


ENDPOINTS = [Endpoint("GET", "/limits", show_limits, LimitsView, "Limits")]
