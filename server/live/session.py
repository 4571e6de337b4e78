"""One player's game on this node, and the one writer of it."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from server.game import BadMove, Board, GameError, Tap
from server.live.messages import GameFrame, GameView, Reject, encode
from server.live.outbox import Outbox
from server.live.own_game import Window, acknowledge, show
from server.live.ports import Games, Journal
from server.race.errors import Unavailable
from server.race.instants import to_epoch_ms
from server.race.player import Player
from server.race.plays import Action, Outcome, Play
from server.race.room import Room
from server.race.running import RunningGame
from server.race.seat import Seat
from server.race.standings import Entry
from server.race.states import ENDED, PlayerState

MOST_PENDING = 256  # moves of one game not yet on disk; more: `unavailable`, the client resends
UNAVAILABLE = "storage did not answer; resend the same move with the same ply"

SLICE = 200  # actions replayed before others get their turn

Reply = Callable[[bytes], None]
OnProgress = Callable[["Session", Entry], None]


class Pending(Struct):
    """An answer that waits for everything before it to be on disk.

    Attributes:
        ply: the `ply` of the frame it answers.
        play: what is being written; None for a refusal, which only keeps its turn.
        frame: the answer.
        reply: who else wants it, besides the player's socket.
        public: whether it goes to the player's socket.
    """

    ply: int
    play: Play | None
    frame: bytes
    reply: Reply | None
    public: bool


class Session:
    """One player's game: checks every move, has it written, and acknowledges it after that.

    The board runs ahead of the disk by what is pending. When a write fails, everything pending
    is dropped and answered `unavailable`, and the session is `stale` until it has been loaded
    from the log again.
    """

    def __init__(
        self, room: Room, seat: Seat, *, journal: Journal, games: Games, on_progress: OnProgress
    ) -> None:
        if room.started_at is None or room.ends_at is None:
            raise ValueError("a room that has not started has no games")
        self.room_id = room.id
        self.game_id = seat.game_id
        self.player: Player = seat.player
        self.state: PlayerState = seat.state
        self.outbox: Outbox | None = None
        self.stale = True
        self._code = room.deal.code
        self._undo = room.settings.undo
        self._window = Window(
            room_id=room.id,
            started_ms=to_epoch_ms(room.started_at),
            ends_ms=to_epoch_ms(room.ends_at),
        )
        self._ended_ms = None if seat.ended_at is None else to_epoch_ms(seat.ended_at)
        self._journal = journal
        self._games = games
        self._on_progress = on_progress
        self._game = RunningGame(self._code, undo=self._undo)
        self._pending: deque[Pending] = deque()
        self._last: tuple[int, str, str, bytes] | None = None  # ply, text, move, ack
        self._settled: asyncio.Future[None] | None = None
        self._loading = asyncio.Lock()

    # Reading

    @property
    def idle(self) -> bool:
        """Whether nobody listens to it and nothing of it is being written."""
        return self.outbox is None and not self._pending

    @property
    def entry(self) -> Entry:
        """How the player stands, moves not yet on disk included."""
        game = self._game
        return Entry(
            player=self.player,
            state=self.state,
            placed=game.board.placed,
            score=game.board.score,
            actions=game.ply,
            at_ms=game.at_ms,
        )

    def view(self, *, now_ms: int) -> GameView:
        """Show the player's own game."""
        return GameView(**self._shown(now_ms))

    def frame(self, *, now_ms: int) -> bytes:
        """Give the `game` frame."""
        return encode(GameFrame(**self._shown(now_ms)))

    # Playing

    async def play(
        self, ply: int, text: str, *, received_ms: int, reply: Reply | None = None
    ) -> None:
        """Take a move, answer it again if it was played already, or refuse it.

        Returns at once where it can; the answer comes when everything before it is on disk.

        Args:
            ply: the number of the action it is to be.
            text: a move, tap or undo as the client wrote it, not checked yet.
            received_ms: when its frame arrived, in milliseconds since 1970.
            reply: gets the answer too; then refusals are not sent to the player's socket.
        """
        if self.stale:
            try:
                await self.load()
            except Unavailable as error:
                self._refuse(ply, error.code, error.detail, reply)
                return
        if ply < self._game.ply:
            await self._repeat(ply, text, reply)
        else:
            self._take(ply, text, received_ms, reply)

    def _take(self, ply: int, text: str, received_ms: int, reply: Reply | None) -> None:
        refusal = self._why_not(ply, received_ms)
        if refusal is not None:
            self._refuse(ply, *refusal, reply)
            return
        try:
            asked = Board.parse_move(text)
            played = self._game.play(asked, elapsed_ms=received_ms - self._window.started_ms)
        except GameError as error:
            self._refuse(ply, error.code, error.message, reply)
            return
        if self._game.board.is_won:
            self.state = "won"
            self._ended_ms = self._window.started_ms + self._game.elapsed_ms
        ack = encode(acknowledge(self._game, self._window, played, state=self.state))
        self._last = (ply, text, played.move, ack)
        play = self._as_play(ply, played.move)
        self._pending.append(Pending(ply, play, ack, reply, public=True))
        self._journal.submit(play, self)

    def settle(self, play: Play, outcome: Outcome) -> None:
        """Acknowledge a play that is on disk; drop everything pending if it is not."""
        pending = self._pending
        if not pending or pending[0].play is not play:
            return  # dropped before: answered `unavailable` then
        if outcome is not Outcome.WRITTEN:
            self._drop()
            return
        self._deliver(pending.popleft())
        self._deliver_ripe()
        self._on_progress(self, self._entry_of(play))
        if not pending:
            self._wake()

    async def settled(self) -> bool:
        """Wait until everything taken so far is on disk; gives False if it was dropped instead."""
        while self._pending:
            if self._settled is None:
                self._settled = asyncio.get_running_loop().create_future()
            await asyncio.shield(self._settled)
        return not self.stale

    async def load(self) -> None:
        """Bring a stale session's board back from the log.

        Raises:
            Unavailable: storage did not answer; the session stays stale.
        """
        async with self._loading:
            if not self.stale:
                return
            log = await self._games.log(self.game_id)
            self._game = await self._replay(log.actions)
            self.state = log.state
            self._ended_ms = None if log.ended_at is None else to_epoch_ms(log.ended_at)
            self._last = None
            self.stale = False

    def begin(self) -> None:
        """Take the deal as it is, for a game that has just started and has no log."""
        self.stale = False

    # How it is done

    def _why_not(self, ply: int, received_ms: int) -> tuple[str, str] | None:
        if self.state in ENDED:
            return "not_racing", f"your game has ended: {self.state}"
        if not self._window.started_ms <= received_ms < self._window.ends_ms:
            return "not_racing", "the time for your game is over"
        if ply > self._game.ply:
            return "ply_gap", "an earlier move was not taken; go on from next_ply"
        if len(self._pending) >= MOST_PENDING:
            return "unavailable", "too many moves wait to be written; resend this one in a moment"
        return None

    def _refuse(self, ply: int, code: str, detail: str, reply: Reply | None) -> None:
        reject = Reject(ply=ply, code=code, detail=detail, next_ply=self._game.ply)
        self._answer(Pending(ply, None, encode(reject), reply, public=reply is None))

    def _answer(self, answer: Pending) -> None:
        if self._pending:
            self._pending.append(answer)
        else:
            self._deliver(answer)

    def _deliver(self, answer: Pending) -> None:
        if answer.public and self.outbox is not None:
            self.outbox.push(answer.frame)
        if answer.reply is not None:
            answer.reply(answer.frame)

    def _deliver_ripe(self) -> None:
        """Deliver the answers whose turn has come: nothing before them is being written."""
        while self._pending and self._pending[0].play is None:
            self._deliver(self._pending.popleft())

    def _drop(self) -> None:
        """Answer everything pending with `unavailable`: the board has run ahead of the disk."""
        first_ply = self._pending[0].ply
        self.stale = True
        while self._pending:
            dropped = self._pending.popleft()
            reject = Reject(
                ply=dropped.ply,
                code="unavailable",
                detail=UNAVAILABLE,
                next_ply=first_ply,
            )
            self._deliver(
                Pending(dropped.ply, None, encode(reject), dropped.reply, public=dropped.public)
            )
        self._wake()

    def _wake(self) -> None:
        if self._settled is not None:
            self._settled.set_result(None)
            self._settled = None

    def _as_play(self, ply: int, move: str) -> Play:
        game = self._game
        return Play(
            game_id=self.game_id,
            ply=ply,
            move=move,
            elapsed_ms=game.elapsed_ms,
            placed=game.board.placed,
            score=game.board.score,
            at_ms=game.at_ms,
            state=self.state,
        )

    def _entry_of(self, play: Play) -> Entry:
        return Entry(
            player=self.player,
            state=play.state,
            placed=play.placed,
            score=play.score,
            actions=play.ply + 1,
            at_ms=play.at_ms,
        )

    async def _replay(self, actions: list[Action]) -> RunningGame:
        game = RunningGame(self._code, undo=self._undo)
        for start in range(0, len(actions), SLICE):
            game.follow(actions[start : start + SLICE])
            await asyncio.sleep(0)
        return game

    async def _repeat(self, ply: int, text: str, reply: Reply | None) -> None:
        """Answer a move whose `ply` was played: its ack again, if it means the same there."""
        if not await self.settled():  # it was being written, and that failed
            self._refuse(ply, "unavailable", UNAVAILABLE, reply)
            return
        if self._last is not None and self._last[0] == ply and text in self._last[1:3]:
            answer = self._last[3]
        else:
            try:
                answer = await self._repeated(ply, text)
            except Unavailable as error:
                self._refuse(ply, error.code, error.detail, reply)
                return
        self._answer(Pending(ply, None, answer, reply, public=True))

    async def _repeated(self, ply: int, text: str) -> bytes:
        """Answer an older repeat, by replaying the log up to it."""
        actions = (await self._games.log(self.game_id)).actions
        if ply >= len(actions):
            return self._reject_repeat(ply, "unavailable", UNAVAILABLE)
        game = await self._replay(actions[:ply])
        there = actions[ply]
        try:
            asked = Board.parse_move(text)
            meant = game.board.tap(asked).text if isinstance(asked, Tap) else asked.text
        except BadMove as error:
            return self._reject_repeat(ply, error.code, error.message)
        except GameError:
            meant = None
        if meant != there.move:
            detail = "another move stands there; send sync, and go on from next_ply"
            return self._reject_repeat(ply, "ply_conflict", detail)
        played = game.play(Board.parse_move(there.move), elapsed_ms=there.elapsed_ms)
        state: PlayerState = "won" if game.board.is_won else "racing"
        return encode(acknowledge(game, self._window, played, state=state))

    def _reject_repeat(self, ply: int, code: str, detail: str) -> bytes:
        return encode(Reject(ply=ply, code=code, detail=detail, next_ply=self._game.ply))

    def _shown(self, now_ms: int) -> dict[str, Any]:
        window = self._window
        end_ms = window.ends_ms if self._ended_ms is None else self._ended_ms
        elapsed_ms = max(self._game.elapsed_ms, min(now_ms, end_ms) - window.started_ms, 0)
        return show(self._game, window, state=self.state, elapsed_ms=elapsed_ms)
