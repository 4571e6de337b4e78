"""The live socket: a room's events as they happen, and my moves acknowledged one by one."""

from __future__ import annotations

import asyncio
from collections import deque
from types import TracebackType
from typing import Self, TypeAlias

from canfield_race_client import frames
from canfield_race_client.answers import Answers
from canfield_race_client.backoff import Backoff, Chance
from canfield_race_client.errors import CanfieldError, ConnectionClosed, NoGame, NotConnected
from canfield_race_client.facts import Fact, Facts
from canfield_race_client.live_core import LiveCore, Reconnected
from canfield_race_client.shapes import Ack, Game, Player, Room, Standing
from canfield_race_client.wire import Disconnected, Sleep, Wire

MAX_EVENTS = 1000

Event: TypeAlias = frames.ServerFrame | Disconnected | Reconnected


class Live:
    """A room's live socket, as a player or, without a token, as a spectator.

    Open it with `async with room.live() as race`: then the room is known, and my game if there is
    one. `race.room`, `race.game` and `race.standings` are always up to date, and
    `async for event in race` tells what changed. A connection that breaks is made again, and moves
    without an ack are sent again: each counts once.
    """

    def __init__(self, url: str, token: str | None, *, chance: Chance, sleep: Sleep) -> None:
        self._core = LiveCore(token=token, resend_backoff=Backoff(chance=chance))
        self._wire = Wire(
            url, self._core, chance=chance, sleep=sleep, take=self._take, tell=self._tell
        )
        # full: the oldest event is dropped; the views miss nothing, they fold every frame
        self._events: deque[Event] = deque(maxlen=MAX_EVENTS)
        self._news = asyncio.Event()
        self._answers = Answers()
        self._facts = Facts()
        self._pongs: dict[object, frames.Pong | None] = {}  # by what the ping carried
        self._pings_sent = 0
        self._resend: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._ending: BaseException | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        try:
            await self.until(lambda: self._core.view.room is not None)
            await self._caught_up()
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Leave the socket within 2 s; the game goes on and may be taken up again."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    @property
    def room(self) -> Room:
        """The room now, its standings ranked."""
        room = self._core.view.room
        if room is None:
            raise NoGame("the socket has not been opened yet")
        return room

    @property
    def game(self) -> Game | None:
        """My game now; None before the race and for a spectator."""
        return self._core.game

    @property
    def standings(self) -> list[Standing]:
        """Everybody's standing, best first, with exact ranks; in a daily the first 100."""
        return self._core.view.ranked()

    @property
    def standing(self) -> Standing | None:
        """How I stand, beyond the first 100 of a daily too; None for a spectator."""
        you = self._core.you
        if you is None or you.player is None:
            return None
        return self._core.view.standing_of(you.player, told=you.entry)

    @property
    def me(self) -> Player | None:
        """Who I am in this room; None for a spectator."""
        return self._core.you.player if self._core.you else None

    @property
    def is_host(self) -> bool:
        """Whether I may start, cancel and kick."""
        return self._core.you is not None and self._core.you.host

    @property
    def is_racing(self) -> bool:
        """Whether my game takes moves."""
        return self._core.is_racing and not self.is_over

    @property
    def is_connected(self) -> bool:
        """Whether the connection is up; while it is not, moves wait and go out later."""
        return self._core.is_open and self._ending is None

    @property
    def is_over(self) -> bool:
        """Whether the room is finished or cancelled."""
        return self._core.view.is_over

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event:
        """The next event; the iteration ends when the socket is closed regularly.

        Raises:
            ConnectionClosed: when it is closed for good in another way.
        """
        while not self._events:
            if isinstance(self._ending, ConnectionClosed) and self._ending.close_code == 1000:
                raise StopAsyncIteration
            if self._ending is not None:
                raise self._ending
            self._news.clear()
            await self._news.wait()
        return self._events.popleft()

    def send_move(self, move: str) -> asyncio.Future[Ack]:
        """Send a move without waiting; the future gets its ack or its `MoveRejected`.

        Raises:
            NoGame: if there is no game of mine yet.
            BadMove: if this cannot be sent as a move; nothing has been.
            OutboxFull: if 64 moves wait for their acks: await some first.
            ConnectionClosed: if the socket is closed for good.
        """
        if self._ending is not None:
            raise self._ending
        answer = self._answers.to(self._core.play(move))
        self._wire.flush()
        return answer

    async def move(self, move: str) -> Ack:
        """Play a move and wait until it is on disk.

        Raises:
            MoveRejected: a subclass by the reject's code; nothing has changed.
        """
        return await self.send_move(move)

    async def sync(self) -> Game:
        """A fresh view of my game, legal moves included; waits through a lost connection.

        Raises:
            NoGame: if there is none: the race has not begun, or I only watch.
        """
        self._core.sync()
        self._wire.flush()
        await self.until(lambda: not self._core.is_syncing)
        if self._core.synced is None:
            raise NoGame("there is no game of mine in this room")
        return self._core.synced

    async def ping(self) -> frames.Pong:
        """The server's answer to a ping, with its time.

        Raises:
            NotConnected: if the connection is down or breaks before the answer.
        """
        self._pings_sent += 1
        t = self._pings_sent
        self._say("ping", t=t)
        self._pongs[t] = None
        try:
            await self.until(lambda: self._pongs[t] is not None or not self._core.is_open)
        finally:
            pong = self._pongs.pop(t)
        if pong is None:
            raise NotConnected("the connection broke before the pong")
        return pong

    async def ready(self, *, ready: bool = True) -> None:
        """Say that I am ready, or no longer am; the answer is an event.

        Raises:
            NotConnected: if the connection is down.
        """
        self._say("ready", ready=ready)

    async def start(self) -> None:
        """Start the race as its host; the answer is an event, a `Fault` if it is refused.

        Raises:
            NotConnected: if the connection is down.
        """
        self._say("start")

    async def resign(self) -> None:
        """Stop racing, and wait until that is so; what was placed counts."""
        self._core.resign()
        self._wire.flush()
        await self.until(lambda: not self.is_racing)

    async def until(self, fact: Fact) -> None:
        """Wait until `fact` holds; it is looked at after every frame.

        Raises:
            CanfieldError: what closed the socket for good, if that comes first.
        """
        await self._facts.wait(fact)

    async def _caught_up(self) -> None:
        """Wait for my game, if there is one: it follows the hello, and so precedes this pong."""
        while True:
            try:
                await self.ping()
            except NotConnected:
                await self.until(lambda: self.is_connected)
            else:
                return

    def _say(self, kind: str, **fields: object) -> None:
        if self._ending is not None:
            raise self._ending
        if not self._core.is_open:
            raise NotConnected("the connection is down; another is being made")
        self._core.say(kind, **fields)
        self._wire.flush()

    def _take(self, text: str | bytes) -> None:
        event = self._core.receive(text)
        if isinstance(event, frames.Welcome) and (again := self._core.take_reconnected(event)):
            self._tell(again)
        if isinstance(event, frames.Pong) and event.t in self._pongs:
            self._pongs[event.t] = event
        self._answers.settle(self._core.take_settled())
        self._plan_resend()
        self._wire.flush()
        if event is not None:
            self._tell(event)

    def _tell(self, event: Event) -> None:
        self._answers.settle(self._core.take_settled())
        self._events.append(event)
        self._news.set()
        self._facts.look()

    def _plan_resend(self) -> None:
        if self._core.resend_in_s is not None and self._resend is None:
            loop = asyncio.get_running_loop()
            self._resend = loop.call_later(self._core.resend_in_s, self._resend_now)

    def _resend_now(self) -> None:
        self._resend = None
        self._core.resend()
        self._wire.flush()

    async def _run(self) -> None:
        try:
            await self._wire.run()
        except BaseException as error:
            cancelled = isinstance(error, asyncio.CancelledError)
            self._end(ConnectionClosed(1000) if cancelled else error)
            if not isinstance(error, CanfieldError):
                raise

    def _end(self, error: BaseException) -> None:
        """Nothing more comes: everybody who waits learns why."""
        self._ending = error
        self._news.set()
        if self._resend is not None:
            self._resend.cancel()
        self._answers.end(error)
        self._facts.end(error)
