"""Refusals as the OpenAPI document describes them: one response for the codes of one status."""

from collections.abc import Iterable
from typing import Any

import msgspec

from server.api.logs import REQUEST_ID
from server.api.problems import MEDIA_TYPE, STATUS, TITLE, make_problem

Document = dict[str, Any]

HEADERS: dict[str, Document] = {
    "Retry-After": {
        "description": "seconds after which asking again makes sense",
        "required": True,
        "schema": {"type": "integer", "minimum": 1},
        "example": 1,
    },
    "WWW-Authenticate": {
        "description": "the scheme of tokens",
        "required": True,
        "schema": {"type": "string"},
        "example": "Bearer",
    },
    "X-Request-Id": {
        "description": "what the server's log calls this call: as sent, or else chosen",
        "required": True,
        "schema": {"type": "string", "pattern": f"^{REQUEST_ID.pattern}$"},
        "example": "edge-7f3a.1",
    },
}

HEADER_OF = {401: "WWW-Authenticate", 429: "Retry-After", 503: "Retry-After"}

EXAMPLES: dict[str, tuple[str, dict[str, str]]] = {
    "invalid": ("seats: expected `int` <= 100", {"pointer": "/seats"}),
    "wrong_state": (
        "the room is racing: join another room, or ask for a rematch once this one is over",
        {"state": "racing"},
    ),
    "not_available": (
        "this server proves no deals winnable; leave winnable out",
        {"pointer": "/winnable"},
    ),
    "too_many_requests": ("more than 20 new rooms and tokens a minute; wait 12 s", {}),
    "unavailable": ("the database did not answer; ask again in a moment", {}),
    "unauthorized": ("send the header `Authorization: Bearer <token>`", {}),
}
"""What details look like; codes that are not here show their title."""


def refusals(codes: Iterable[str]) -> Document:
    """Give a reference to a response for each status that these codes have."""
    by_status: dict[int, list[str]] = {}
    for code in sorted(codes):
        by_status.setdefault(STATUS[code], []).append(code)
    return {
        str(status): {"$ref": f"#/components/responses/{_name(by_status[status])}"}
        for status in sorted(by_status)
    }


def answers_of(paths: dict[str, Document]) -> Document:
    """Give the responses that these paths refer to, by name."""
    names = {
        response["$ref"].rpartition("/")[2]
        for path in paths.values()
        for operation in path.values()
        for response in operation["responses"].values()
        if "$ref" in response
    }
    return {name: _refusal(name.split(".")) for name in sorted(names)}


def _name(codes: list[str]) -> str:
    return ".".join(codes)


def _refusal(codes: list[str]) -> Document:
    narrowed = {"properties": {"code": {"enum": codes}}}
    refusal: Document = {
        "description": "; ".join(f"`{code}`: {TITLE[code]}" for code in codes),
        "content": {
            MEDIA_TYPE: {
                "schema": {"allOf": [{"$ref": "#/components/schemas/Problem"}, narrowed]},
                "examples": {code: {"value": _example(code)} for code in codes},
            }
        },
    }
    if header := HEADER_OF.get(STATUS[codes[0]]):
        refusal["headers"] = {header: {"$ref": f"#/components/headers/{header}"}}
    return refusal


def _example(code: str) -> Any:
    detail, more = EXAMPLES.get(code, (TITLE[code], {}))
    return msgspec.to_builtins(make_problem(code, detail=detail, **more))
