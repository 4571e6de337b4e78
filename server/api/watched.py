"""What is done around every answer: its lines in the log have its id, and it is counted."""

from collections.abc import Awaitable, Callable

import structlog
from starlette.requests import Request
from starlette.responses import Response

from server import metrics
from server.api.logs import about_call, request_id_of

log = structlog.get_logger()

REQUEST_ID = "X-Request-Id"


async def watched(
    request: Request,
    answered: Callable[[str], Awaitable[Response]],
    *,
    method: str,
    path: str,
    under: str = "",
) -> Response:
    """Answer a request, log and count it; the answer tells the id that its lines have.

    `path` is the template, `under` what stands before it for the metrics, whose names stay few.
    """
    began_s, request_id = metrics.seconds(), request_id_of(request.headers.get(REQUEST_ID))
    with about_call(request_id, room_id=request.path_params.get("room")):
        response = await answered(request_id)
        took_s = metrics.seconds() - began_s
        log.debug(
            "call.answered",
            method=method,
            path=path,
            status=response.status_code,
            took_ms=round(took_s * 1000, 1),
        )
    metrics.count_call(
        route=under + path, method=method, status=response.status_code, took_s=took_s
    )
    response.headers[REQUEST_ID] = request_id
    return response
