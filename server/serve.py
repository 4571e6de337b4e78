"""Running the server process."""

import structlog
import uvicorn

from server.api.app import create_app
from server.api.ops import FRAME_BYTES
from server.settings import Settings

log = structlog.get_logger()


def serve(settings: Settings, *, host: str, port: int) -> None:
    """Serve until SIGINT or SIGTERM."""
    config = uvicorn.Config(
        create_app(settings),
        host=host,
        port=port,
        loop="uvloop",
        http="httptools",
        ws="websockets-sansio",
        ws_max_size=FRAME_BYTES,
        ws_per_message_deflate=False,
        log_level="warning",
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=5,
    )
    uvicorn.Server(config).run()
