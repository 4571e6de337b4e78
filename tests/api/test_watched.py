import pytest
from starlette.requests import Request
from starlette.responses import Response
from structlog.contextvars import get_contextvars

from server.api.watched import watched
from tests.counting import counted


def a_request(*, request_id: str) -> Request:
    headers = [(b"x-request-id", request_id.encode())]
    return Request({"type": "http", "method": "GET", "headers": headers, "path_params": {}})


async def no_content(_request_id: str) -> Response:
    return Response(status_code=204)


async def test_an_answer_has_the_id_of_its_lines_and_is_counted_by_its_route() -> None:
    async def answered(request_id: str) -> Response:
        assert get_contextvars()["request_id"] == request_id == "edge-1"
        return await no_content(request_id)

    request = a_request(request_id="edge-1")
    answer = await watched(request, answered, method="GET", path="/watched/{it}", under="/of")

    assert answer.headers["x-request-id"] == "edge-1"
    assert "request_id" not in get_contextvars()
    calls = {"route": "/of/watched/{it}", "method": "GET"}
    assert counted("canfield_http_requests_total", **calls, status="2xx") == 1
    assert counted("canfield_http_request_seconds_count", **calls) == 1


@pytest.mark.parametrize("given", ["", "a b", "x" * 65])
async def test_an_id_that_does_not_fit_a_log_line_is_replaced(given: str) -> None:
    answer = await watched(a_request(request_id=given), no_content, method="GET", path="/watched")

    assert answer.headers["x-request-id"] not in {"", given}
