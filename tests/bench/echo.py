"""The bare echo of the same stack: starlette, uvicorn, and msgspec to decode and encode."""

import socket
import sys

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from server.live.messages import decode, encode


async def echo(websocket: WebSocket) -> None:
    """Decode every frame and send it back."""
    await websocket.accept()
    try:
        while True:
            frame = decode(await websocket.receive_text())
            await websocket.send_text(encode(frame).decode())
    except WebSocketDisconnect:
        return


app = Starlette(routes=[WebSocketRoute("/echo", echo)])


class EchoServer(uvicorn.Server):
    """Says when it listens."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open everything, then tell."""
        await super().startup(sockets)
        print("listens", flush=True)  # noqa: T201 — whoever started it waits for this line


if __name__ == "__main__":
    config = uvicorn.Config(
        app,
        host="127.0.0.1",
        port=int(sys.argv[1]),
        loop="uvloop",
        ws="websockets-sansio",
        ws_max_size=4096,
        ws_per_message_deflate=False,
        log_level="warning",
        access_log=False,
    )
    EchoServer(config).run()
