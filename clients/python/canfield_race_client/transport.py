"""Requests: problems become typed errors, and what may be tried again is, within bounds."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import Any, TypeVar
from urllib.parse import quote

import httpx2
import msgspec

from canfield_race_client.backoff import Backoff, Chance
from canfield_race_client.errors import (
    API_ERRORS,
    ApiError,
    BadFrame,
    ServerUnreachable,
    Unsendable,
)
from canfield_race_client.wire import Sleep

T = TypeVar("T")

RETRY_STATUSES = frozenset({429, 503})
MAX_RETRIES = 4
MAX_RETRY_AFTER_S = 60.0


class Problem(msgspec.Struct, kw_only=True):
    """A problem body (RFC 9457) as this server writes it."""

    code: str = ""
    title: str = ""
    detail: str = ""
    pointer: str | None = None
    state: str | None = None


class Transport:
    """Sends requests to one server as one caller, and decodes what comes back.

    A 429 or 503 is tried again after its `Retry-After`, at most four times and never when the
    server asks for more than a minute: a refused request has changed nothing.
    """

    def __init__(self, http: httpx2.AsyncClient, *, chance: Chance, sleep: Sleep) -> None:
        self._http = http
        self._chance = chance
        self._sleep = sleep

    async def request(
        self,
        method: str,
        path: str,
        gives: type[T],
        *,
        params: Mapping[str, object] | None = None,
        body: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> T:
        """The answer decoded as `gives`; fields of `params` and `body` that are None are left out.

        Raises:
            ApiError: a subclass by the problem's code.
            Unsendable: if what was given cannot be written as JSON or into a header.
            ServerUnreachable: if there is no answer.
            BadFrame: if the answer is not of the contract.
        """
        response = await self._answer(method, path, params=params, body=body, headers=headers)
        return _decoded(response, gives)

    async def lines(self, path: str) -> AsyncGenerator[bytes]:
        """The lines of an answer as they come, without what ends them, however many there are.

        Raises:
            ApiError: a subclass by the problem's code.
            ServerUnreachable: if there is no answer, or it breaks off.
        """
        response = await self._answer("GET", path, stream=True)
        rest = b""
        try:
            async for chunk in response.aiter_bytes():
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    yield line
        except httpx2.RequestError as error:
            raise self._unreachable(error) from error
        finally:
            await response.aclose()
        if rest:
            yield rest

    async def _answer(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, object] | None = None,
        body: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
        stream: bool = False,
    ) -> httpx2.Response:
        """The answer once it is a success; of a `stream`, the body is yet to be read."""
        backoff = Backoff(chance=self._chance, max_attempts=MAX_RETRIES)
        while True:
            try:
                request = self._request(method, path, params, body, headers)
                response = await self._http.send(request, stream=stream)
                if response.is_success:
                    return response
                await response.aread()
            except httpx2.RequestError as error:
                raise self._unreachable(error) from error
            except (UnicodeError, TypeError, httpx2.InvalidURL) as error:
                raise Unsendable(f"this cannot be sent: {error}") from error
            refusal = api_error(response)
            retry_in_s = _retry_in_s(refusal, backoff)
            if retry_in_s is None:
                raise refusal
            await self._sleep(retry_in_s)

    def _request(
        self,
        method: str,
        path: str,
        params: Mapping[str, object] | None,
        body: Mapping[str, object] | None,
        headers: Mapping[str, str] | None,
    ) -> httpx2.Request:
        query: dict[str, Any] = {k: v for k, v in (params or {}).items() if v is not None}
        content = None
        if body is not None:
            content = msgspec.json.encode({k: v for k, v in body.items() if v is not None})
        return self._http.build_request(
            method,
            path,
            params=query,
            content=content,
            headers={
                **({"Content-Type": "application/json"} if content else {}),
                **(headers or {}),
            },
        )

    def _unreachable(self, error: httpx2.RequestError) -> ServerUnreachable:
        return ServerUnreachable(str(self._http.base_url), str(error) or type(error).__name__)


def path_part(text: str) -> str:
    r"""A text as one part of a path, whatever is in it: nothing is found there at worst.

    >>> path_part("../players/me"), path_part("\ud800")
    ('..%2Fplayers%2Fme', '%3F')
    """
    return quote(text, safe="", errors="replace")


def api_error(response: httpx2.Response) -> ApiError:
    """The typed error for a response that is not a success, problem body or none."""
    try:
        problem = msgspec.json.decode(response.content, type=Problem)
    except msgspec.DecodeError:
        problem = Problem(detail=f"HTTP status {response.status_code}")
    return API_ERRORS.get(problem.code, ApiError)(
        problem.detail or problem.title,
        status=response.status_code,
        code=problem.code,
        pointer=problem.pointer,
        state=problem.state,
        retry_after_s=_retry_after_s(response),
    )


def _retry_after_s(response: httpx2.Response) -> float | None:
    """The header in seconds; the date form, which this server does not use, counts as absent."""
    try:
        return float(response.headers["Retry-After"])
    except (KeyError, ValueError):
        return None


def _retry_in_s(error: ApiError, backoff: Backoff) -> float | None:
    if error.status not in RETRY_STATUSES:
        return None
    asked_s = error.retry_after_s or 0.0
    return None if asked_s > MAX_RETRY_AFTER_S else backoff.next_s(at_least_s=asked_s)


def _decoded(response: httpx2.Response, gives: type[T]) -> T:
    if gives is type(None):
        return None
    try:
        return msgspec.json.decode(response.content, type=gives)
    except msgspec.DecodeError as error:
        raise BadFrame(f"{response.request.url.path}: {error}") from error
