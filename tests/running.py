"""A real server on a real port, in the test's own event loop."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import uvicorn
from starlette.types import ASGIApp

from server.api.app import create_app
from server.api.ops import FRAME_BYTES
from server.api.wire import ShortRoadProtocol
from server.clock import Clock
from server.race.deals import Chance
from server.settings import Settings


@asynccontextmanager
async def running_server(
    database_url: str,
    *,
    clock: Clock | None = None,
    chance: Chance | None = None,
    **settings: object,
) -> AsyncIterator[str]:
    """Serve until the block ends; gives the server's address, `http://127.0.0.1:<port>`.

    It proves nothing unless `solver_processes` says so.
    """
    given = {"database_url": database_url, "solver_processes": 0, **settings}
    fitting = msgspec.convert(given, Settings)
    app = create_app(fitting, clock=clock, chance=chance)
    async with running_app(app, lifespan="on", ws_max_size=FRAME_BYTES) as (_, port):
        yield f"http://127.0.0.1:{port}"


@asynccontextmanager
async def running_app(app: ASGIApp, **options: Any) -> AsyncIterator[tuple[uvicorn.Server, int]]:
    """Serve an application until the block ends, as the command does; gives server and port."""
    listener = socket.socket(proto=socket.IPPROTO_TCP)  # else asyncio leaves Nagle's delay on
    listener.bind(("127.0.0.1", 0))
    usual: dict[str, Any] = {"http": "httptools", "ws": ShortRoadProtocol, "log_level": "warning"}
    config = uvicorn.Config(app, ws_per_message_deflate=False, **(usual | options))
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        if serving.done():
            await serving
            raise RuntimeError("the server did not start")
        await asyncio.sleep(0.005)
    try:
        yield server, listener.getsockname()[1]
    finally:
        server.should_exit = True
        await serving
