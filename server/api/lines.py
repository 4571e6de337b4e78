"""Answers of many objects, one JSON text on each line, sent while they are read."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import msgspec
import structlog
from msgspec import Struct
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from server.race.errors import RaceError

log = structlog.get_logger()

MEDIA_TYPE = "application/x-ndjson"

TAKEN_WITHIN_S = 60  # a reader who takes nothing for so long gets no more


class Lines(Response):
    """Sends objects as they come, and asks for the next when the one before is on its way.

    Where they cannot be had to the end, the answer is left incomplete: the server then cuts the
    connection, and nobody takes what was sent for the whole.
    """

    media_type = MEDIA_TYPE

    def __init__(self, items: AsyncGenerator[Struct], *, request_id: str) -> None:
        self.status_code = 200
        self.background = None
        self.init_headers()
        self._items = items
        self._request_id = request_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, until the last object or until nobody reads any more."""
        gone = asyncio.create_task(_gone(receive))
        try:
            async with aclosing(self._items):
                await self._send(scope, send, gone)
        except TimeoutError:
            log.info("answer.not_taken", request_id=self._request_id)
        except RaceError as error:
            log.warning("answer.broken_off", request_id=self._request_id, code=error.code)
        except Exception:
            log.exception("answer.failed", request_id=self._request_id)
        finally:
            gone.cancel()

    async def _send(self, scope: Scope, send: Send, gone: asyncio.Task[None]) -> None:
        start = {"status": self.status_code, "headers": self.raw_headers}
        await send({"type": "http.response.start", **start})
        if scope["method"] != "HEAD":
            async for item in self._items:
                line = msgspec.json.encode(item) + b"\n"
                async with asyncio.timeout(TAKEN_WITHIN_S):
                    await send({"type": "http.response.body", "body": line, "more_body": True})
                await asyncio.sleep(0)  # a fast reader must not keep others waiting
                if gone.done():
                    return
        await send({"type": "http.response.body"})


async def _gone(receive: Receive) -> None:
    """Wait until the reader has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
