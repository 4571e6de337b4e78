"""The contract as documents, generated from the structs that validate."""

from collections.abc import Sequence
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from server.api.asyncapi import describe_live
from server.api.endpoint import Endpoint
from server.api.openapi import describe_calls


def documents(endpoints: Sequence[Endpoint]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give the OpenAPI and the AsyncAPI document."""
    return describe_calls(endpoints), describe_live()


def routes(endpoints: Sequence[Endpoint]) -> list[Route]:
    """Give `/openapi.json` and `/asyncapi.json`."""
    openapi, asyncapi = documents(endpoints)
    return [_document("/openapi.json", openapi), _document("/asyncapi.json", asyncapi)]


def _document(path: str, document: dict[str, Any]) -> Route:
    body = msgspec.json.encode(document)

    async def show(_request: Request) -> Response:
        return Response(body, media_type="application/json")

    return Route(path, show)
