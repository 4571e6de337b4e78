"""The live socket, as a raw ASGI application: stamps arrivals, hands frames on, decides nothing."""

import asyncio
from contextlib import suppress

import structlog
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.utils import ClientDisconnected

from server.live.channel import Channel
from server.live.conversation import NOT_A_FRAME, SERVER_FAULT, Conversation, Parts
from server.live.hub import Hub

log = structlog.get_logger()

NO_HELLO = 4408


class LiveSocket:
    """Serves `WS /api/v1/rooms/{room}/live`."""

    def __init__(self, parts: Parts, hub: Hub, *, hello_within_s: float) -> None:
        self._parts = parts
        self._hub = hub
        self._hello_within_s = hello_within_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one socket from its opening to its end."""
        await receive()
        await send({"type": "websocket.accept"})
        conversation = Conversation(scope["path_params"]["room"], self._parts)
        with self._hub.watching(conversation.room_id, conversation) as channel:
            reader = asyncio.create_task(self._read(conversation, channel, receive))
            try:
                await self._write(conversation, send)
            finally:
                reader.cancel()
                with suppress(asyncio.CancelledError):
                    await reader
                conversation.leave()

    async def _write(self, conversation: Conversation, send: Send) -> None:
        """Send what comes, and the close frame at the end."""

        async def send_text(text: str) -> None:
            await send({"type": "websocket.send", "text": text})

        outbox = conversation.outbox
        with suppress(ClientDisconnected):
            await outbox.pump(send_text)
            await send(
                {
                    "type": "websocket.close",
                    "code": outbox.close_code,
                    "reason": outbox.close_reason,
                }
            )

    async def _read(self, conversation: Conversation, channel: Channel, receive: Receive) -> None:
        """Hand on every frame until the socket goes."""
        outbox = conversation.outbox
        try:
            async with asyncio.timeout(self._hello_within_s) as deadline:
                while not conversation.greeted and outbox.close_code is None:
                    await self._read_frame(conversation, channel, receive)
                deadline.reschedule(None)
            while outbox.close_code is None:
                await self._read_frame(conversation, channel, receive)
        except TimeoutError:
            outbox.close(NO_HELLO, f"say hello within {self._hello_within_s:g} seconds")
        except Exception:
            log.exception("socket.failed", room=conversation.room_id)
            outbox.close(SERVER_FAULT, "this is our fault; it is logged")

    async def _read_frame(
        self, conversation: Conversation, channel: Channel, receive: Receive
    ) -> None:
        message = await receive()
        received_ms = self._parts.clock.now_ms()
        if message["type"] == "websocket.disconnect":
            conversation.outbox.close(message.get("code", 1006), "")
        elif (text := message.get("text")) is not None:
            await conversation.receive(text, channel, received_ms=received_ms)
        else:
            conversation.outbox.close(NOT_A_FRAME, "send JSON objects as text frames, not binary")
