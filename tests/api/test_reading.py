import asyncio
import json

import pytest

from server.api import reading
from server.api.reading import MOST_BODY_BYTES
from tests.api.driver import Api, serving


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


async def test_a_body_that_does_not_come_is_not_waited_for(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "BODY_WITHIN_S", 0.1)
    async with serving(sqlite_url) as api:
        host, port = api.client.base_url.host, api.client.base_url.port
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(b"POST /api/v1/players HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{")

        async with asyncio.timeout(10):
            answer = await reader.readuntil(b"}")

        assert b" 422 " in answer
        assert b"did not come" in answer
        writer.close()
        await writer.wait_closed()
