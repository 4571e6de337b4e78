"""The contract as documents, generated from the structs that validate."""

from typing import Any

from server.api.endpoint import Endpoint


def documents(endpoints: list[Endpoint]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give the OpenAPI and the AsyncAPI document."""
    return {"paths": [e.path for e in endpoints]}, {}
