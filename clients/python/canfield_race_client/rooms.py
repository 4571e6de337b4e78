"""One room by its id: everything the contract lets a player do there."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

from canfield_race_client.backoff import Chance
from canfield_race_client.live import Live
from canfield_race_client.shapes import (
    Curve,
    FinishedGame,
    Game,
    Page,
    Played,
    Room,
    Standing,
)
from canfield_race_client.transport import Transport, path_part
from canfield_race_client.wire import Sleep


@dataclass(frozen=True)
class LiveAccess:
    """What opening a live socket takes: the server's address, who I am, chance and sleep."""

    base_url: str
    token: str | None
    chance: Chance
    sleep: Sleep


class RoomCalls:
    """The calls about one room. Each that changes it gives the room as it is then.

    `snapshot` is the room as it was last answered here, None before any answer.
    """

    def __init__(
        self,
        transport: Transport,
        room_id: str,
        *,
        access: LiveAccess,
        snapshot: Room | None = None,
    ) -> None:
        self.id = room_id
        self.snapshot = snapshot
        self._transport = transport
        self._access = access

    def __repr__(self) -> str:
        return f"RoomCalls({self.id!r})"

    async def get(self) -> Room:
        """The room now."""
        return await self._room("GET", "")

    async def join(self) -> Room:
        """Take a seat."""
        return await self._room("POST", "/join")

    async def leave(self) -> Room:
        """Give the seat back; while racing only `resign` is possible."""
        return await self._room("POST", "/leave")

    async def ready(self, *, ready: bool = True) -> Room:
        """Say that I am ready, or no longer am."""
        return await self._room("POST", "/ready", ready=ready)

    async def start(self) -> Room:
        """Start the race, as its host."""
        return await self._room("POST", "/start")

    async def cancel(self) -> Room:
        """Call the race off before it starts, as its host."""
        return await self._room("POST", "/cancel")

    async def kick(self, player_id: str) -> Room:
        """Remove a player, who cannot come back; as the host."""
        return await self._room("POST", "/kick", player=player_id)

    async def rematch(self) -> RoomCalls:
        """The next room with a new deal, the same for everyone who asks; once finished."""
        room = await self._transport.request("POST", f"{self._path}/rematch", Room)
        return RoomCalls(self._transport, room.id, access=self._access, snapshot=room)

    async def resign(self) -> Room:
        """Stop racing; what was placed counts."""
        return await self._room("POST", "/resign")

    async def standings(
        self, *, around_me: bool = False, limit: int | None = None, after: str | None = None
    ) -> Page[Standing]:
        """A page of ranked standings: the first, the one after a cursor, or the one with me."""
        around = "me" if around_me else None
        params = {"around": around, "limit": limit, "after": after}
        path = f"{self._path}/standings"
        return await self._transport.request("GET", path, Page[Standing], params=params)

    async def game(self) -> Game:
        """My own game, legal moves included."""
        return await self._transport.request("GET", f"{self._path}/game", Game)

    async def games(
        self, *, limit: int | None = None, after: str | None = None
    ) -> Page[FinishedGame]:
        """A page of the games of this room, once it is finished."""
        params = {"limit": limit, "after": after}
        path = f"{self._path}/games"
        return await self._transport.request("GET", path, Page[FinishedGame], params=params)

    async def curves(self, *, around_me: bool = False, limit: int | None = None) -> list[Curve]:
        """The progress so far of the best, `limit` of them; around me: half of them near me."""
        params = {"around": "me" if around_me else None, "limit": limit}
        path = f"{self._path}/curves"
        return await self._transport.request("GET", path, list[Curve], params=params)

    def export(self) -> AsyncGenerator[bytes]:
        """All games of this room, once it is finished: one as JSON in each line, as they come.

        `canfield_race_client.verify` checks them.
        """
        return self._transport.lines(f"{self._path}/export")

    async def moves(self, ply: int, moves: Sequence[str]) -> Played:
        """Play up to 100 moves without a socket; `ply` is that of the first."""
        body = {"ply": ply, "moves": list(moves)}
        return await self._transport.request("POST", f"{self._path}/moves", Played, body=body)

    def live(self, *, watch: bool = False) -> Live:
        """The room's live socket, to be opened with `async with`; `watch`: as a spectator."""
        access = self._access
        url = f"ws{access.base_url.removeprefix('http')}{self._path}/live"
        token = None if watch else access.token
        return Live(url, token, chance=access.chance, sleep=access.sleep)

    @property
    def _path(self) -> str:
        return f"/api/v1/rooms/{path_part(self.id)}"

    async def _room(self, method: str, action: str, **body: object) -> Room:
        path = f"{self._path}{action}"
        self.snapshot = await self._transport.request(method, path, Room, body=body or None)
        return self.snapshot
