"""For who runs the server, and for clients that want to know its limits."""

import asyncio

import msgspec
import structlog
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from server.api.cursors import MOST_ITEMS
from server.api.endpoint import Call, Endpoint, Nothing
from server.api.games import MOST_MOVES
from server.api.problems import respond
from server.api.reading import MOST_BODY_BYTES
from server.api.services import Services
from server.race.errors import Unavailable

log = structlog.get_logger()

FRAME_BYTES = 4096

READY_WITHIN_S = 5  # a database that answers later cannot serve a race
ASK_AGAIN_S = 1


class LimitsView(Struct, frozen=True, kw_only=True):
    """Every limit of this server, in numbers.

    Attributes:
        calls_per_minute: REST calls per player, or per address without a valid token.
        players_per_hour: players registered per address.
        rooms_per_minute: rooms opened and tokens issued, together, per player.
        body_bytes: the longest body of a call.
        moves_per_call: the most moves that one call plays.
        page_items: the largest `limit` of a list.
        socket_frames_per_s: what a socket may send in the long run; costly frames count for more.
        socket_frames_burst: what it may send at once, after a pause.
        socket_frame_bytes: the longest frame.
        socket_outbox_frames: the frames kept for a slow reader before its socket is closed.
        socket_hello_within_s: how long a socket has to say hello.
    """

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


class Health(Struct, frozen=True):
    """The process answers."""

    healthy: bool


class Readiness(Struct, frozen=True):
    """Every part that serving a race takes is there.

    Attributes:
        parts: each part, and what it is: `ready`.
    """

    ready: bool
    parts: dict[str, str]


async def show_limits(call: Call[Nothing, Nothing]) -> LimitsView:
    """State every limit, in numbers."""
    settings = call.services.settings
    return LimitsView(
        calls_per_minute=settings.calls_per_minute,
        players_per_hour=settings.players_per_hour,
        rooms_per_minute=settings.rooms_per_minute,
        body_bytes=MOST_BODY_BYTES,
        moves_per_call=MOST_MOVES,
        page_items=MOST_ITEMS,
        socket_frames_per_s=settings.frames_per_s,
        socket_frames_burst=settings.frames_burst,
        socket_frame_bytes=FRAME_BYTES,
        socket_outbox_frames=settings.outbox_frames,
        socket_hello_within_s=settings.hello_within_s,
    )


def routes(services: Services) -> list[Route]:
    """Give `/healthz` and `/readyz`, which are asked by machines and counted by no rate."""

    async def show_health(_request: Request) -> Response:
        return _json(Health(healthy=True))

    async def show_readiness(_request: Request) -> Response:
        parts = {"database": await _database(services)}
        away = ", ".join(part for part, what in parts.items() if what != "ready")
        if away:
            return respond(
                "unavailable",
                detail=f"not ready: {away} does not answer; ask again in a moment",
                headers={"Retry-After": str(ASK_AGAIN_S)},
                parts=parts,
            )
        return _json(Readiness(ready=True, parts=parts))

    return [Route("/healthz", show_health), Route("/readyz", show_readiness)]


async def _database(services: Services) -> str:
    """Tell whether the database answers a question that takes its tables; if not, it is away."""
    try:
        async with asyncio.timeout(READY_WITHIN_S):
            await services.players.identify("nobody's")
    except (TimeoutError, Unavailable):
        return "away"
    except Exception:
        log.exception("part.failed", part="database")
        return "away"
    return "ready"


def _json(answer: Struct) -> Response:
    return Response(msgspec.json.encode(answer), media_type="application/json")


ENDPOINTS = [Endpoint("GET", "/limits", show_limits, LimitsView, "Limits")]
