import asyncio
from contextlib import suppress
from typing import Any

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from openapi_spec_validator import validate
from schemathesis import APIOperation, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from server.api.app import ENDPOINTS
from server.api.endpoint import PREFIX, Endpoint
from server.api.openapi import EXAMPLES
from server.api.problems import STATUS
from tests.api.driver import EXAMPLE, OPENAPI, Api, Player, check

OPERATIONS = [
    (path, method, operation)
    for path, methods in OPENAPI["paths"].items()
    for method, operation in methods.items()
]


def test_the_document_is_openapi_3_1() -> None:
    assert OPENAPI["openapi"].startswith("3.1.")
    validate(OPENAPI)


def test_it_describes_every_call_and_what_is_served_beside_them() -> None:
    described = {(path, method.upper()) for path, method, _ in OPERATIONS}

    calls = {(PREFIX + endpoint.path, endpoint.method) for endpoint in ENDPOINTS}
    beside = {("/healthz", "GET"), ("/readyz", "GET"), ("/metrics", "GET")}
    assert described == calls | beside | {("/openapi.json", "GET"), ("/asyncapi.json", "GET")}


def test_every_operation_has_a_name_a_summary_and_a_known_tag() -> None:
    names = [operation["operationId"] for _, _, operation in OPERATIONS]
    tags = {tag["name"] for tag in OPENAPI["tags"]}

    assert len(set(names)) == len(names)
    for _, _, operation in OPERATIONS:
        assert operation["summary"]
        assert set(operation["tags"]) <= tags


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.name)
def test_a_call_says_what_it_can_be_refused_with(endpoint: Endpoint) -> None:
    responses = OPENAPI["paths"][PREFIX + endpoint.path][endpoint.method.lower()]["responses"]

    expected = {*endpoint.refuses, "invalid", "too_many_requests", "unavailable", "server_fault"}
    expected |= set() if endpoint.auth == "none" else {"unauthorized"}
    named = [answer["$ref"].rpartition("/")[2] for answer in responses.values() if "$ref" in answer]
    assert {code for name in named for code in name.split(".")} == expected
    assert {str(STATUS[code]) for code in expected} | {str(endpoint.status)} == responses.keys()


def test_the_token_is_asked_for_where_it_is_needed_and_nowhere_else() -> None:
    for endpoint in ENDPOINTS:
        operation = OPENAPI["paths"][PREFIX + endpoint.path][endpoint.method.lower()]
        assert ({} not in operation["security"]) == (endpoint.auth == "required")


def test_only_opening_a_room_takes_an_idempotency_key() -> None:
    keyed = [
        operation["operationId"]
        for _, _, operation in OPERATIONS
        if any(p["name"] == "Idempotency-Key" for p in operation.get("parameters", ()))
    ]

    assert keyed == ["open_room"]


def test_parameters_are_described() -> None:
    for _, _, operation in OPERATIONS:
        for parameter in operation.get("parameters", ()):
            assert parameter["description"], parameter


@pytest.mark.parametrize(("shape", "example"), EXAMPLES.items(), ids=lambda part: str(part)[:20])
def test_examples_can_be_sent(shape: Any, example: Any) -> None:
    msgspec.convert(example, shape)


def test_examples_of_problems_are_problems() -> None:
    for answer in OPENAPI["components"]["responses"].values():
        for example in answer["content"]["application/problem+json"]["examples"].values():
            check("openapi:", "/components/schemas/Problem", example["value"])


CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]

Operation = APIOperation[Any, Any, Any, Any]

FUZZED = [
    found.ok()
    for found in schemathesis.openapi.from_dict(OPENAPI).get_all_operations()
    if isinstance(found, Ok)
]


@pytest.mark.parametrize("operation", FUZZED, ids=lambda operation: operation.label)
async def test_whatever_is_sent_is_answered_as_described(
    sqlite_api: Api, operation: Operation
) -> None:
    ana = await sqlite_api.register()
    known = await some_of_each(ana)
    address = str(sqlite_api.client.base_url)

    await asyncio.to_thread(fuzz, operation, known, address, str(ana.token))


def fuzz(operation: Operation, known: dict[str, list[str]], address: str, token: str) -> None:
    """Send what fits the description, and what does not, with and without a token."""
    kinds = [operation.as_strategy(generation_mode=mode) for mode in GenerationMode]

    @settings(
        max_examples=20,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
        database=None,
    )
    @given(st.data())
    def send(data: st.DataObject) -> None:
        case = data.draw(st.one_of(kinds))
        for name in set(case.path_parameters or ()) & known.keys():
            if data.draw(st.booleans()):
                case.path_parameters[name] = data.draw(st.sampled_from(known[name]))
        headers = {"Authorization": f"Bearer {token}"} if data.draw(st.booleans()) else {}
        case.call_and_validate(base_url=address, headers=headers, checks=CHECKS, timeout=30)

    with suppress(Unsatisfiable):  # some calls take nothing that could be wrong
        send()


async def some_of_each(ana: Player) -> dict[str, list[str]]:
    """Path variables that name something: a room of each state, a game, a player, a code."""
    waiting, racing, finished = await ana.open(), await ana.race(), await ana.race()
    await ana.resign(finished)
    games = await ana.get(f"/rooms/{finished}/games")
    return {
        "room": [waiting, racing, finished],
        "player": [ana.id],
        "game": [games["items"][0]["id"]],
        "code": [EXAMPLE],
    }
