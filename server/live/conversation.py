"""One socket's conversation: frames in the order they arrived, answers into its outbox."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from msgspec import UNSET, Struct

from server.clock import Clock, now
from server.live.channel import Channel
from server.live.claims import claim_at
from server.live.credit import Credit
from server.live.hub import Hub
from server.live.messages import (
    AnyClientFrame,
    Error,
    Hello,
    MoveFrame,
    PingFrame,
    Pong,
    ReadyFrame,
    Reject,
    ResignFrame,
    StartFrame,
    SyncFrame,
    UnknownFrame,
    decode,
    encode,
)
from server.live.outbox import BAD_TOKEN, Outbox
from server.live.referee import Referee
from server.live.session import Session
from server.race.errors import Invalid, NotAPlayer, NotFound, RaceError, Unavailable, WrongState
from server.race.instants import instant
from server.race.player import Player
from server.race.room import Room
from server.race.states import STARTED

GONE = 1006
NOT_A_FRAME = 4400
NO_SUCH_ROOM = 4404
TOO_MANY_FRAMES = 4429
SERVER_FAULT = 4500

COSTS: dict[type, int] = {StartFrame: 5, ReadyFrame: 5, ResignFrame: 5, SyncFrame: 2}
"""What frames cost of a socket's credit; those not named here cost 1."""


class Identity(Protocol):
    """Who holds a token, and which token it is."""

    @property
    def player(self) -> Player:
        """The holder."""

    @property
    def token_id(self) -> str:
        """The token's public id."""


class Limits(Struct, frozen=True):
    """What a socket may do; see `Settings`."""

    frames_per_s: float
    frames_burst: int
    outbox_frames: int


class Parts(Struct, frozen=True):
    """What conversations work with, the same for every socket of a node."""

    referee: Referee
    hub: Hub
    identify: Callable[[str], Awaitable[Identity | None]]
    clock: Clock
    limits: Limits


class Conversation:
    """A socket from its `hello` on; every frame goes through `receive`, one at a time.

    Attributes:
        outbox: what is to be sent, and whether the socket is to be closed.
        player: who holds the socket; None for a spectator without a token.
        greeted: whether `hello` has been answered.
    """

    def __init__(self, room_id: str, parts: Parts) -> None:
        self.room_id = room_id
        self.outbox = Outbox(most_frames=parts.limits.outbox_frames)
        self.player: Player | None = None
        self.token_id: str | None = None
        self.claim = ""
        self.greeted = False
        self._parts = parts
        self._session: Session | None = None
        self._credit = Credit(
            per_s=parts.limits.frames_per_s,
            burst=parts.limits.frames_burst,
            now_ms=parts.clock.now_ms(),
        )

    async def receive(self, text: str, channel: Channel, *, received_ms: int) -> None:
        """Take a frame that arrived at `received_ms`, and do what it asks."""
        try:
            frame = decode(text)
        except UnknownFrame as error:
            self.outbox.close(NOT_A_FRAME, str(error))
            return
        except Invalid as error:
            if self._spend(1, received_ms):
                self._tell_error(error)
            return
        if not self._spend(COSTS.get(type(frame), 1), received_ms):
            return
        try:
            if isinstance(frame, MoveFrame):
                session = self._session
                if session is None or session.outbox is not self.outbox:
                    session = await self._take_up(frame, channel)
                if session is not None:
                    await session.play(frame.ply, frame.move, received_ms=received_ms)
            else:
                await self._do(frame, channel)
        except RaceError as error:
            self._tell_error(error)

    async def enter_game(self, room: Room) -> None:
        """Take up the player's game in a room, and show it: at the start, and after `hello`."""
        try:
            session = self._take_session(room)
            if session is not None:
                await self._show(session)
        except Unavailable:
            self.outbox.close(SERVER_FAULT, "your game could not be read; reconnect")

    def leave(self) -> None:
        """Let go of the game, if no newer socket has taken it over."""
        self.outbox.close(GONE, "")
        if self._session is not None and self._session.outbox is self.outbox:
            self._session.outbox = None

    async def _show(self, session: Session) -> None:
        """Show a game as it is on disk; its answers come to this socket from now on."""
        await session.at_rest()
        if self.outbox.close_code is None:  # else a newer socket plays
            session.outbox = self.outbox
            self.outbox.push(session.frame(now_ms=self._parts.clock.now_ms()))

    async def _do(self, frame: AnyClientFrame, channel: Channel) -> None:
        if isinstance(frame, Hello):
            await self._hello(frame, channel)
        elif not self.greeted:
            self.outbox.close(NOT_A_FRAME, "the first frame is hello")
        elif isinstance(frame, PingFrame):
            at = instant(now(self._parts.clock))
            self.outbox.push(encode(Pong(t=frame.t, server_time=at)))
        else:
            await self._command(frame, channel)

    async def _hello(self, frame: Hello, channel: Channel) -> None:
        if self.greeted:
            raise Invalid("hello is said once, as the first frame", pointer="/type")
        if frame.token is not None and not await self._identify(frame.token):
            self.outbox.close(BAD_TOKEN, "this token is not valid, or not any more")
            return
        try:
            room = await self._parts.referee.present(self.room_id)
        except (NotFound, Invalid) as error:  # a name that cannot be is nobody's either
            self.outbox.close(NO_SUCH_ROOM, error.detail)
            return
        self.claim = claim_at(self._parts.clock.now_ms())
        await self._parts.hub.welcome(channel, self, room, since=frame.since)
        self.greeted = True
        if self.player is not None and channel.players.get(self.player.id) is self:
            await self.enter_game(channel.room or room)  # it may have started meanwhile

    async def _identify(self, token: str) -> bool:
        identity = await self._parts.identify(token)
        if identity is not None:
            self.player, self.token_id = identity.player, identity.token_id
        return identity is not None

    async def _take_up(self, frame: MoveFrame, channel: Channel) -> Session | None:
        """Find the game that a move is for, when this socket does not hold it yet."""
        if not self.greeted:
            self.outbox.close(NOT_A_FRAME, "the first frame is hello")
            return None
        self._playing(channel)
        session = await self._find_session()
        self._playing(channel)  # a newer socket may have come meanwhile
        if session is None:
            detail = "the race has not started"
            early = Reject(ply=frame.ply, code="not_racing", detail=detail, next_ply=0)
            self.outbox.push(encode(early))
        else:
            session.outbox = self.outbox
        return session

    async def _command(self, frame: AnyClientFrame, channel: Channel) -> None:
        player, referee = self._playing(channel), self._parts.referee
        match frame:
            case ReadyFrame(ready=ready):
                await referee.change(
                    self.room_id, lambda room, at: room.set_ready(player, ready=ready, at=at)
                )
            case StartFrame():
                await referee.change(self.room_id, lambda room, at: room.start(player, at=at))
            case ResignFrame():
                await referee.resign(self.room_id, player=player)
            case SyncFrame():
                room = await referee.present(self.room_id, asking=player)
                await self._show(referee.session_of(room, player))
            case _:
                raise Invalid("this frame cannot be answered", pointer="/type")

    def _playing(self, channel: Channel) -> Player:
        player = self.player
        if player is None or channel.players.get(player.id) is not self:
            raise NotAPlayer("you only watch here: join the room first, with your token in hello")
        return player

    async def _find_session(self) -> Session | None:
        """Give the player's session, made on first use; None before the race has started."""
        if self._session is None:
            present = self._parts.referee.present(self.room_id, asking=self.player)
            self._take_session(await present)
        return self._session

    def _take_session(self, room: Room) -> Session | None:
        player = self.player
        if player is not None and room.state in STARTED and room.seat_of(player.id) is not None:
            self._session = self._parts.referee.session_of(room, player)
        return self._session

    def _spend(self, cost: int, received_ms: int) -> bool:
        if self._credit.spend(cost, now_ms=received_ms):
            return True
        wait_ms = self._credit.wait_ms(cost)
        error = Error(
            code="too_many_requests",
            detail="too many frames; GET /api/v1/limits says how many a socket may send",
            retry_after_ms=wait_ms,
        )
        self.outbox.push(encode(error))
        self.outbox.close(TOO_MANY_FRAMES, "too many frames")
        return False

    def _tell_error(self, error: RaceError) -> None:
        retry_ms = error.retry_after_s * 1000 if isinstance(error, Unavailable) else UNSET
        frame = Error(
            code=error.code,
            detail=error.detail,
            pointer=error.pointer if isinstance(error, Invalid) and error.pointer else UNSET,
            state=error.state if isinstance(error, WrongState) else UNSET,
            retry_after_ms=retry_ms,
        )
        self.outbox.push(encode(frame))
