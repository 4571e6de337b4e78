"""The REST contract as an OpenAPI 3.1 document, from the same table that serves it."""

import re
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import msgspec

from server.api import lines
from server.api.docstrings import describe, summarize
from server.api.endpoint import PREFIX, Endpoint, Nothing
from server.api.ops import Health, Readiness
from server.api.players import NewName, NewPlayer
from server.api.problems import Problem
from server.api.reading import LONGEST_KEY
from server.api.refusals import HEADERS, answers_of, refusals
from server.api.rooms import Kick
from server.api.schemas import Schema, components, fields_of
from server.api.watched import REQUEST_ID
from server.race.settings import RoomWish

ABOUT = f"""Races in Canfield solitaire: everyone plays the same deal, and the best game wins.

Register with `POST {PREFIX}/players`, keep the token, and send it as `Authorization: Bearer
<token>`. Reading needs no token. Play over the live socket of a room, which `/asyncapi.json`
describes, or over `POST {PREFIX}/rooms/{{room}}/moves`.

Every refusal is a problem (RFC 9457) with a stable `code`. An unknown field or parameter is
refused by name; fields that are new in answers are to be ignored. Instants are RFC 3339 in UTC
with milliseconds; durations are in milliseconds unless their name ends in `_s`.

Every call is answered, and refused, with the header `X-Request-Id`: the one that it came with, if
it has 1 to 64 letters, digits, `.`, `_` and `-`, else one that the server chose. Name it when you
ask who runs the server about a call."""

TAGS = {
    "Players": "Registering, names, tokens and public pages.",
    "Daily": "One race for everyone per UTC day, each player on a clock of their own.",
    "Rooms": "A room is one race: one deal, its players, its result.",
    "Games": "One's own game while it is played, everyone's once the room has finished.",
    "Leaderboards": "Who has done best, by day, week, month and of all time.",
    "Deals": "The deal behind any code.",
    "Limits": "What this server takes, in numbers.",
    "Operations": "For who runs the server. These are counted by no rate.",
}

PATH_VARIABLES = {
    "room": ("the room's id", "k3x9q2abmn"),
    "player": ("the player's id", "p_7f3kq8dmxw"),
    "token": ("the token's public id, from the list of one's tokens", "t_m4wz6hquka"),
    "game": ("the game's id", "h8dn2yqkxc"),
    "board": ("the leaderboard's name, from the list of them", "wins"),
    "date": ("a UTC day", "2026-11-30"),
    "code": ("a game code: ruleset, draw and letters", "CF1-D3-AAAAACL"),
}

EVERY_CALL = ("invalid", "too_many_requests", "unavailable", "server_fault")
"""The codes that any call can be refused with."""

EXAMPLES: dict[type[msgspec.Struct], dict[str, Any]] = {
    NewPlayer: {"name": "Ana", "kind": "human"},
    NewName: {"name": "Ana_2"},
    RoomWish: {"seats": 4, "time_limit_s": 600, "title": "Friday race"},
    Kick: {"player": "p_7f3kq8dmxw"},
}
"""Bodies to start from, where the field names alone do not say enough."""

Document = dict[str, Any]


def describe_calls(endpoints: Sequence[Endpoint]) -> Document:
    """Give the OpenAPI document of these calls, and of those that are served beside them."""
    shapes = [e.body for e in endpoints if e.body is not Nothing]
    answers = [e.answer for e in endpoints if e.answer is not None]
    types = [*shapes, *answers, Problem, Health, Readiness]
    references, schemas = components(types)
    schema_of = dict(zip(map(_key, types), references, strict=True))
    paths = _beside(schema_of)
    for endpoint in endpoints:
        path = paths.setdefault(PREFIX + endpoint.path, {})
        path[endpoint.method.lower()] = _operation(endpoint, schema_of)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Canfield Race",
            "version": version("canfield-race"),
            "summary": "A multiplayer race server for Canfield solitaire.",
            "description": ABOUT,
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": answers_of(paths),
            "headers": HEADERS,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(endpoint: Endpoint, schema_of: dict[str, Schema]) -> Document:
    docstring = endpoint.handle.__doc__
    operation: Document = {
        "operationId": endpoint.name,
        "summary": summarize(docstring),
        "description": describe(docstring),
        "tags": [endpoint.tag],
        "parameters": [*_path_parameters(endpoint.path), *_parameters(endpoint)],
        "security": _security(endpoint),
        "responses": _success(endpoint, schema_of) | refusals(_codes(endpoint)),
    }
    if endpoint.body is not Nothing:
        content: Document = {"schema": schema_of[_key(endpoint.body)]}
        if endpoint.body in EXAMPLES:
            content["example"] = EXAMPLES[endpoint.body]
        operation["requestBody"] = {
            "required": bool(_required(endpoint.body)),
            "content": {"application/json": content},
        }
    return operation


def _key(shape: Any) -> str:
    return str(shape)


def _required(shape: type[msgspec.Struct]) -> list[str]:
    return [field.name for field in msgspec.structs.fields(shape) if field.required]


def _security(endpoint: Endpoint) -> list[dict[str, list[str]]]:
    need: list[dict[str, list[str]]] = [{"token": []}]
    return need if endpoint.auth == "required" else [{}, *need]


def _path_parameters(path: str) -> list[Document]:
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "description": PATH_VARIABLES[name][0],
            "schema": {"type": "string", "minLength": 1},
            "example": PATH_VARIABLES[name][1],
        }
        for name in re.findall(r"\{(\w+)\}", path)
    ]


def _parameters(endpoint: Endpoint) -> list[Document]:
    parameters = [
        _query_parameter(name, schema, required=required)
        for name, (schema, required) in fields_of(endpoint.query).items()
    ]
    if endpoint.keyed:
        parameters.append(
            {
                "name": "Idempotency-Key",
                "in": "header",
                "description": "the same key of the same player gives the same answer",
                "schema": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": LONGEST_KEY,
                    "pattern": "^[\\x20-\\x7e]+$",
                },
            }
        )
    return parameters


def _query_parameter(name: str, schema: Schema, *, required: bool) -> Document:
    """Describe a parameter; one that is null in the struct is one that is not given."""
    options = [part for part in schema.get("anyOf", [schema]) if part != {"type": "null"}]
    shape = dict(options[0])
    if schema.get("default") is not None:
        shape["default"] = schema["default"]
    description = schema.get("description") or shape.pop("description", "")
    shape.pop("description", None)
    parameter = {"name": name, "in": "query", "required": required, "schema": shape}
    return parameter | ({"description": description} if description else {})


def _codes(endpoint: Endpoint) -> list[str]:
    codes = {*EVERY_CALL, *endpoint.refuses}
    if endpoint.auth != "none":
        codes.add("unauthorized")
    return sorted(codes)


def _success(endpoint: Endpoint, schema_of: dict[str, Schema]) -> Document:
    answer: Document = {"description": "Done."}
    if endpoint.answer is not None:
        answer = _answer("Done.", schema_of[_key(endpoint.answer)])
    if endpoint.streams:
        schema = schema_of[_key(endpoint.answer)]
        answer = _answer("One on each line.", schema, media_type=lines.MEDIA_TYPE)
    answer["headers"] = {REQUEST_ID: {"$ref": f"#/components/headers/{REQUEST_ID}"}}
    return {str(endpoint.status): answer}


def _answer(description: str, schema: Schema, *, media_type: str = "application/json") -> Document:
    return {"description": description, "content": {media_type: {"schema": schema}}}


def _beside(schema_of: dict[str, Schema]) -> dict[str, Document]:
    """Describe what is served beside the calls, for machines that watch and for tools."""
    document: Schema = {"type": "object"}
    ready = _plain(
        "show_readiness", "Tell whether the server can serve races", schema_of, Readiness
    )
    ready["responses"] |= refusals(["unavailable"])
    return {
        "/healthz": {
            "get": _plain("show_health", "Tell that the process answers", schema_of, Health)
        },
        "/readyz": {"get": ready},
        "/metrics": {
            "get": _shown(
                "show_metrics",
                "Show what the server counts, in the text format of Prometheus",
                {"type": "string"},
                media_type="text/plain",
            )
        },
        "/openapi.json": {"get": _shown("show_openapi", "Show this document", document)},
        "/asyncapi.json": {
            "get": _shown("show_asyncapi", "Show the contract of the live socket", document)
        },
    }


def _plain(name: str, summary: str, schema_of: dict[str, Schema], shape: Any) -> Document:
    return _shown(name, summary, schema_of[_key(shape)])


def _shown(
    name: str, summary: str, schema: Schema, *, media_type: str = "application/json"
) -> Document:
    return {
        "operationId": name,
        "summary": summary,
        "tags": ["Operations"],
        "security": [],
        "responses": {"200": _answer("Done.", schema, media_type=media_type)},
    }
