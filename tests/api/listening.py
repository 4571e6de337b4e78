"""A live socket whose every frame is held against the AsyncAPI document."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.api.driver import ASYNCAPI, Api, check

PATIENCE_S = 10


def frames(action: str) -> dict[str, str]:
    """Give the message of each frame type that the server receives, or sends, by its name."""
    named = {}
    for operation in ASYNCAPI["operations"].values():
        if operation["action"] == action:
            for reference in operation["messages"]:
                message = reference["$ref"].rpartition("/")[2]
                named[ASYNCAPI["components"]["messages"][message]["name"]] = message
    return named


RECEIVED, SENT = frames("receive"), frames("send")


def check_frame(frame: dict[str, Any], messages: dict[str, str]) -> None:
    """Hold a frame against the schema of its message."""
    message = messages[frame["type"]]
    payload = ASYNCAPI["components"]["messages"][message]["payload"]
    check("asyncapi:", payload["$ref"].removeprefix("#"), frame)


class Listener:
    """One socket; every frame that it gets is checked and kept."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.heard: list[dict[str, Any]] = []

    async def say(self, kind: str, **fields: Any) -> None:
        """Send a frame as the document describes it."""
        frame = {"type": kind, **fields}
        check_frame(frame, RECEIVED)
        await self.connection.send(json.dumps(frame))

    async def expect(self, kind: str) -> dict[str, Any]:
        """Wait for the next frame of a type."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                frame = json.loads(await self.connection.recv())
                check_frame(frame, SENT)
                self.heard.append(frame)
                if frame["type"] == kind:
                    return dict(frame)

    async def closed(self) -> int | None:
        """Wait for the socket's end; gives its close code."""
        async with asyncio.timeout(PATIENCE_S):
            try:
                while True:
                    await self.expect("never")
            except ConnectionClosed as end:
                return None if end.rcvd is None else end.rcvd.code


@asynccontextmanager
async def listening(api: Api, room_id: str, *, hello: bool = True) -> AsyncIterator[Listener]:
    """Open a room's socket, with the caller's token if there is one."""
    address = str(api.client.base_url).replace("http", "ws", 1)
    async with connect(f"{address}/api/v1/rooms/{room_id}/live", proxy=None) as connection:
        listener = Listener(connection)
        if hello:
            await listener.say("hello", **({"token": api.token} if api.token else {}))
        yield listener
