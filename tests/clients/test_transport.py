from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import httpx2
import pytest
from canfield_race_client.errors import (
    ApiError,
    BadFrame,
    Invalid,
    ServerUnreachable,
    TooManyRequests,
    WrongState,
)
from canfield_race_client.shapes import Player
from canfield_race_client.transport import Transport, api_error


def a_problem(status: int, **fields: object) -> httpx2.Response:
    headers = {"Retry-After": str(fields.pop("retry_after"))} if "retry_after" in fields else {}
    return httpx2.Response(status, json={"status": status, **fields}, headers=headers)


def answering(*responses: httpx2.Response) -> tuple[Transport, list[float]]:
    """A transport that gets these responses, and the seconds that it waited between them."""
    answers = iter(responses)
    return transport_over(lambda _: next(answers))


def transport_over(
    handler: Callable[[httpx2.Request], httpx2.Response],
) -> tuple[Transport, list[float]]:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    http = httpx2.AsyncClient(
        base_url="http://race.example", transport=httpx2.MockTransport(handler)
    )
    return Transport(http, chance=lambda: 0.0, sleep=sleep), waits


ANA = httpx2.Response(200, json={"id": "p_ana", "name": "Ana", "kind": "human", "new": 1})


async def test_a_success_is_decoded_and_what_is_new_in_it_ignored() -> None:
    transport, _ = answering(ANA)
    player = await transport.request("GET", "/players/me", Player)
    assert player == Player(id="p_ana", name="Ana")


async def test_what_is_none_is_left_out_of_query_and_body() -> None:
    seen: list[httpx2.Request] = []

    def handler(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return ANA

    transport, _ = transport_over(handler)
    params, body = {"state": "open", "after": None}, {"draw": 3, "code": None}
    await transport.request("POST", "/rooms", Player, params=params, body=body)
    assert seen[0].url.query == b"state=open"
    assert seen[0].content == b'{"draw":3}'


async def test_a_busy_server_is_asked_again_after_what_it_asked_for() -> None:
    busy = a_problem(429, code="too_many_requests", retry_after=3)
    down = a_problem(503, code="unavailable", retry_after=0)
    transport, waits = answering(busy, down, ANA)
    await transport.request("GET", "/players/me", Player)
    assert waits == [3.0, 0.25]


async def test_the_attempts_are_bounded() -> None:
    transport, waits = transport_over(
        lambda _: a_problem(429, code="too_many_requests", retry_after=1)
    )
    with pytest.raises(TooManyRequests) as refused:
        await transport.request("GET", "/players/me", Player)
    assert len(waits) == 4
    assert refused.value.retry_after_s == 1.0


async def test_nobody_is_kept_waiting_for_longer_than_a_minute() -> None:
    transport, waits = answering(a_problem(429, code="too_many_requests", retry_after=1800))
    with pytest.raises(TooManyRequests):
        await transport.request("GET", "/players/me", Player)
    assert waits == []


async def test_other_problems_are_raised_at_once() -> None:
    transport, waits = answering(a_problem(409, code="wrong_state", state="racing"))
    with pytest.raises(WrongState) as refused:
        await transport.request("POST", "/rooms/x/join", Player)
    assert refused.value.state == "racing"
    assert waits == []


async def test_a_server_that_is_not_there_is_unreachable() -> None:
    def refuse(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("connection refused", request=request)

    transport, _ = transport_over(refuse)
    with pytest.raises(ServerUnreachable) as gone:
        await transport.request("GET", "/players/me", Player)
    assert gone.value.url == "http://race.example"


async def test_an_answer_of_another_shape_breaks_the_contract() -> None:
    transport, _ = answering(httpx2.Response(200, json={"id": 7}))
    with pytest.raises(BadFrame):
        await transport.request("GET", "/players/me", Player)


def test_a_validation_error_points_to_its_field() -> None:
    error = api_error(a_problem(422, code="invalid", detail="too many", pointer="/seats"))
    assert isinstance(error, Invalid)
    assert error.pointer == "/seats"
    assert str(error) == "too many (/seats)"


@pytest.mark.parametrize(
    "response",
    [httpx2.Response(502, text="<html>bad gateway</html>"), a_problem(409, code="too_windy")],
)
def test_an_error_of_unknown_code_is_still_an_api_error(response: httpx2.Response) -> None:
    error = api_error(response)
    assert type(error) is ApiError
    assert error.status == response.status_code


async def the_lines(transport: Transport) -> list[bytes]:
    return [line async for line in transport.lines("/rooms/r/export")]


@pytest.mark.parametrize(
    "parts",
    [
        [b'{"a": 1}\n{"b": 2}\n'],
        [b'{"a"', b": 1}\n", b'{"b": 2}\n'],
        [b'{"a": 1}', b"\n", b'{"b": 2}'],
    ],
    ids=["in one part", "cut within a line", "without an end"],
)
async def test_lines_are_whole_however_they_are_cut_on_their_way(parts: list[bytes]) -> None:
    async def body() -> AsyncIterator[bytes]:
        for part in parts:
            yield part

    transport, _ = answering(httpx2.Response(200, content=body()))
    assert await the_lines(transport) == [b'{"a": 1}', b'{"b": 2}']


async def test_a_line_ends_nowhere_but_at_a_line_feed() -> None:
    text = '{"name": "a\u2028b\x85"}'.encode()
    transport, _ = answering(httpx2.Response(200, content=text + b"\n"))
    assert await the_lines(transport) == [text]


async def test_lines_that_break_off_are_no_whole_answer() -> None:
    async def body() -> AsyncIterator[bytes]:
        yield b'{"a": 1}\n{"b"'
        raise httpx2.ReadError("gone")

    transport, _ = answering(httpx2.Response(200, content=body()))
    lines = transport.lines("/rooms/r/export")
    assert await anext(lines) == b'{"a": 1}'
    with pytest.raises(ServerUnreachable, match="gone"):
        await anext(lines)


async def test_refused_lines_are_asked_for_again_and_refused_for_good_with_their_reason() -> None:
    transport, waits = answering(
        a_problem(503, code="unavailable", retry_after=2), httpx2.Response(200, content=b"{}\n")
    )
    assert await the_lines(transport) == [b"{}"]
    assert waits == [2.0]
    transport, _ = answering(a_problem(409, code="wrong_state", state="racing"))
    with pytest.raises(WrongState) as refused:
        await the_lines(transport)
    assert refused.value.state == "racing"
