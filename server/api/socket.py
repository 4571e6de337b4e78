"""The live socket, as raw ASGI: stamps arrivals, hands frames on, decides nothing.

Frames of a race do not pass through Starlette: `LiveDoor` takes the sockets of
`/api/v1/rooms/{room}/live` before it, and gives it everything else.
"""

import asyncio
import re
from contextlib import suppress

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.utils import ClientDisconnected

from server import metrics
from server.api.endpoint import PREFIX
from server.api.guarded import ENDS_WITHIN_S
from server.api.logs import about_room
from server.api.wire import Road, short_road
from server.live.channel import Channel
from server.live.conversation import NOT_A_FRAME, SERVER_FAULT, Conversation, Parts
from server.live.outbox import nothing

log = structlog.get_logger()

LIVE_PATH = re.compile(f"{PREFIX}/rooms/(?P<room>[^/]+)/live")

NO_HELLO = 4408


class LiveDoor:
    """Serves live sockets; everything else is for the application behind it."""

    def __init__(self, behind: ASGIApp, parts: Parts, *, hello_within_s: float) -> None:
        self._behind = behind
        self._parts = parts
        self._hello_within_s = hello_within_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        live = LIVE_PATH.fullmatch(scope["path"]) if scope["type"] == "websocket" else None
        if live is None:
            await self._behind(scope, receive, send)
        else:
            await self._serve(live["room"], short_road(scope), receive, send)

    async def _serve(self, room_id: str, road: Road, receive: Receive, send: Send) -> None:
        """Serve one live socket from its opening to its end."""
        await receive()
        await send({"type": "websocket.accept"})
        conversation = Conversation(room_id, self._parts)
        conversation.outbox.write_now = road.write_now
        with (
            about_room(room_id),
            self._parts.hub.watching(room_id, conversation) as channel,
        ):
            reader = asyncio.create_task(self._read(conversation, channel, receive))
            try:
                await self._write(conversation, road, send)
            finally:
                reader.cancel()
                with suppress(asyncio.CancelledError):
                    await reader
                conversation.leave()
                metrics.count_close(conversation.outbox.close_code)

    @staticmethod
    async def _write(conversation: Conversation, road: Road, send: Send) -> None:
        """Send what comes, and the close frame at the end; who does not read it is cut off."""
        outbox, now_s = conversation.outbox, asyncio.get_running_loop().time
        with suppress(ClientDisconnected):
            try:
                async with asyncio.timeout(None) as patience:
                    outbox.on_close = lambda: patience.reschedule(now_s() + ENDS_WITHIN_S)
                    while (frame := await outbox.next_frame()) is not None:
                        await send({"type": "websocket.send", "text": frame.decode()})
                    code, reason = outbox.close_code, outbox.close_reason
                    await send({"type": "websocket.close", "code": code, "reason": reason})
            except TimeoutError:
                road.cut_off()
            finally:
                outbox.on_close = nothing

    async def _read(self, conversation: Conversation, channel: Channel, receive: Receive) -> None:
        """Hand on every frame until the socket goes."""
        outbox, now_ms = conversation.outbox, self._parts.clock.now_ms
        try:
            while not conversation.greeted and outbox.close_code is None:
                async with asyncio.timeout(self._hello_within_s):
                    message = await receive()
                text = _text_of(message, conversation)
                await conversation.receive(text, channel, received_ms=now_ms())
            while outbox.close_code is None:
                message = await receive()
                received_ms = now_ms()
                text = message.get("text") or _text_of(message, conversation)
                await conversation.receive(text, channel, received_ms=received_ms)
        except _NoFrame:
            return
        except TimeoutError:
            outbox.close(NO_HELLO, f"say hello within {self._hello_within_s:g} seconds")
        except Exception:
            log.exception("socket.failed", room=conversation.room_id)
            outbox.close(SERVER_FAULT, "this is our fault; it is logged")


class _NoFrame(Exception):
    """What came is the end of the socket, or a frame that cannot be."""


def _text_of(message: Message, conversation: Conversation) -> str:
    if message["type"] == "websocket.disconnect":
        conversation.outbox.close(message.get("code", 1006), "")
        raise _NoFrame
    text: str | None = message.get("text")
    if text is None:
        conversation.outbox.close(NOT_A_FRAME, "send JSON objects as text frames, not binary")
        raise _NoFrame
    return text
