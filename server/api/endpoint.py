"""A REST call as data: from one description come its route, its checks and its documentation."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar, cast

import msgspec
import structlog
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from server.api.problems import problem_response, respond
from server.api.services import Services
from server.game import BadCode
from server.race.errors import Invalid, RaceError, Unauthorized
from server.race.player import Player
from server.store.players import Identity

log = structlog.get_logger()

PREFIX = "/api/v1"
MOST_BODY_BYTES = 64 * 1024
LONGEST_KEY = 200

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
        received_ms: when the call arrived, in milliseconds since 1970.
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
            raise Unauthorized("send the header `Authorization: Bearer <token>`")
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
        auth: whether it needs a token, takes one, or ignores it.
        rate: a rate of its own that it counts against, besides that of all calls.
        refuses: the codes it can refuse with, besides those that any call can.
        keyed: whether it takes an `Idempotency-Key`.
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

    def route(self, services: Services) -> Route:
        """Give the route that serves this call."""

        async def serve(request: Request) -> Response:
            return await self._serve(request, services)

        return Route(PREFIX + self.path, serve, methods=[self.method])

    async def _serve(self, request: Request, services: Services) -> Response:
        try:
            call = await self._read(request, services)
            answer = await self.handle(call)
        except RaceError as error:
            return problem_response(error)
        except BadCode as error:
            return problem_response(Invalid(str(error)))
        except Exception:
            log.exception("call.failed", method=self.method, path=self.path)
            return respond("server_fault", status=500, detail="this is our fault; it is logged")
        if self.answer is None:
            return Response(status_code=204)
        return Response(msgspec.json.encode(answer), self.status, media_type="application/json")

    async def _read(self, request: Request, services: Services) -> Call[Any, Any]:
        received_ms = services.clock.now_ms()
        address = request.client.host if request.client else "unknown"
        identity = await self._identify(request, services)
        who = address if identity is None else identity.player.id
        for rate in filter(None, ("calls", self.rate)):
            await services.rates.count(rate, who)
        return Call(
            services=services,
            path=cast(Mapping[str, str], request.path_params),
            body=_read_body(await _bounded_body(request), self.body),
            query=_read_query(dict(request.query_params), self.query),
            identity=identity,
            address=address,
            idempotency_key=_read_key(request) if self.keyed else None,
            received_ms=received_ms,
        )

    async def _identify(self, request: Request, services: Services) -> Identity | None:
        header = request.headers.get("authorization")
        if header is None or self.auth == "none":
            if self.auth == "required":
                raise Unauthorized("send the header `Authorization: Bearer <token>`")
            return None
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer":
            raise Unauthorized("the scheme is Bearer: `Authorization: Bearer <token>`")
        identity = await services.players.identify(token.strip())
        if identity is None:
            raise Unauthorized("this token is not valid, or not any more")
        return identity


async def _bounded_body(request: Request) -> bytes:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BODY_BYTES:
            raise Invalid(f"the body is longer than {MOST_BODY_BYTES} bytes")
    return body


def _read_body(body: bytes, shape: type[Struct]) -> Struct:
    try:
        return msgspec.json.decode(body or b"{}", type=shape)
    except msgspec.ValidationError as error:
        raise invalid(error) from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise Invalid(f"the body is not JSON: {error}") from error


def _read_query(query: dict[str, str], shape: type[Struct]) -> Struct:
    given = {name: value for name, value in query.items() if value}
    try:
        return msgspec.convert(given, shape, strict=False)
    except msgspec.ValidationError as error:
        raise invalid(error) from error


def _read_key(request: Request) -> str | None:
    key = request.headers.get("idempotency-key")
    if key is not None and not (0 < len(key) <= LONGEST_KEY and key.isascii()):
        raise Invalid(f"an Idempotency-Key has 1 to {LONGEST_KEY} ASCII characters")
    return key


def invalid(error: msgspec.ValidationError) -> Invalid:
    """Turn msgspec's word into a refusal that points at the field.

    >>> invalid(msgspec.ValidationError("Expected `int` <= 100 - at `$.seats`")).pointer
    '/seats'
    >>> invalid(msgspec.ValidationError("Object contains unknown field `seat`")).pointer
    '/seat'
    """
    reason, _, path = str(error).partition(" - at `$")
    parts = path.rstrip("`").replace("[", ".").replace("]", "").split(".")[1:]
    if "unknown field" in reason or "missing required field" in reason:
        parts.append(reason.split("`")[1])
    return Invalid(str(error), pointer="".join(f"/{part}" for part in parts))
