"""For who runs the server, and for clients that want to know its limits."""

import asyncio
from typing import Literal

import msgspec
import structlog
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from server.api import metrics
from server.api.cursors import MOST_ITEMS
from server.api.endpoint import Call, Endpoint, Nothing
from server.api.games import MOST_MOVES
from server.api.problems import respond
from server.api.reading import MOST_BODY_BYTES
from server.api.services import Services
from server.race.errors import Unavailable
from server.store.journal import JournalState

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
        analyses_per_minute: outlooks searched for per player, or per address without a token.
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
    analyses_per_minute: int
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


DatabaseState = Literal["ready", "away"]
BusState = Literal["ready", "away", "none"]
ServerState = Literal["ready", "stopping"]


class Parts(Struct, frozen=True, kw_only=True):
    """What each part of the server is.

    Attributes:
        database: `away` when it does not answer.
        journal: `full` when more moves wait to be written than are taken, `stopped` when none are.
        bus: `away` when other nodes cannot be told at once, `none` where there is no need to; races
            go on without it, and other nodes learn from the database within a second or two.
        server: `stopping` once it is about to end.
    """

    database: DatabaseState
    journal: JournalState
    bus: BusState
    server: ServerState

    @property
    def missing(self) -> list[str]:
        """Name the parts without which no race can be served, and what they are instead."""
        vital = {"database": self.database, "journal": self.journal, "server": self.server}
        return [f"{part} is {state}" for part, state in vital.items() if state != "ready"]


class Readiness(Struct, frozen=True):
    """Every part that serving a race takes is there."""

    ready: bool
    parts: Parts


async def show_limits(call: Call[Nothing, Nothing]) -> LimitsView:
    """State every limit, in numbers."""
    settings = call.services.settings
    return LimitsView(
        calls_per_minute=settings.calls_per_minute,
        players_per_hour=settings.players_per_hour,
        rooms_per_minute=settings.rooms_per_minute,
        analyses_per_minute=settings.analyses_per_minute,
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
    """Give what is asked by machines that watch the server, and is counted by no rate."""

    async def show_health(_request: Request) -> Response:
        return _json(Health(healthy=True))

    async def show_readiness(_request: Request) -> Response:
        parts = await _parts(services)
        if parts.missing:
            return respond(
                "unavailable",
                detail=f"not ready: {', '.join(parts.missing)}; ask again in a moment",
                headers={"Retry-After": str(ASK_AGAIN_S)},
                parts=msgspec.to_builtins(parts),
            )
        return _json(Readiness(ready=True, parts=parts))

    return [
        Route("/healthz", show_health),
        Route("/readyz", show_readiness),
        *metrics.routes(services),
    ]


async def _parts(services: Services) -> Parts:
    return Parts(
        database=await _database(services),
        journal=services.journal.state,
        bus=services.bus.state if services.settings.redis_url else "none",
        server="stopping" if services.tasks.closed else "ready",
    )


async def _database(services: Services) -> DatabaseState:
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
