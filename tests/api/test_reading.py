import json

import pytest

from server.api.reading import MOST_BODY_BYTES
from tests.api.driver import Api


@pytest.mark.parametrize(
    ("body", "word"),
    [
        (b"{", "JSON"),
        (b"name=Ana", "JSON"),
        (b'{"name": "Ana"} and more', "JSON"),
        (b'{"name": "\xff\xfe"}', "UTF-8"),
        (b'{"name": "\\ud800"}', "JSON"),
        ('{"name": "Ana"}'.encode("utf-16"), "JSON"),
        (b'{"name": NaN}', "JSON"),
        (b"null", "object"),
        (b"[" * 60_000, "object"),
        (b'{"name":' + b"[" * 60_000, "str"),
        (b'{"x":' * 10_000, "no field 'x'"),
        (b"\x00", "JSON"),
    ],
)
async def test_a_body_that_cannot_be_read_is_refused(
    sqlite_api: Api, body: bytes, word: str
) -> None:
    problem = await sqlite_api.refused("invalid", "POST", "/players", content=body)

    assert word in problem["detail"]


async def test_a_body_of_the_greatest_length_is_read_and_a_longer_one_is_not(
    sqlite_api: Api,
) -> None:
    body = json.dumps({"name": ""}).encode()
    padded = body + b" " * (MOST_BODY_BYTES - len(body))

    read = await sqlite_api.refused("invalid", "POST", "/players", content=padded)
    refused = await sqlite_api.refused("invalid", "POST", "/players", content=padded + b" ")

    assert read["pointer"] == "/name"
    assert (refused["pointer"], str(MOST_BODY_BYTES) in refused["detail"]) == ("", True)


async def test_a_call_that_takes_no_body_refuses_one_by_its_field(sqlite_api: Api) -> None:
    ana = await sqlite_api.register()

    problem = await ana.refused("invalid", "DELETE", "/players/me", json={"sure": True})

    assert problem["pointer"] == "/sure"
    assert "takes none" in problem["detail"]


async def test_a_call_that_takes_no_query_refuses_one_by_its_name(sqlite_api: Api) -> None:
    problem = await sqlite_api.refused("invalid", "GET", "/limits?a.b=1")

    assert problem["pointer"] == "/a.b"
