"""The short road to a socket: a text frame that need not wait goes straight to its transport.

Through ASGI every frame costs a turn of the task that sends, and a framing of its own. Standings go
to thousands of sockets as the same bytes: here they are framed once, and each socket costs a write.
What would have to wait for a slow reader does not come this way: the transport's buffer stays as
short as the ASGI road keeps it.
"""

import asyncio
from collections.abc import Callable
from functools import lru_cache
from http import HTTPStatus
from typing import NamedTuple

from starlette.types import Scope
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import Protocol, State

from server.api.guarded import GuardedProtocol
from server.live.outbox import WriteNow, never

EXTENSION = "canfield_race.short_road"


@lru_cache(maxsize=1)  # the frame that is being sent to everyone
def framed(text: bytes) -> bytes:
    r"""Give a text frame as a server sends it.

    >>> framed(b"hello")
    b'\x81\x05hello'
    """
    return Frame(Opcode.TEXT, text).serialize(mask=False)


class Wire:
    """What carries one socket's frames.

    It holds the transport and not uvicorn's protocol, whose scope holds this: a transport lets go
    of its protocol at the end, so that nothing is left which only the garbage collector finds.
    """

    __slots__ = ("_connection", "_transport", "_writable")

    def __init__(
        self, transport: asyncio.Transport, connection: Protocol, writable: asyncio.Event
    ) -> None:
        self._transport = transport
        self._connection = connection
        self._writable = writable

    def write(self, text: bytes) -> bool:
        """Write a text frame, if the socket is open and takes it now; gives whether it did.

        The connection's state need not know: only control frames, and text in parts, change it.
        """
        if (
            not self._writable.is_set()  # cleared while the transport's buffer is full
            or self._connection.state is not State.OPEN  # nothing follows a close frame
            or self._transport.is_closing()
        ):
            return False
        self._transport.write(framed(text))
        return True

    def cut_off(self) -> None:
        """End the connection at once; what has not been read of it is lost."""
        self._transport.abort()


class ShortRoadProtocol(GuardedProtocol):
    """Sockets each of which offers the application its wire."""

    def handle_connect(self, event: Request) -> None:
        """Hand the socket, its wire with it, to the application."""
        super().handle_connect(event)
        if self.response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            wire = Wire(self.transport, self.conn, self.writable)
            self.scope["extensions"][EXTENSION] = {"write_now": wire.write, "cut_off": wire.cut_off}


class Road(NamedTuple):
    """What the application may do to a socket besides what ASGI offers.

    Attributes:
        write_now: the short road, which may not be free.
        cut_off: ends the connection at once.
    """

    write_now: WriteNow
    cut_off: Callable[[], None]


def short_road(scope: Scope) -> Road:
    """Give the short road to a socket, or one that is never free if its server offers none."""
    offered = scope.get("extensions", {}).get(EXTENSION)
    return Road(never, lambda: None) if offered is None else Road(**offered)
