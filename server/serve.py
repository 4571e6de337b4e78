"""Running the server process: checked first, then served, then stopped without losing anything."""

import asyncio
import gc
import socket
import sys

import uvicorn
from rich.console import Console

from server.api.app import create_app
from server.api.ops import FRAME_BYTES
from server.settings import Settings
from server.store.database import Database
from server.store.migrations import check_migrated

GC_THRESHOLDS = (50_000, 20, 100)  # a move makes a few objects, none of them in a cycle
SWITCH_S = 0.0005  # how long the journal's thread waits for its turn at most; Python's 5 ms is long

STOP_WITHIN_S = 5  # how long open calls and sockets may take to end


class CannotListen(Exception):
    """The address cannot be listened on; the message says how to mend it."""


class RaceServer(uvicorn.Server):
    """A uvicorn server that says where it listens, and what to do next."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open everything, then tell."""
        await super().startup(sockets)
        gc.collect()
        gc.freeze()  # what is here now stays: looking at it again and again costs moves
        gc.set_threshold(*GC_THRESHOLDS)
        if self.started and sockets:
            host, port = sockets[0].getsockname()[:2]
            shown = f"[{host}]" if ":" in host else host
            Console(soft_wrap=True).print(
                f"Canfield Race listens on [bold]http://{shown}:{port}[/bold]\n"
                f"  what it offers   http://{shown}:{port}/openapi.json and /asyncapi.json\n"
                "  a first race     make demo, in another terminal\n"
                "  stop it          Ctrl-C"
            )


def serve(settings: Settings, *, host: str, port: int) -> None:
    """Serve until SIGINT or SIGTERM.

    Raises:
        BadDatabase: the database cannot be used as it is.
        CannotListen: the address is taken, or not one of this machine.
    """
    asyncio.run(_check(settings))
    sys.setswitchinterval(SWITCH_S)
    config = uvicorn.Config(
        create_app(settings),
        loop="uvloop",
        http="httptools",
        ws="websockets-sansio",
        ws_max_size=FRAME_BYTES,
        ws_per_message_deflate=False,
        log_level="warning",
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=STOP_WITHIN_S,
    )
    RaceServer(config).run(sockets=[_listen(host, port)])


async def _check(settings: Settings) -> None:
    """Refuse a database that is not fit before anything is told to anyone."""
    database = Database(settings.database_url)
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
