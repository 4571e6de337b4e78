"""The client: one caller of one server."""

from __future__ import annotations

import asyncio
import random
import uuid
from collections.abc import AsyncIterator, Mapping
from datetime import date, datetime
from types import TracebackType
from typing import Any, Self, TypedDict, TypeVar, Unpack
from urllib.parse import urlsplit

import httpx2

from canfield_race_client.backoff import Chance
from canfield_race_client.errors import BadUrl, Unsendable
from canfield_race_client.rooms import LiveAccess, RoomCalls
from canfield_race_client.shapes import (
    Daily,
    Deal,
    FinishedGame,
    Leaderboard,
    LeaderboardInfo,
    Page,
    Player,
    Profile,
    Registered,
    Room,
    Token,
)
from canfield_race_client.transport import Transport, path_part
from canfield_race_client.wire import Sleep, is_loopback

API = "/api/v1"
REQUEST_TIMEOUT_S = 30.0

T = TypeVar("T")


def _checked_token(token: str | None) -> str | None:
    """The token.

    Raises:
        Unsendable: if no header can hold it; the message does not show it.
    """
    if token is not None and not (token.isascii() and token.isprintable()):
        raise Unsendable("this is no token: it has characters that no token has")
    return token


def _checked_url(url: str) -> str:
    """The URL without a slash at its end.

    Raises:
        BadUrl: if it is no HTTP address.
    """
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise BadUrl(f"{url!r} is no address of a server: {error}") from error
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise BadUrl(f"{url!r} is no address of a server: it starts with http:// or https://")
    return url.rstrip("/")


class RoomWishes(TypedDict, total=False):
    """The fields of a new room; what is left out or None is as the server has it.

    `winnable` asks for a deal that the server's solver has won; a server without one answers
    `NotAvailable`.
    """

    ruleset: str | None
    draw: int | None
    code: str | None
    winnable: bool | None
    sealed: bool | None
    seats: int | None
    visibility: str | None
    time_limit_s: int | None
    start: str | None
    start_at: datetime | None
    countdown_s: int | None
    undo: bool | None
    ranked: bool | None
    title: str | None


class LeaderboardWishes(TypedDict, total=False):
    """Which leaderboard, and which of its pages; what is left out or None is as the server has it.

    `period` is `day`, `week`, `month` or `all`, `at` a day within it, `kind` `human` or `bot`.
    """

    period: str | None
    at: date | None
    ruleset: str | None
    draw: int | None
    kind: str | None
    limit: int | None
    after: str | None


class Client:
    """A server as one caller sees it: `async with Client(url, token) as me`.

    Without a token only what everybody may see can be asked for. Time and chance, used for waits
    between attempts, may be given for tests.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        chance: Chance = random.random,
        sleep: Sleep = asyncio.sleep,
        http_transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self.url = _checked_url(url)
        self._access = LiveAccess(self.url, _checked_token(token), chance, sleep)
        self._http_transport = http_transport
        self._http: httpx2.AsyncClient | None = None

    @classmethod
    async def register(cls, url: str, name: str, *, kind: str = "human") -> Registered:
        """A new player and the token, which is shown this once; `kind` is `human` or `bot`.

        Raises:
            NameTaken: if somebody has this name, or one that looks like it.
            Invalid: if it is no name: 2 to 20 letters of one script, digits, `_`, `-`.
        """
        async with cls(url) as nobody:
            body = {"name": name, "kind": kind}
            return await nobody._ask("POST", "/players", Registered, body=body)

    async def __aenter__(self) -> Self:
        token = self._access.token
        self._http = httpx2.AsyncClient(
            base_url=self.url,
            headers={"Authorization": f"Bearer {token}"} if token else {},
            timeout=REQUEST_TIMEOUT_S,
            trust_env=not is_loopback(self.url),
            transport=self._http_transport,
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._http is not None:
            await self._http.aclose()

    async def me(self) -> Player:
        """Who I am."""
        return await self._ask("GET", "/players/me", Player)

    async def rename(self, name: str) -> Player:
        """Take another name."""
        return await self._ask("PATCH", "/players/me", Player, body={"name": name})

    async def delete_me(self) -> None:
        """Leave for good: the name is freed, a game in play is resigned."""
        await self._ask("DELETE", "/players/me", type(None))

    async def profile(self, player_id: str) -> Profile:
        """What everybody may know of a player."""
        return await self._ask("GET", f"/players/{path_part(player_id)}", Profile)

    async def find_player(self, name: str) -> Profile:
        """The profile of the player with this name."""
        return await self._ask("GET", "/players", Profile, params={"name": name})

    async def new_token(self, label: str) -> Token:
        """One more token of mine; its secret is shown this once."""
        return await self._ask("POST", "/players/me/tokens", Token, body={"label": label})

    async def tokens(self) -> list[Token]:
        """My tokens, without their secrets."""
        return [token async for token in self._all("/players/me/tokens", Token)]

    async def revoke_token(self, token_id: str) -> None:
        """Make a token of mine worthless; its sockets close within two seconds."""
        await self._ask("DELETE", f"/players/me/tokens/{path_part(token_id)}", type(None))

    async def create_room(
        self, *, idempotency_key: str | None = None, **wishes: Unpack[RoomWishes]
    ) -> RoomCalls:
        """A new room that I host and have joined; the same `idempotency_key` gives the same room.

        Raises:
            Invalid: if the wishes contradict each other; `pointer` names the field.
        """
        key = idempotency_key or uuid.uuid4().hex
        room = await self._ask(
            "POST", "/rooms", Room, body=wishes, headers={"Idempotency-Key": key}
        )
        return self._calls(room.id, room)

    def room(self, room_id: str) -> RoomCalls:
        """The calls about a room; asks the server nothing yet."""
        return self._calls(room_id)

    def rooms(self, *, state: str | None = None, kind: str | None = None) -> AsyncIterator[Room]:
        """The lobby, newest first, page by page as it is read."""
        return self._all("/rooms", Room, state=state, kind=kind)

    async def daily(self, day: date | None = None) -> Daily:
        """The race of today or of another day; `room(daily.id)` has the calls about it.

        Raises:
            Unavailable: if the deal of today has not been chosen yet.
        """
        return await self._ask("GET", f"/daily/{day}" if day else "/daily", Daily)

    async def join_daily(self) -> RoomCalls:
        """Join the race of today: my clock starts at once, and there is one attempt.

        Raises:
            DailyOver: if the day has just ended.
            Unavailable: if the deal of today has not been chosen yet.
        """
        room = await self._ask("POST", "/daily/join", Daily)
        return self._calls(room.id, room)

    async def leaderboards(self) -> list[LeaderboardInfo]:
        """The leaderboards that there are."""
        return [board async for board in self._all("/leaderboards", LeaderboardInfo)]

    async def leaderboard(
        self, board: str, *, around_me: bool = False, **wishes: Unpack[LeaderboardWishes]
    ) -> Leaderboard:
        """A page of a leaderboard: the first, the one after a cursor, or the one with me."""
        params = {**wishes, "around": "me" if around_me else None}
        path = f"/leaderboards/{path_part(board)}"
        return await self._ask("GET", path, Leaderboard, params=params)

    async def deal(self, code: str) -> Deal:
        """The start position and the whole deck of a code."""
        return await self._ask("GET", f"/deals/{path_part(code)}", Deal)

    async def replay(self, game_id: str) -> FinishedGame:
        """A game of a finished room with all its moves and times."""
        return await self._ask("GET", f"/games/{path_part(game_id)}", FinishedGame)

    async def limits(self) -> dict[str, Any]:
        """Every limit of the server in numbers."""
        return await self._ask("GET", "/limits", dict[str, Any])

    def _calls(self, room_id: str, snapshot: Room | None = None) -> RoomCalls:
        return RoomCalls(self._transport, room_id, access=self._access, snapshot=snapshot)

    @property
    def _transport(self) -> Transport:
        if self._http is None:
            raise RuntimeError("open the client first: async with Client(url, token) as me")
        return Transport(self._http, chance=self._access.chance, sleep=self._access.sleep)

    async def _ask(
        self,
        method: str,
        path: str,
        gives: type[T],
        *,
        params: Mapping[str, object] | None = None,
        body: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> T:
        return await self._transport.request(
            method, f"{API}{path}", gives, params=params, body=body, headers=headers
        )

    async def _all(self, path: str, item: type[T], **params: object) -> AsyncIterator[T]:
        """Every item of a list, following its cursors."""
        after: str | None = None
        while True:
            page = await self._ask("GET", path, Page[item], params={**params, "after": after})  # type: ignore[valid-type] # a type made at run time
            for found in page.items:
                yield found
            after = page.next
            if after is None:
                return
