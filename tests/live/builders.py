"""A node's live half on a real database, and sockets that talk to it without a network."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from typing import Any, Self

import msgspec

from server.clock import Clock, ManualClock
from server.live.attempts import Attempts
from server.live.buses.bus import MemoryBus
from server.live.channel import Channel
from server.live.conversation import Conversation, Limits, Parts
from server.live.deadlines import Deadlines
from server.live.hub import Hub
from server.live.lobby import Lobby
from server.live.outbox import Outbox
from server.live.ports import Prover
from server.live.reconciler import Reconciler
from server.live.referee import Referee
from server.live.session import Session
from server.live.sessions import Sessions
from server.live.tasks import Tasks
from server.live.winnable.stock import Stock
from server.race.deals import Chance
from server.race.player import Player
from server.race.plays import Log, Play
from server.race.room import Room
from server.race.seat import Seat
from server.store.attempts import Attempts as KeptAttempts
from server.store.batches import batches_for
from server.store.database import Database
from server.store.games import Games
from server.store.journal import Journal
from server.store.players import Players
from server.store.proofs import Proofs
from server.store.rooms import Rooms
from server.store.stock import ProvenDeals
from server.store.truth import Truth
from tests.game.builders import vectors
from tests.race.builders import after

PATIENCE_S = 20
OPENING = ("12", "rf", "24x2", "12", "r4", "d")
"""Legal first moves of the room that the race tests open."""

WIN: list[str] = vectors("example_win.json")
"""A game of the same room, won."""

Frame = dict[str, Any]


class Gate:
    """A real writer of batches that can be held back, and that can lose a batch.

    Attributes:
        lose: for each batch to come, whether it is lost "before" or "after" it is written, or
            not at all (None).
        ended: how many batches have been written or lost.
    """

    def __init__(self, database: Database) -> None:
        self._writer = batches_for(database)
        self._open = asyncio.Event()
        self._open.set()
        self.began = asyncio.Event()
        self.lose: list[str | None] = []
        self.ended = 0

    async def write(self, plays: list[Play]) -> set[str]:
        self.began.set()
        await self._open.wait()
        try:
            return await self._write(plays)
        finally:
            self.ended += 1

    async def _write(self, plays: list[Play]) -> set[str]:
        how = self.lose.pop(0) if self.lose else None
        if how == "before":
            raise OSError("the database is away")
        written = await self._writer.write(plays)
        if how == "after":
            raise OSError("the answer got lost")
        return written

    async def close(self) -> None:
        await self._writer.close()

    def hold(self) -> None:
        """Let no batch be written until `release`."""
        self._open.clear()
        self.began.clear()

    def release(self) -> None:
        self._open.set()


class WatchedGames(Games):
    """Real games that count how often a log is read, and can be slow at it.

    Attributes:
        slowly: what happens after a log has been read and before it is given.
    """

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.logs_read = 0
        self.slowly: Callable[[], Any] | None = None

    async def log(self, game_id: str) -> Log:
        log = await super().log(game_id)
        self.logs_read += 1
        if self.slowly is not None:
            await self.slowly()
        return log


class Listening:
    """A socket that has said hello, without a conversation behind it.

    Attributes:
        entered: the rooms whose game it was to take up.
    """

    def __init__(self, player: Player | None = None, *, claim: str = "") -> None:
        self.player = player
        self.token_id = None if player is None else f"t_{player.id}"
        self.claim = claim
        self.outbox = Outbox(most_frames=100)
        self.entered: list[Room] = []

    async def enter_game(self, room: Room) -> None:
        self.entered.append(room)

    def heard(self) -> list[Frame]:
        """Take what is there now."""
        return Ear(self.outbox).listen()


class Node:
    """What `api/app.py` puts together, without the door."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        medium: set[MemoryBus] | None,
        prover: Prover | None,
    ) -> None:
        self.database = database
        self.clock = clock
        self.tasks = Tasks()
        self.bus = MemoryBus(medium)
        self.rooms, self.games = Rooms(database), WatchedGames(database)
        self.gate = Gate(database)
        self.journal = Journal(self.gate)
        self.deadlines = Deadlines(self.rooms, clock=clock, tasks=self.tasks)
        self.sessions = Sessions(journal=self.journal, games=self.games)
        self.hub = Hub(
            self.bus, rooms=self.rooms, sessions=self.sessions, clock=clock, tasks=self.tasks
        )
        self.truth = Truth(database)
        self.reconciler = Reconciler(self.hub, self.truth)
        self.attempts_kept = KeptAttempts(database)
        self.referee = Referee(
            rooms=self.rooms,
            games=self.games,
            attempts=self.attempts_kept,
            sessions=self.sessions,
            hub=self.hub,
            deadlines=self.deadlines,
            clock=clock,
            tasks=self.tasks,
        )
        self.attempts = Attempts(
            self.attempts_kept,
            self.games,
            referee=self.referee,
            sessions=self.sessions,
            hub=self.hub,
            clock=clock,
            chance=Chance(),
        )
        self.pulse = self.hub.pulse
        self.stock = None if prover is None else a_stock(database, prover, clock=clock)
        self.lobby = Lobby(
            rooms=self.rooms,
            proofs=Proofs(database),
            referee=self.referee,
            attempts=self.attempts,
            deadlines=self.deadlines,
            stock=self.stock,
            clock=clock,
            chance=Chance(),
        )
        self.parts = Parts(
            referee=self.referee,
            hub=self.hub,
            identify=Players(database).identify,
            clock=clock,
            limits=Limits(frames_per_s=50, frames_burst=200, outbox_frames=1000),
        )

    def session_of(self, room: Room, player: Player) -> Session:
        return self.referee.session_of(room, player)

    def channel_of(self, room_id: str) -> Channel:
        return self.hub.channels[room_id]

    async def join(self, room_id: str, player: Player) -> Room:
        """Have a player join now, a daily's attempt beginning with it."""
        return await self.lobby.join(room_id, player=player, arrived_ms=self.clock.now_ms())

    async def rematch(self, room_id: str, player: Player) -> Room:
        return await self.lobby.rematch(room_id, player=player, arrived_ms=self.clock.now_ms())

    async def change(self, room_id: str, verb: str, *who: Player, **how: Any) -> Room:
        """Have a command of `Room` done, at the time it is."""
        return await self.referee.change(
            room_id, lambda room, at: getattr(room, verb)(*who, **how, at=at)
        )

    async def at_rest(self) -> None:
        """Wait until nothing goes on in the background."""
        await until(lambda: not self.tasks._running)

    def seat(self, room: Room, player: Player) -> Seat:
        seat = room.seat_of(player.id)
        assert seat is not None
        return seat

    @contextmanager
    def socket(self, room_id: str, *, limits: Limits | None = None) -> Iterator["Socket"]:
        """Open a socket; it has not said hello."""
        parts = self.parts if limits is None else msgspec.structs.replace(self.parts, limits=limits)
        with ExitStack() as stack:
            socket = Socket(self, Conversation(room_id, parts), stack)
            stack.callback(socket.conversation.leave)
            yield socket


def a_stock(
    database: Database, prover: Prover, *, clock: Clock | None = None, size: int = 1
) -> Stock:
    """A stock of proven deals, which is filled up when a test says so."""
    return Stock(
        ProvenDeals(database),
        prover,
        size=size,
        clock=clock or ManualClock(after(20)),
        chance=Chance(),
    )


@asynccontextmanager
async def a_node(
    database: Database,
    *,
    clock: Clock | None = None,
    medium: set[MemoryBus] | None = None,
    prover: Prover | None = None,
) -> AsyncIterator[Node]:
    """A node that is running; its clock stands 10 s into the race of `a_kept_room`.

    Nodes with one medium hear each other. Without a prover no room is winnable. Nobody compares
    with the database by the clock: see `node.reconciler`.
    """
    node = Node(database, clock or ManualClock(after(20)), medium, prover)
    node.journal.open()
    await node.bus.open()
    await node.hub.begin(await node.truth.epoch())
    try:
        yield node
    finally:
        node.gate.release()
        await node.tasks.close()
        await node.bus.close()
        await node.journal.close()


class Ear:
    """Reads an outbox as its socket's client would."""

    def __init__(self, outbox: Outbox) -> None:
        self.outbox = outbox
        self.heard: list[Frame] = []

    def listen(self) -> list[Frame]:
        """Take what is there now; never waits."""
        frames = [msgspec.json.decode(frame) for frame in self.outbox._frames]
        self.outbox._frames.clear()
        self.heard += frames
        return frames

    async def next(self) -> Frame:
        """Wait for the next frame."""
        async with asyncio.timeout(PATIENCE_S):
            raw = await self.outbox.next_frame()
        assert raw is not None, f"closed: {self.outbox.close_code} {self.outbox.close_reason}"
        frame: Frame = msgspec.json.decode(raw)
        self.heard.append(frame)
        return frame

    async def expect(self, kind: str) -> Frame:
        """Wait for the next frame of a type."""
        while True:
            frame = await self.next()
            if frame["type"] == kind:
                return frame

    async def answers(self, count: int) -> list[Frame]:
        """Wait for so many answers to moves."""
        answers: list[Frame] = []
        while len(answers) < count:
            frame = await self.next()
            if frame["type"] in ("ack", "reject"):
                answers.append(frame)
        return answers

    async def closed(self) -> int:
        """Wait for the close; gives its code."""
        async with asyncio.timeout(PATIENCE_S):
            while (raw := await self.outbox.next_frame()) is not None:
                self.heard.append(msgspec.json.decode(raw))
        assert self.outbox.close_code is not None
        return self.outbox.close_code


class Socket(Ear):
    """A conversation, and the ear on it."""

    def __init__(self, node: Node, conversation: Conversation, stack: ExitStack) -> None:
        super().__init__(conversation.outbox)
        self.node = node
        self.conversation = conversation
        watching = node.hub.watching(conversation.room_id, conversation)
        self.channel = stack.enter_context(watching)

    async def raw(self, text: str) -> None:
        """Have a frame arrive now."""
        now_ms = self.node.clock.now_ms()
        await self.conversation.receive(text, self.channel, received_ms=now_ms)

    async def say(self, kind: str, **fields: object) -> None:
        await self.raw(msgspec.json.encode({"type": kind, **fields}).decode())

    async def hello(self, player: Player | None = None) -> Self:
        """Say hello with the token that `register` gave the player."""
        await self.say("hello", token=None if player is None else f"cr_{player.id}")
        return self

    async def play(self, *moves: str, ply: int = 0) -> None:
        """Send moves without waiting for answers."""
        for number, move in enumerate(moves, start=ply):
            await self.say("move", ply=number, move=move)


def brief(answer: Frame) -> tuple[object, ...]:
    """An answer to a move without what is measured."""
    if answer["type"] == "ack":
        return ("ack", answer["ply"], answer["move"])
    return (answer["code"], answer["ply"], answer["next_ply"])


async def until(condition: Callable[[], object]) -> None:
    """Give others their turns until something holds; bounded."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():  # noqa: ASYNC110 — what is waited for has no event of its own
            await asyncio.sleep(0)
