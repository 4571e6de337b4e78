"""Sealed rooms: nothing sent before the end tells anyone a card not yet turned up to them."""

import asyncio
import hashlib
import json
import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import Any

import httpx2
import pytest
from websockets.asyncio.client import ClientConnection, connect

from server.game import CARDS, RANKS, SUITS, Board, GameCode
from server.race.deals import Chance
from tests.running import running_server

PATIENCE_S = 20
CARD = re.compile(r"(?<![0-9A-Za-z])[A23456789TJQK][CDHS](?![0-9A-Za-z])")
"""A card as it is written everywhere: in lists, and between the dividers of positions."""

UNLIMITED: dict[str, Any] = {
    "calls_per_minute": 10**6,
    "frames_per_s": 10**5,
    "frames_burst": 10**5,
}


def is_red(card: str) -> bool:
    return card[-1] in "DH"


def cards_in(sent: bytes) -> set[str]:
    return set(CARD.findall(sent.decode()))


class Secret:
    """What a sealed room keeps, read from its database behind the server's back."""

    def __init__(self, path: str, room_id: str) -> None:
        with sqlite3.connect(path) as connection:
            query = "SELECT code, nonce FROM rooms WHERE id = ?"
            self.code, self.nonce = connection.execute(query, (room_id,)).fetchone()
            games = "SELECT id FROM games WHERE room_id = ?"
            self.games = [row[0] for row in connection.execute(games, (room_id,))]
        connection.close()
        self.letters = GameCode.parse(self.code).letters

    def is_in(self, sent: bytes) -> bool:
        text = sent.decode().upper()
        parts = [self.letters[start : start + 8] for start in range(len(self.letters) - 7)]
        return self.nonce.upper() in text or any(part in text for part in parts)


class Viewer:
    """Somebody to whom the server sends bytes, and which cards they have been shown by then.

    Attributes:
        board: a reference of the own game; None for who does not play.
        shown: every card turned up so far.
        held: how many cards were found in what was sent, and held against `shown`.
        is_over: the room has finished; everything may be told now.
    """

    def __init__(self, secret: Secret, *, plays: bool) -> None:
        self.secret = secret
        self.board = Board.deal(GameCode.parse(secret.code)) if plays else None
        self.ply = 0
        self.shown: set[str] = set()
        self.held = 0
        self.is_over = False

    def look(self) -> None:
        """Turn up what lies open on the reference board."""
        if self.board is not None:
            self.shown |= cards_in(self.board.position.encode())
            self.shown |= {card for column in self.board.columns for card in column}
            self.shown |= set(self.board.waste)
            base = RANKS.index(self.board.base)
            for suit, count in self.board.foundations.items():
                self.shown |= {RANKS[(base + i) % len(RANKS)] + suit for i in range(count)}

    def check(self, sent: bytes) -> Any:
        """Hold bytes against what may be known; gives them as JSON."""
        told = json.loads(sent) if sent else {}
        frames = told.get("acks", [told]) if isinstance(told, dict) else []
        for frame in frames:
            if frame.get("type") == "finished":
                self.is_over = True
            elif frame.get("move") and "hash" in frame:
                self.follow(frame)
        if not self.is_over:
            assert not self.secret.is_in(sent)
            found = cards_in(sent)
            is_refusal = isinstance(told, dict) and (
                told.get("type") == "reject" or told.get("reject")
            )
            known = self.shown | self.wanted() if is_refusal else self.shown
            assert found <= known, (found - known, sent)
            self.held += len(found)
        return told

    def wanted(self) -> set[str]:
        """The cards that the open ones wait for: refusals name them, and anyone can tell them."""
        if self.board is None:
            return set()
        base = RANKS.index(self.board.base)
        up = {
            RANKS[(base + count) % len(RANKS)] + suit
            for suit, count in self.board.foundations.items()
        }
        down = {
            RANKS[RANKS.index(column[-1][0]) - 1] + suit
            for column in self.board.columns
            if column
            for suit in SUITS
            if is_red(suit) != is_red(column[-1])
        }
        return up | down

    def follow(self, ack: dict[str, Any]) -> None:
        """Make an acknowledged move on the reference board, the first time one hears of it."""
        if self.board is None:
            raise AssertionError(f"somebody else's ack: {ack}")
        if ack["ply"] == self.ply:
            self.board.play(Board.parse_move(ack["move"]))
            self.ply += 1
            self.look()
            assert self.board.hash == ack["hash"]


class Seat:
    """A connected client: everything it gets goes through its viewer."""

    def __init__(
        self, http: httpx2.AsyncClient, viewer: Viewer, room_id: str, token: str | None
    ) -> None:
        self.http = http
        self.viewer = viewer
        self.room_id = room_id
        self.headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self.token = token
        self.heard: list[dict[str, Any]] = []
        self.socket: ClientConnection | None = None

    @asynccontextmanager
    async def connected(self) -> AsyncIterator["Seat"]:
        address = str(self.http.base_url).replace("http", "ws", 1).rstrip("/")
        path = f"{address}/rooms/{self.room_id}/live"
        async with connect(path, proxy=None) as self.socket:
            await self.say({"type": "hello", **({"token": self.token} if self.token else {})})
            yield self

    async def say(self, frame: dict[str, Any]) -> None:
        assert self.socket is not None
        await self.socket.send(json.dumps(frame))

    async def expect(self, *kinds: str) -> dict[str, Any]:
        assert self.socket is not None
        async with asyncio.timeout(PATIENCE_S):
            while True:
                sent = await self.socket.recv(decode=False)
                frame: dict[str, Any] = self.viewer.check(bytes(sent))
                self.heard.append(frame)
                if frame["type"] in kinds:
                    return frame

    async def call(self, method: str, path: str, body: Any = None) -> Any:
        content = None if body is None else json.dumps(body).encode()
        answer = await self.http.request(method, path, headers=self.headers, content=content)
        assert answer.status_code < httpx2.codes.INTERNAL_SERVER_ERROR
        head = " ".join(f"{name}: {value}" for name, value in answer.headers.items())
        assert not self.viewer.secret.is_in(head.encode())
        return self.viewer.check(answer.content)

    async def look_everywhere(self) -> None:
        """Read all that can be read about a room and its games."""
        room = f"/rooms/{self.room_id}"
        for path in (
            "/rooms",
            room,
            f"{room}/standings",
            f"{room}/game",
            f"{room}/games",
            f"{room}/curves",
            *(f"/games/{game}" for game in self.viewer.secret.games),
            "/players/me",
        ):
            await self.call("GET", path)


def something(chance: Random, board: Board) -> str:
    """What a player may come up with: mostly legal, drawing rather often."""
    legal = [move.text for move in board.legal_moves]
    wild = ["u", "wf", "1", "2", "w", "r", "12x3", "H4", "what"]
    return chance.choice([*legal, *legal, "d", "d", chance.choice(wild)])


async def play_on(seat: Seat, chance: Random, times: int) -> None:
    """Play over the socket and over REST, as chance has it."""
    board = seat.viewer.board
    assert board is not None
    for _ in range(times):
        text, ply = something(chance, board), seat.viewer.ply
        if chance.random() < 0.8:
            await seat.say({"type": "move", "ply": ply, "move": text})
            await seat.expect("ack", "reject")
        else:
            moves = {"ply": ply, "moves": [text, "d", "d"]}
            played = await seat.call("POST", f"/rooms/{seat.room_id}/moves", moves)
            for _ in played["acks"]:
                await seat.expect("ack")
        if chance.random() < 0.1:
            await seat.say({"type": "sync"})
            await seat.expect("game")


@asynccontextmanager
async def a_sealed_room(
    database_url: str, chance: Random, **wish: Any
) -> AsyncIterator[list[Seat]]:
    """Two players and a spectator of a sealed room that has not started, all connected."""
    async with (
        running_server(
            database_url,
            chance=Chance(chance.randrange, lambda count: chance.randbytes(count).hex()),
            **UNLIMITED,
        ) as address,
        httpx2.AsyncClient(base_url=f"{address}/api/v1", trust_env=False) as http,
        AsyncExitStack() as stack,
    ):
        tokens: list[str | None] = [None]
        for name in ("ben", "ana"):
            registered = await http.post("/players", json={"name": name})
            tokens.insert(0, registered.json()["token"])
        as_ana = {"Authorization": f"Bearer {tokens[0]}"}
        opened = await http.post("/rooms", json={"sealed": True, **wish}, headers=as_ana)
        room_id = opened.json()["id"]
        secret = Secret(database_url.removeprefix("sqlite:///"), room_id)
        assert not secret.is_in(opened.content)
        seats = [Seat(http, Viewer(secret, plays=bool(one)), room_id, one) for one in tokens]
        for seat in seats:
            if seat.token is not None:
                await seat.call("POST", f"/rooms/{room_id}/join")
            await stack.enter_async_context(seat.connected())
            await seat.expect("welcome")
        yield seats


async def look_around(seats: list[Seat]) -> None:
    for seat in seats:
        await seat.look_everywhere()


@pytest.mark.parametrize(("seed", "draw"), [(1, 3), (2, 3), (3, 1)])
async def test_nothing_is_sent_before_the_end_that_tells_a_card_not_turned_up(
    sqlite_url: str, seed: int, draw: int
) -> None:
    chance = Random(seed)
    async with a_sealed_room(sqlite_url, chance, countdown_s=0, draw=draw) as seats:
        ana, ben, watcher = seats
        await look_around(seats)
        assert [seat.viewer.held for seat in seats] == [0, 0, 0]
        await ana.say({"type": "start"})
        for player in (ana, ben):
            player.viewer.look()  # the cards are dealt
            await player.expect("game")

        for _ in range(6):
            await asyncio.gather(*(play_on(player, chance, 12) for player in (ana, ben)))
            await look_around(seats)
        await ben.call("POST", f"/rooms/{ben.room_id}/resign")
        await look_around(seats)
        await play_on(ana, chance, 6)
        await ana.say({"type": "resign"})

        for seat in seats:
            told = await seat.expect("finished")
            secret, welcome = seat.viewer.secret, seat.heard[0]
            assert (told["code"], told["nonce"]) == (secret.code, secret.nonce)
            sealed = hashlib.sha256(f"{secret.code}:{secret.nonce}".encode()).hexdigest()
            assert welcome["room"]["commitment"] == sealed
        assert watcher.viewer.held == 0
        for player in (ana, ben):
            assert player.viewer.ply > 40
            assert player.viewer.held > 200
            assert 17 < len(player.viewer.shown) <= len(CARDS)


def test_the_check_sees_what_it_is_to_see() -> None:
    sent = (
        b'{"position": "34||10:JS|JD/QS/3H/AS.KH.QC|0,0,2,0", "revealed": ["7H"], "at": "19:9T1"}'
    )

    assert cards_in(sent) == {"JS", "JD", "QS", "3H", "AS", "KH", "QC", "7H"}
