"""A running server to call, with every answer held against the document that describes it."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from server.api.app import ENDPOINTS
from server.api.docs import documents
from server.clock import Clock
from server.race.deals import Chance
from tests.running import running_server

OPENAPI, ASYNCAPI = documents(ENDPOINTS)

EXAMPLE = "CF1-D3-AAAAACL"
"""A code that the tests know how to win."""

WIN = json.loads((Path(__file__).parents[1] / "vectors" / "example_win.json").read_text())
"""Moves that win it."""

NO_LIMITS = dict.fromkeys(
    ("players_per_hour", "rooms_per_minute", "calls_per_minute", "analyses_per_minute"), 10**6
)

registry: Registry[Any] = Registry().with_resources(
    [
        ("openapi:", DRAFT202012.create_resource(OPENAPI)),
        ("asyncapi:", DRAFT202012.create_resource(ASYNCAPI)),
    ]
)


def check(document: str, pointer: str, instance: object) -> None:
    """Hold JSON against the schema at a pointer of `openapi:` or `asyncapi:`."""
    schema = {"$ref": f"{document}#{pointer}"}
    Draft202012Validator(schema, registry=registry, format_checker=FormatChecker()).validate(
        instance
    )


def escaped(part: str) -> str:
    return part.replace("~", "~0").replace("/", "~1")


def check_answer(response: httpx2.Response) -> None:
    """Hold an answer against what the OpenAPI document says of its call."""
    request = response.request
    path = _template_of(request.url.path)
    if path is None:  # no call of the contract: a problem all the same
        check("openapi:", "/components/schemas/Problem", response.json())
        return
    operation = OPENAPI["paths"][path].get(request.method.lower())
    if operation is None:
        assert response.status_code == httpx2.codes.METHOD_NOT_ALLOWED
        check("openapi:", "/components/schemas/Problem", response.json())
        return
    described = operation["responses"][str(response.status_code)]
    pointer = f"/paths/{escaped(path)}/{request.method.lower()}/responses/{response.status_code}"
    if "$ref" in described:
        pointer = described["$ref"].removeprefix("#")
        described = OPENAPI["components"]["responses"][pointer.rpartition("/")[2]]
    for name in described.get("headers", ()):
        assert name in response.headers, f"{name} is promised"
    if "content" not in described:
        assert response.content == b""
        return
    media_type = response.headers["content-type"].partition("; version=")[0]
    assert media_type in described["content"]
    for content in _contents(response, media_type):
        check("openapi:", f"{pointer}/content/{escaped(media_type)}/schema", content)


def _contents(response: httpx2.Response, media_type: str) -> list[object]:
    """What of an answer its schema describes: the whole, or each line of many."""
    match media_type:
        case "text/plain":
            return [response.text]
        case "application/x-ndjson":
            return [json.loads(line) for line in response.content.splitlines()]
        case _:
            return [response.json()]


def _template_of(path: str) -> str | None:
    templates = sorted(OPENAPI["paths"], key=lambda template: ("{" in template, template))
    for template in templates:
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path):
            return str(template)
    return None


def a_name(letters: str = "Ana") -> str:
    """Make a name that nobody else has."""
    return f"{letters}-{uuid4().hex[:12]}"


class Api:
    """Calls a server, as one player or as nobody."""

    def __init__(self, client: httpx2.AsyncClient, token: str | None = None) -> None:
        self.client = client
        self.token = token

    async def send(self, method: str, path: str, **request: Any) -> httpx2.Response:
        """Make a call below `/api/v1`, or of a path in `ROOTED`, and check the answer."""
        headers = dict(request.pop("headers", {}))
        if self.token is not None:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        url = path if path.startswith(ROOTED) else f"/api/v1{path}"
        response = await self.client.request(method, url, headers=headers, **request)
        check_answer(response)
        return response

    async def get(self, path: str, **params: Any) -> Any:
        """Read what must be there."""
        response = await self.send("GET", path, params=params)
        assert response.status_code == httpx2.codes.OK, response.text
        return response.json()

    async def post(self, path: str, body: Any = None, **request: Any) -> Any:
        """Do what must succeed."""
        response = await self.send("POST", path, json=body or {}, **request)
        assert response.is_success, response.text
        return response.json()

    async def refused(self, code: str, method: str, path: str, **request: Any) -> Any:
        """Do what must be refused with this code; gives the problem."""
        response = await self.send(method, path, **request)
        assert response.headers["content-type"] == "application/problem+json", response.text
        problem = response.json()
        assert (problem["code"], problem["status"]) == (code, response.status_code), problem
        assert problem["type"].endswith(code)
        return problem

    async def register(self, name: str | None = None, kind: str = "human") -> "Player":
        """Register a player, by a name that nobody else has unless one is given."""
        registered = await self.post("/players", {"name": name or a_name(), "kind": kind})
        return Player(self.client, registered["token"], registered["player"])


ROOTED = (
    *("/api", "/healthz", "/readyz", "/metrics", "/openapi.json", "/asyncapi.json"),
    "/nowhere",
)


@dataclass
class Player(Api):
    """A registered player who calls."""

    client: httpx2.AsyncClient
    token: str | None
    player: dict[str, str]

    @property
    def id(self) -> str:
        return self.player["id"]

    async def open(self, **wish: Any) -> str:
        """Open a room; gives its id."""
        room = await self.post("/rooms", wish)
        return str(room["id"])

    async def race(self, *others: "Player", **wish: Any) -> str:
        """Open a room, have the others join, and start at once; gives its id."""
        room_id = await self.open(**{"countdown_s": 0, "code": EXAMPLE} | wish)
        for other in others:
            await other.post(f"/rooms/{room_id}/join")
        room = await self.post(f"/rooms/{room_id}/start")
        assert room["state"] == "racing"
        return room_id

    async def play(self, room_id: str, *moves: str, ply: int = 0) -> Any:
        """Play moves over REST."""
        return await self.post(f"/rooms/{room_id}/moves", {"ply": ply, "moves": list(moves)})

    async def win(self, room_id: str) -> Any:
        """Win a game of the example; gives the last answer."""
        played: Any = None
        for first in range(0, len(WIN), 100):
            played = await self.play(room_id, *WIN[first : first + 100], ply=first)
            assert played["reject"] is None
        return played

    async def resign(self, room_id: str) -> Any:
        return await self.post(f"/rooms/{room_id}/resign")


@asynccontextmanager
async def serving(
    database_url: str, *, clock: Clock | None = None, chance: Chance | None = None, **settings: Any
) -> AsyncIterator[Api]:
    """Serve until the block ends, without limits unless they are given."""
    fitting = NO_LIMITS | settings
    async with (
        running_server(database_url, clock=clock, chance=chance, **fitting) as address,
        httpx2.AsyncClient(base_url=address, trust_env=False, timeout=30) as client,
    ):
        yield Api(client)
