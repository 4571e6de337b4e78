"""Where the server is put together, opened, and closed in reverse."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import NamedTuple

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from server import metrics
from server.api import boards, daily, docs, games, ops, players, results, rooms, standings
from server.api.endpoint import Endpoint, routes
from server.api.logs import configure_logs
from server.api.page import Page, is_for_people
from server.api.problems import respond
from server.api.rates import Rates
from server.api.services import Services
from server.api.socket import LiveDoor
from server.clock import Clock, SystemClock, keep_time, set_by
from server.live.attempts import Attempts
from server.live.bookkeeping import Bookkeeping
from server.live.buses.bus import Bus, MemoryBus
from server.live.buses.redis_bus import RedisBus
from server.live.conversation import Limits, Parts
from server.live.deadlines import Deadlines
from server.live.hub import Hub
from server.live.lobby import Lobby
from server.live.outbox import COME_BACK
from server.live.reconciler import Reconciler
from server.live.referee import Referee
from server.live.sessions import Sessions
from server.live.tasks import Tasks
from server.live.upkeep import Upkeep
from server.live.winnable.planner import Planner
from server.live.winnable.solving import Solvers
from server.live.winnable.stock import Stock
from server.race.deals import Chance
from server.settings import Settings
from server.store.attempts import Attempts as KeptAttempts
from server.store.batches import batches_for
from server.store.boards import Boards
from server.store.counting import Counting
from server.store.dailies import Dailies
from server.store.database import Database
from server.store.games import Games
from server.store.journal import Journal
from server.store.migrations import check_migrated
from server.store.players import Players
from server.store.proofs import Proofs
from server.store.rooms import Rooms
from server.store.stock import ProvenDeals
from server.store.truth import Truth

ENDPOINTS: list[Endpoint] = [
    *players.ENDPOINTS,
    *rooms.ENDPOINTS,
    *standings.ENDPOINTS,
    *daily.ENDPOINTS,
    *games.ENDPOINTS,
    *results.ENDPOINTS,
    *boards.ENDPOINTS,
    *ops.ENDPOINTS,
]

NOT_FOUND, METHOD_NOT_ALLOWED = 404, 405


def create_app(
    settings: Settings, *, clock: Clock | None = None, chance: Chance | None = None
) -> ASGIApp:
    """Build the server; its lifespan opens the database and closes it again."""
    services = assemble(settings, clock=clock or SystemClock(), chance=chance or Chance())
    app = Starlette(
        routes=[
            *routes(ENDPOINTS, services),
            *ops.routes(services),
            *docs.routes(ENDPOINTS),
            *services.page.routes(),
        ],
        lifespan=lambda _: running(services),
        exception_handlers={HTTPException: partial(_http_problem, services.page)},
    )
    app.router.redirect_slashes = False  # one path for one thing; another is not found
    return LiveDoor(app, _parts(services), hello_within_s=settings.hello_within_s)


def assemble(settings: Settings, *, clock: Clock, chance: Chance) -> Services:
    """Put the parts of a server together; nothing is opened yet."""
    database = Database(settings.database_url)
    rooms_kept, games_kept, attempts_kept = Rooms(database), Games(database), KeptAttempts(database)
    journal = Journal(batches_for(database))
    tasks = Tasks()
    bus = _bus(settings, clock, chance)
    truth = Truth(database)
    sessions = Sessions(journal=journal, games=games_kept)
    hub = Hub(bus, rooms=rooms_kept, sessions=sessions, clock=clock, tasks=tasks)
    deadlines = Deadlines(rooms_kept, clock=clock, tasks=tasks)
    referee = Referee(
        rooms=rooms_kept,
        games=games_kept,
        attempts=attempts_kept,
        sessions=sessions,
        hub=hub,
        deadlines=deadlines,
        clock=clock,
        tasks=tasks,
    )
    attempts = Attempts(
        attempts_kept,
        games_kept,
        referee=referee,
        sessions=sessions,
        hub=hub,
        clock=clock,
        chance=chance,
    )
    dailies = Dailies(database)
    proofs = Proofs(database)
    winnable = _winnable(settings, database, dailies, clock=clock, chance=chance)
    return Services(
        settings=settings,
        clock=clock,
        chance=chance,
        database=database,
        journal=journal,
        players=Players(database),
        rooms=rooms_kept,
        dailies=dailies,
        proofs=proofs,
        boards=Boards(database),
        games=games_kept,
        bus=bus,
        hub=hub,
        truth=truth,
        reconciler=Reconciler(hub, truth),
        bookkeeping=Bookkeeping(Counting(database)),
        upkeep=Upkeep(rooms_kept, clock=clock),
        referee=referee,
        attempts=attempts,
        kept_attempts=attempts_kept,
        solvers=winnable.solvers,
        stock=winnable.stock,
        planner=winnable.planner,
        lobby=Lobby(
            rooms=rooms_kept,
            proofs=proofs,
            referee=referee,
            attempts=attempts,
            deadlines=deadlines,
            stock=winnable.stock,
            clock=clock,
            chance=chance,
        ),
        deadlines=deadlines,
        tasks=tasks,
        rates=Rates(settings),
        page=Page(),
    )


class Winnable(NamedTuple):
    """What proves deals winnable; nothing of it is there on a server without a solver."""

    solvers: Solvers | None = None
    stock: Stock | None = None
    planner: Planner | None = None


def _winnable(
    settings: Settings, database: Database, dailies: Dailies, *, clock: Clock, chance: Chance
) -> Winnable:
    if not settings.solver_processes:
        return Winnable()
    solvers = Solvers(settings.solver_processes)
    deals, size = ProvenDeals(database), settings.winnable_stock
    return Winnable(
        solvers=solvers,
        stock=Stock(deals, solvers, size=size, clock=clock, chance=chance),
        planner=Planner(dailies, solvers, clock=clock, chance=chance),
    )


@asynccontextmanager
async def running(services: Services) -> AsyncIterator[None]:
    """Open what has to be open while the server serves, and close it in reverse."""
    configure_logs(services.settings.log_level, form=services.settings.log_format)
    async with AsyncExitStack() as stack:
        await services.page.open()
        await services.database.open()
        stack.push_async_callback(services.database.close)
        await check_migrated(services.database)
        has_own_time = await set_by(services.database, services.clock)
        await services.hub.begin(await services.truth.epoch())
        await services.bus.open()
        stack.push_async_callback(services.bus.close)
        if services.solvers is not None:
            stack.push_async_callback(services.solvers.close)
        stack.push_async_callback(services.tasks.close)
        stack.callback(services.hub.close_all, COME_BACK, "the server restarts")
        services.journal.open()
        stack.push_async_callback(services.journal.close)  # first: acks go out before close frames
        services.tasks.start(services.deadlines.sweep(), name="sweep")
        services.tasks.start(services.attempts.sweep(), name="attempts")
        services.tasks.start(services.hub.pulse.run(), name="pulse")
        services.tasks.start(services.bookkeeping.run(), name="bookkeeping")
        services.tasks.start(services.upkeep.run(), name="upkeep")
        if services.planner is not None:
            services.tasks.start(services.planner.run(), name="planner")
        if services.stock is not None:
            services.tasks.start(services.stock.run(), name="stock")
        sampling = metrics.keep_sampling(
            services.hub.count_sockets, services.journal.sample, services.bus.sample
        )
        services.tasks.start(sampling, name="sampling")
        if has_own_time:
            services.tasks.start(keep_time(services.database, services.clock), name="clock")
        if not services.database.is_sqlite:  # its file has no other server
            services.tasks.start(services.reconciler.run(), name="reconciler")
        yield


def _bus(settings: Settings, clock: Clock, chance: Chance) -> Bus:
    """Give the way to other nodes; without Redis, they learn from the database alone."""
    if not settings.redis_url:
        return MemoryBus()
    return RedisBus(settings.redis_url, clock=clock, node=chance.identifier())


def _parts(services: Services) -> Parts:
    settings = services.settings
    return Parts(
        referee=services.referee,
        hub=services.hub,
        identify=services.players.identify,
        clock=services.clock,
        limits=Limits(
            frames_per_s=settings.frames_per_s,
            frames_burst=settings.frames_burst,
            outbox_frames=settings.outbox_frames,
        ),
    )


async def _http_problem(page: Page, request: Request, error: Exception) -> Response:
    """Answer what no route answers: an unknown path, or a method that a path does not take.

    Browsers are shown the page, which says it to the person before them.
    """
    if not isinstance(error, HTTPException):
        raise error
    headers = dict(error.headers or {})
    if error.status_code == METHOD_NOT_ALLOWED:
        detail = f"{request.url.path} takes {headers.get('Allow')}, not {request.method}"
        return respond("method_not_allowed", detail=detail, headers=headers)
    if is_for_people(request):
        return page.show(request, status=NOT_FOUND)
    detail = f"no {request.method} {request.url.path} here; GET /openapi.json lists every call"
    return respond("not_found", detail=detail, headers=headers)
