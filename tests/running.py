"""A real server on a real port, in the test's own event loop."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import uvicorn

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
    """Serve until the block ends; gives the server's address, `http://127.0.0.1:<port>`."""
    fitting = msgspec.convert({"database_url": database_url, **settings}, Settings)
    listener = socket.socket(proto=socket.IPPROTO_TCP)  # else asyncio leaves Nagle's delay on
    listener.bind(("127.0.0.1", 0))
    config = uvicorn.Config(
        create_app(fitting, clock=clock, chance=chance),
        http="httptools",
        ws=ShortRoadProtocol,
        ws_max_size=FRAME_BYTES,
        ws_per_message_deflate=False,
        log_level="warning",
        lifespan="on",
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        if serving.done():
            await serving
            raise RuntimeError("the server did not start")
        await asyncio.sleep(0.005)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        await serving
