"""Running the server: checked first, then served, by one process or by several."""

import asyncio
import os
import socket
import tempfile
from contextlib import closing

from rich.console import Console

from server import process
from server.api.logs import configure_logs
from server.live.buses.redis_url import read_url
from server.metrics import SHARED_FOLDER, forget_process
from server.settings import BadSettings, CannotRun, Settings
from server.store.database import Database
from server.store.migrations import check_migrated
from server.workers import Workers, work_of


class CannotListen(CannotRun):
    """The address cannot be listened on; the message says how to mend it."""


def serve(settings: Settings, *, host: str, port: int, workers: int = 1) -> None:
    """Serve until SIGINT or SIGTERM.

    Raises:
        BadSettings: the settings do not allow several workers.
        BadDatabase, BadRedis: the database or the bus cannot be used as it is.
        CannotListen: the address is taken, or not one of this machine.
        CannotStart: a worker cannot serve.
    """
    database = Database(settings.database_url)
    if workers > 1:
        check_shareable(settings, database, workers=workers)
    if settings.redis_url:
        read_url(settings.redis_url)
    asyncio.run(_check(database))
    with closing(_listen(host, port)) as listener:
        if workers == 1:
            process.run(settings, listener, on_started=lambda: tell(listener))
        else:
            _serve_by_several(settings, listener, workers)


def check_shareable(settings: Settings, database: Database, *, workers: int) -> None:
    """Make sure that several processes can serve together.

    Raises:
        BadSettings: they cannot.
    """
    missing = []
    if database.is_sqlite:
        missing.append(
            "PostgreSQL, since a SQLite file is for one process (set "
            "DATABASE_URL=postgresql://user:password@host/name)"
        )
    if not settings.redis_url:
        missing.append(
            "Redis, through which they tell each other what happens (set "
            "REDIS_URL=redis://host:port)"
        )
    if missing:
        raise BadSettings(
            f"--workers {workers} needs {' and '.join(missing)}; or leave --workers out"
        )


def tell(listener: socket.socket) -> None:
    """Say where the server listens, and what to do next."""
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    Console(soft_wrap=True).print(
        f"Canfield Race listens on [bold]http://{shown}:{port}[/bold]\n"
        "  play             open that in a browser\n"
        "  company          make demo, in another terminal\n"
        f"  the API          http://{shown}:{port}/openapi.json and /asyncapi.json\n"
        "  stop it          Ctrl-C"
    )


def _serve_by_several(settings: Settings, listener: socket.socket, count: int) -> None:
    """Serve by workers; what they count for Prometheus they keep in one folder."""
    configure_logs(settings.log_level, form=settings.log_format)
    with tempfile.TemporaryDirectory(prefix="canfield-metrics-") as folder:
        os.environ[SHARED_FOLDER] = folder  # read by the workers when they begin
        workers = Workers(
            count,
            work_of(settings, listener),
            on_serving=lambda: tell(listener),
            on_death=forget_process,
            on_stop=listener.close,  # else calls would be taken that nobody answers
        )
        asyncio.run(workers.run())


async def _check(database: Database) -> None:
    """Refuse a database that is not fit before anything is told to anyone."""
    await database.open()
    try:
        await check_migrated(database)
    finally:
        await database.close()


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        raise CannotListen(
            f"cannot listen on {host} port {port}: {error.strerror}. Another server may be "
            "running there; stop it, or choose another --port"
        ) from error
    return listener
