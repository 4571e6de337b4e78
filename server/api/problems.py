"""Refusals on the wire: `application/problem+json` (RFC 9457) with a stable `code`."""

import msgspec
from msgspec import UNSET, Struct, UnsetType
from starlette.responses import Response

from server.race.errors import Invalid, RaceError, Unavailable, WrongState

STATUS: dict[str, int] = {
    "invalid": 422,
    "unauthorized": 401,
    "forbidden": 403,
    "not_found": 404,
    "name_taken": 409,
    "room_full": 409,
    "wrong_state": 409,
    "not_host": 403,
    "not_a_player": 403,
    "kicked": 403,
    "not_available": 422,
    "too_many_requests": 429,
    "unavailable": 503,
}
"""The status of every code that a call can answer."""

TITLE: dict[str, str] = {
    "invalid": "The request is not valid",
    "unauthorized": "A valid token is needed",
    "forbidden": "Not for you",
    "not_found": "There is no such thing",
    "name_taken": "The name is taken",
    "room_full": "The room is full",
    "wrong_state": "Not in this state of the room",
    "not_host": "Only the host may do this",
    "not_a_player": "Only players of the room may do this",
    "kicked": "You have been removed from this room",
    "not_available": "This server does not offer it",
    "too_many_requests": "Too many requests",
    "unavailable": "Storage does not answer",
    "server_fault": "The server has a fault",
}


class Problem(Struct, frozen=True, kw_only=True):
    """Why a call was refused.

    Attributes:
        type: names the kind of problem; the same for the same `code`.
        code: a stable word to decide by.
        detail: what is wrong and how to mend it, for a person.
        pointer: for a validation error, the JSON pointer of the field.
        state: for `wrong_state`, the room's present state.
    """

    type: str
    title: str
    status: int
    detail: str
    code: str
    pointer: str | UnsetType = UNSET
    state: str | UnsetType = UNSET


def problem_response(error: RaceError) -> Response:
    """Answer a refusal."""
    headers = {}
    if isinstance(error, Unavailable):
        headers["Retry-After"] = str(error.retry_after_s)
    if error.code == "unauthorized":
        headers["WWW-Authenticate"] = "Bearer"
    return respond(
        error.code,
        status=STATUS[error.code],
        detail=error.detail,
        pointer=error.pointer if isinstance(error, Invalid) else UNSET,
        state=error.state if isinstance(error, WrongState) else UNSET,
        headers=headers,
    )


def respond(
    code: str,
    *,
    status: int,
    detail: str,
    pointer: str | UnsetType = UNSET,
    state: str | UnsetType = UNSET,
    headers: dict[str, str] | None = None,
) -> Response:
    """Answer with a problem of this code and status."""
    problem = Problem(
        type=f"urn:canfield-race:problem:{code}",
        title=TITLE[code],
        status=status,
        detail=detail,
        code=code,
        pointer=pointer,
        state=state,
    )
    return Response(
        msgspec.json.encode(problem), status, headers, media_type="application/problem+json"
    )
