"""One server process: serves until it is told to stop, then stops without losing anything."""

import asyncio
import faulthandler
import gc
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sized
from contextlib import contextmanager, suppress
from types import FrameType

import structlog
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from server.api.app import create_app
from server.api.ops import FRAME_BYTES
from server.api.wire import ShortRoadProtocol
from server.settings import Settings

log = structlog.get_logger()

GC_THRESHOLDS = (50_000, 20, 100)  # a move makes a few objects, none of them in a cycle
SWITCH_S = 0.0005  # how long the journal's thread waits for its turn at most; Python's 5 ms is long

CALLS_END_WITHIN_S = 2  # REST calls under way; then they are cut off
APPLICATION_ENDS_WITHIN_S = 3  # longer only if the database hangs: what waits for it is given up
SOCKETS_GO_WITHIN_S = 2  # for a client to read its last frames and answer the close frame
STOP_WITHIN_S = 9  # whatever hangs: then the process says where it hangs, and ends
LOOK_AGAIN_S = 0.02


class RaceServer(uvicorn.Server):
    """A uvicorn server that stops in the order in which nothing is lost.

    It takes nothing new, and answers the calls under way. Then the application ends, while its
    sockets are still open: what was accepted is written and acknowledged before each of them is
    closed with 1012. Then they may go; those that do not are cut off.
    """

    def __init__(self, app: ASGIApp, *, on_started: Callable[[], None]) -> None:
        config = uvicorn.Config(
            app,
            loop="uvloop",
            http="httptools",
            ws=ShortRoadProtocol,
            ws_max_size=FRAME_BYTES,
            ws_per_message_deflate=False,
            log_level="warning",
            access_log=False,
            lifespan="on",
            timeout_graceful_shutdown=1,  # for what is left when everything below has had its time
        )
        super().__init__(config)
        self._on_started = on_started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open everything, then tell."""
        await super().startup(sockets)
        gc.collect()
        gc.freeze()  # what is here now stays: looking at it again and again costs moves
        gc.set_threshold(*GC_THRESHOLDS)
        self._on_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close everything."""
        for server in self.servers:
            server.close()
        await self._until_none(self._end_calls, within_s=CALLS_END_WITHIN_S)
        try:
            async with asyncio.timeout(APPLICATION_ENDS_WITHIN_S):
                await self.lifespan.shutdown()
        except TimeoutError:
            log.warning("stop.application_hangs", within_s=APPLICATION_ENDS_WITHIN_S)
            self.force_exit = True
        for live in self._sockets():
            if not live.close_sent:
                live.shutdown()
                live.close_sent = True  # uvicorn would say it again
        await self._until_none(self._sockets, within_s=SOCKETS_GO_WITHIN_S)
        for live in self._sockets():
            live.transport.abort()
        await self._until_none(self._sockets, within_s=SOCKETS_GO_WITHIN_S)
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop, on a signal."""
        if not self.should_exit:
            faulthandler.dump_traceback_later(STOP_WITHIN_S, exit=True)
        super().handle_exit(sig, frame)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on SIGINT and SIGTERM; to have stopped then is no failure, so the exit code is 0."""
        signals = (signal.SIGINT, signal.SIGTERM)
        handlers = {sig: signal.signal(sig, self.handle_exit) for sig in signals}
        try:
            yield
        finally:
            for sig, handler in handlers.items():
                signal.signal(sig, handler)

    def _sockets(self) -> list[WebSocketsSansIOProtocol]:
        connections = self.server_state.connections
        return [one for one in connections if isinstance(one, WebSocketsSansIOProtocol)]

    def _end_calls(self) -> Sized:
        """Have every call be its connection's last; gives those that are left."""
        sockets = set(self._sockets())
        calls = [one for one in self.server_state.connections if one not in sockets]
        for call in calls:
            call.shutdown()
        return calls

    @staticmethod
    async def _until_none(rest: Callable[[], Sized], *, within_s: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                while rest():  # noqa: ASYNC110 — uvicorn keeps them in a set that tells nobody
                    await asyncio.sleep(LOOK_AGAIN_S)


def run(settings: Settings, listener: socket.socket, *, on_started: Callable[[], None]) -> None:
    """Serve until SIGINT or SIGTERM."""
    sys.setswitchinterval(SWITCH_S)
    RaceServer(create_app(settings), on_started=on_started).run(sockets=[listener])
