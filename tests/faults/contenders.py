"""Clients that fight for one player's game: sockets on both nodes, and calls, all at once.

The SDK stays away when a newer socket has taken its game over, and knows one address; these come
back at once, each to its own node.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from random import Random
from typing import Any

import httpx2
import msgspec
from canfield_race_client.shapes import Ack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.faults.ledger import Account
from tests.faults.racers import now_ms

ANSWER_WITHIN_S = 5.0
COMES_BACK_AFTER_S = 0.3


class SocketContender:
    """Plays a player's game over one node's socket, and takes it back whenever it is taken away."""

    def __init__(self, node_url: str, room_id: str, token: str, account: Account) -> None:
        self._url = f"{node_url.replace('http', 'ws', 1)}/api/v1/rooms/{room_id}/live"
        self._token = token
        self._account = account
        self._unanswered: dict[int, str] = {}
        self.acks = 0

    async def play(self, chance: Random) -> None:
        """Play until cancelled."""
        while True:
            with contextlib.suppress(OSError, ConnectionClosed, InvalidHandshake):
                async with connect(self._url, proxy=None) as socket:
                    await self._hold(socket, chance)
            await asyncio.sleep(chance.uniform(0, COMES_BACK_AFTER_S))

    async def _hold(self, socket: ClientConnection, chance: Random) -> None:
        """Send two moves on every view of the game, whether or not the second can be right."""
        await socket.send(json.dumps({"type": "hello", "token": self._token}))
        async for text in socket:
            frame = json.loads(text)
            if frame["type"] == "ack":
                self._hear(frame)
            elif frame["type"] == "reject" and frame["code"] != "unavailable":
                self._unanswered.pop(frame["ply"], None)
            elif frame["type"] == "game" and frame["state"] == "racing":
                for ply, move in self._moves_on(frame, chance):
                    self._unanswered[ply] = move
                    self._account.send(ply, move, at_ms=now_ms())
                    await socket.send(json.dumps({"type": "move", "ply": ply, "move": move}))
                await socket.send(json.dumps({"type": "sync"}))

    def _moves_on(self, game: dict[str, Any], chance: Random) -> list[tuple[int, str]]:
        """Give what was never answered, and two more moves."""
        again = sorted(self._unanswered.items())
        new = [game["ply"], game["ply"] + 1]
        return [*again, *((ply, chance.choice(game["legal_moves"] or ["d"])) for ply in new)]

    def _hear(self, frame: dict[str, Any]) -> None:
        self.acks += 1
        self._account.hear(msgspec.convert(frame, Ack), at_ms=now_ms())
        self._unanswered.pop(frame["ply"], None)


class CallContender:
    """Plays a player's game over one node's REST calls, three moves at a time."""

    def __init__(self, node_url: str, room_id: str, token: str, account: Account) -> None:
        self._url = f"{node_url}/api/v1/rooms/{room_id}"
        self._token = token
        self._account = account
        self.acks = 0

    async def play(self, chance: Random) -> None:
        """Play until cancelled; a call that was not answered is made again."""
        unanswered = deque[dict[str, Any]]()
        headers = {"Authorization": f"Bearer {self._token}"}
        async with httpx2.AsyncClient(
            headers=headers, trust_env=False, timeout=ANSWER_WITHIN_S
        ) as http:
            while True:
                with contextlib.suppress(httpx2.TransportError):
                    await self._call(http, unanswered, chance)
                await asyncio.sleep(chance.uniform(0, COMES_BACK_AFTER_S / 10))

    async def _call(
        self, http: httpx2.AsyncClient, unanswered: deque[dict[str, Any]], chance: Random
    ) -> None:
        if not unanswered:
            game = (await http.get(f"{self._url}/game")).json()
            moves = [chance.choice(game.get("legal_moves") or ["d"]), "d", "d"]
            unanswered.append({"ply": game.get("ply", 0), "moves": moves})
        body = unanswered[0]
        for ply, move in enumerate(body["moves"], start=body["ply"]):
            self._account.send(ply, move, at_ms=now_ms())
        answer = await http.post(f"{self._url}/moves", json=body)
        if answer.status_code == httpx2.codes.OK:
            unanswered.popleft()
            for ack in answer.json()["acks"]:
                self.acks += 1
                self._account.hear(msgspec.convert(ack, Ack), at_ms=now_ms())


Contender = SocketContender | CallContender
