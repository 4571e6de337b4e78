"""`/metrics`: what the server counts, as text for Prometheus."""

import asyncio
import platform
from collections.abc import Iterable
from importlib.metadata import version

import structlog
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from server import metrics
from server.api.services import Services
from server.race.errors import Unavailable
from server.store.census import Census, take_census
from server.store.database import Database

log = structlog.get_logger()

TEXT_FOR_S = 1  # whoever asks more often gets the same text: it costs milliseconds
CENSUS_FOR_S = 5  # the database is asked for its numbers no more often than this
CENSUS_WITHIN_S = 2  # a database that answers later is away, as far as watching goes


class Exposition:
    """The text of this moment; what is the same for all nodes is asked of the database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = asyncio.Lock()  # many who ask at once cause one answer
        self._text = b""
        self._text_until_s = 0.0
        self._census: Census | None = None
        self._census_until_s = 0.0

    async def text(self) -> bytes:
        """Give all numbers in the text format of Prometheus."""
        async with self._lock:
            now_s = asyncio.get_running_loop().time()
            if now_s >= self._census_until_s:
                self._census = await self._take_census()
                self._census_until_s = now_s + CENSUS_FOR_S
            if now_s >= self._text_until_s:
                # On a thread: with several processes it reads a file of each.
                self._text = await asyncio.to_thread(generate_latest, _Everything(self._census))
                self._text_until_s = now_s + TEXT_FOR_S
            return self._text

    async def _take_census(self) -> Census | None:
        try:
            async with asyncio.timeout(CENSUS_WITHIN_S):
                return await take_census(self._database)
        except (TimeoutError, Unavailable):
            return None
        except Exception:
            log.exception("census.failed")
            return None


class _Everything:
    """What the processes counted, and what is told when it is asked for."""

    def __init__(self, census: Census | None) -> None:
        self._census = census

    def collect(self) -> Iterable[Metric]:
        yield from metrics.collect()
        yield _build_info()
        yield from _of_database(self._census)


def _build_info() -> Metric:
    built = {"version": version("canfield-race"), "python": platform.python_version()}
    return InfoMetricFamily("canfield_build", "What runs here.", built)


def _of_database(census: Census | None) -> Iterable[Metric]:
    """Give what the database tells; without it, the counts are left out rather than told as 0."""
    yield GaugeMetricFamily(
        "canfield_database_up",
        "1 if the database answered when it was last asked for rooms and games.",
        value=float(census is not None),
    )
    if census is None:
        return
    rooms = GaugeMetricFamily(
        "canfield_rooms",
        "Rooms that are not over, by state: of all nodes, so take one node's number.",
        labels=["state"],
    )
    for state, count in census.rooms.items():
        rooms.add_metric([state], count)
    games = GaugeMetricFamily(
        "canfield_games",
        "Games under way, by state: of all nodes, so take one node's number.",
        labels=["state"],
    )
    games.add_metric(["racing"], census.racing_games)
    yield rooms
    yield games


def routes(services: Services) -> list[Route]:
    """Give `/metrics`, which is counted by no rate."""
    exposition = Exposition(services.database)

    async def show_metrics(_request: Request) -> Response:
        return Response(await exposition.text(), media_type=CONTENT_TYPE_PLAIN_0_0_4)

    return [Route("/metrics", show_metrics)]
