"""A REST call as data: from one description come its route, its checks and its documentation."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

import msgspec
import structlog
from msgspec import Struct
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from server.api.lines import Lines
from server.api.problems import problem_response, respond
from server.api.reading import read_body, read_bytes, read_key, read_path, read_query
from server.api.services import Services
from server.api.watched import watched
from server.race.errors import RaceError, Unauthorized
from server.race.player import Player
from server.store.players import Identity

log = structlog.get_logger()

PREFIX = "/api/v1"
HOW_TO_CALL = "send the header `Authorization: Bearer <token>`"
CLOSED_BY_CLIENT = 499  # nobody reads it: the caller has gone

BodyT = TypeVar("BodyT")
QueryT = TypeVar("QueryT")

Method = Literal["GET", "POST", "PATCH", "DELETE"]
Auth = Literal["none", "optional", "required"]


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """The body or query of a call that takes none."""


@dataclass(frozen=True, slots=True)
class Call(Generic[BodyT, QueryT]):
    """One call, read and checked.

    Attributes:
        path: the variables of the path.
        identity: who calls; None without a token.
        address: where the call comes from.
        idempotency_key: of the header, where one was sent.
        received_ms: when the last byte of the call arrived, in milliseconds since 1970.
    """

    services: Services
    path: Mapping[str, str]
    body: BodyT
    query: QueryT
    identity: Identity | None
    address: str
    idempotency_key: str | None
    received_ms: int

    @property
    def me(self) -> Identity:
        """Who calls.

        Raises:
            Unauthorized: nobody, without a token.
        """
        if self.identity is None:
            raise Unauthorized(HOW_TO_CALL)
        return self.identity

    @property
    def player(self) -> Player:
        """The player who calls; raises as `me`."""
        return self.me.player


Handler = Callable[[Call[Any, Any]], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A call of the contract.

    Attributes:
        path: below `/api/v1`, variables in braces.
        handle: does it; its docstring is the documentation.
        answer: what it answers with; None for no content.
        body, query: what it takes; unknown fields are refused.
        auth: whether it needs a token, takes one, or only counts calls by it.
        tag: the chapter of the documentation that it stands in.
        status: of its success.
        rate: a rate of its own that it counts against, besides that of all calls.
        refuses: the codes it can refuse with, besides those that any call can.
        keyed: whether it takes an `Idempotency-Key`.
        streams: whether it gives many answers, one on each line, sent while they are read; what
            it refuses, it refuses before the first.
    """

    method: Method
    path: str
    handle: Handler
    answer: Any
    tag: str
    body: type[Struct] = Nothing
    query: type[Struct] = Nothing
    status: int = 200
    auth: Auth = "none"
    rate: str | None = None
    refuses: tuple[str, ...] = field(default=())
    keyed: bool = False
    streams: bool = False

    @property
    def name(self) -> str:
        """Name the call, as its handler is named: unique among all calls."""
        return self.handle.__name__

    async def serve(self, request: Request, services: Services) -> Response:
        """Answer a request: with what the call gives, or with a problem."""

        async def answered(request_id: str) -> Response:
            return await self._answer(request, services, request_id)

        return await watched(request, answered, method=self.method, path=self.path, under=PREFIX)

    async def _answer(self, request: Request, services: Services, request_id: str) -> Response:
        try:
            call = await self._read(request, services)
            async with self._allowance(call):
                answer = await self.handle(call)
        except RaceError as error:
            return problem_response(error, request_id=request_id)
        except ClientDisconnect:
            return Response(status_code=CLOSED_BY_CLIENT)
        except Exception:
            log.exception("call.failed", method=self.method, path=self.path)
            detail = "this is our fault; it is logged under request_id"
            return respond("server_fault", detail=detail, request_id=request_id)
        if self.streams:
            return Lines(answer, request_id=request_id)
        if self.answer is None:
            return Response(status_code=self.status)
        return Response(msgspec.json.encode(answer), self.status, media_type="application/json")

    async def _read(self, request: Request, services: Services) -> Call[Any, Any]:
        address = request.client.host if request.client else "unknown"
        identity = await self._identify(request, services, address)
        player_id = None if identity is None else identity.player.id
        await services.rates.count("calls", player_id=player_id, address=address)
        body = await read_bytes(request)
        received_ms = services.clock.now_ms()
        return Call(
            services=services,
            path=read_path(request.path_params),
            body=read_body(body, self.body),
            query=read_query(request.query_params, self.query),
            identity=identity,
            address=address,
            idempotency_key=read_key(request) if self.keyed else None,
            received_ms=received_ms,
        )

    def _allowance(self, call: Call[Any, Any]) -> AbstractAsyncContextManager[None]:
        """Spend one of the rate of its own, where there is one: only what is done counts."""
        if self.rate is None:
            return nullcontext()
        player_id = None if call.identity is None else call.identity.player.id
        return call.services.rates.spending(self.rate, player_id=player_id, address=call.address)

    async def _identify(
        self, request: Request, services: Services, address: str
    ) -> Identity | None:
        """Tell who calls; a call that is refused for its token counts against its address."""
        header = request.headers.get("authorization")
        scheme, _, token = (header or "").partition(" ")
        identity = None
        if scheme.lower() == "bearer":
            identity = await services.players.identify(token.strip())
        if identity is not None or self.auth == "none" or (header, self.auth) == (None, "optional"):
            return identity
        await services.rates.count("calls", player_id=None, address=address)
        if scheme.lower() != "bearer":
            raise Unauthorized(HOW_TO_CALL)
        raise Unauthorized("this token is not valid, or not any more; register, or use another")


def routes(endpoints: Iterable[Endpoint], services: Services) -> list[Route]:
    """Give one route for each path, so that a wrong method is told the right ones."""
    by_path: dict[str, dict[str, Endpoint]] = {}
    for endpoint in endpoints:
        by_path.setdefault(endpoint.path, {})[endpoint.method] = endpoint
    return [_route(path, methods, services) for path, methods in by_path.items()]


def _route(path: str, methods: dict[str, Endpoint], services: Services) -> Route:
    async def serve(request: Request) -> Response:
        method = "GET" if request.method == "HEAD" else request.method
        return await methods[method].serve(request, services)

    return Route(PREFIX + path, serve, methods=list(methods))
