"""Refusals on the wire: `application/problem+json` (RFC 9457) with a stable `code`."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from starlette.responses import Response

from server.race.errors import Invalid, RaceError, Unavailable, WrongState

MEDIA_TYPE = "application/problem+json"

STATUS: dict[str, int] = {
    "invalid": 422,
    "unauthorized": 401,
    "forbidden": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "name_taken": 409,
    "room_full": 409,
    "daily_over": 409,
    "not_in_a_daily": 409,
    "wrong_state": 409,
    "not_host": 403,
    "not_a_player": 403,
    "kicked": 403,
    "not_available": 422,
    "too_many_requests": 429,
    "unavailable": 503,
    "server_fault": 500,
}
"""The status of every code that a call can answer."""

TITLE: dict[str, str] = {
    "invalid": "The request is not valid",
    "unauthorized": "A valid token is needed",
    "forbidden": "Not for you",
    "not_found": "There is no such thing",
    "method_not_allowed": "Not with this method",
    "name_taken": "The name is taken",
    "room_full": "The room is full",
    "daily_over": "The day is over",
    "not_in_a_daily": "Not in a daily",
    "wrong_state": "Not in this state of the room",
    "not_host": "Only the host may do this",
    "not_a_player": "Only players of the room may do this",
    "kicked": "You have been removed from this room",
    "not_available": "This server does not offer it",
    "too_many_requests": "Too many requests",
    "unavailable": "Not to be had at this moment",
    "server_fault": "The server has a fault",
}


class Problem(Struct, frozen=True, kw_only=True):
    """Why a call was refused.

    Attributes:
        type: names the kind of problem; the same for the same `code`.
        title: the kind of problem in words, the same for the same `code`.
        status: the HTTP status, again.
        code: a stable word to decide by.
        detail: what is wrong and how to mend it, for a person.
        pointer: for a validation error, the JSON pointer of the field in the body, or of the
            parameter; empty for the whole.
        state: for `wrong_state`, the room's present state.
        parts: of `/readyz`, what each part of the server is.
        request_id: of a call that failed through no fault of the caller, the id that the server's
            log has it under; the same as in the header `X-Request-Id`.
    """

    type: Annotated[str, Meta(examples=["urn:canfield-race:problem:not_found"])]
    title: str
    status: int
    detail: str
    code: Annotated[str, Meta(extra_json_schema={"enum": sorted(STATUS)})]
    pointer: str | UnsetType = UNSET
    state: str | UnsetType = UNSET
    parts: dict[str, str] | UnsetType = UNSET
    request_id: str | UnsetType = UNSET


OURS = 500
"""From this status on, what went wrong did so on the server: its log tells more."""


def problem_response(error: RaceError, *, request_id: str | UnsetType = UNSET) -> Response:
    """Answer a refusal of the call with this id."""
    headers = {}
    if isinstance(error, Unavailable):
        headers["Retry-After"] = str(error.retry_after_s)
    if error.code == "unauthorized":
        headers["WWW-Authenticate"] = "Bearer"
    more: dict[str, Any] = {}
    if isinstance(error, Invalid):
        more["pointer"] = error.pointer
    if isinstance(error, WrongState):
        more["state"] = error.state
    if STATUS[error.code] >= OURS:
        more["request_id"] = request_id
    return respond(error.code, detail=error.detail, headers=headers, **more)


def respond(
    code: str, *, detail: str, headers: dict[str, str] | None = None, **more: Any
) -> Response:
    """Answer with a problem of this code; `more` are the fields that not every problem has."""
    problem = make_problem(code, detail=detail, **more)
    return Response(msgspec.json.encode(problem), problem.status, headers, media_type=MEDIA_TYPE)


def make_problem(code: str, *, detail: str, **more: Any) -> Problem:
    """Make the problem of a code."""
    return Problem(
        type=f"urn:canfield-race:problem:{code}",
        title=TITLE[code],
        status=STATUS[code],
        detail=detail,
        code=code,
        **more,
    )
