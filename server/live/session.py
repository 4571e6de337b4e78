"""One player's game on this node, and the one writer of it."""

import asyncio
from collections.abc import Callable
from typing import Any

from server import metrics
from server.game import Board, GameError
from server.live.answers import Answer, Answers, Reply
from server.live.messages import Ack, GameFrame, GameView, Reject, encode
from server.live.outbox import Outbox
from server.live.own_game import Terms, acknowledge, as_play, show
from server.live.ports import Games, Journal
from server.live.repeats import acknowledge_again, acknowledge_on, replay
from server.race.errors import Unavailable
from server.race.instants import to_epoch_ms
from server.race.player import Player
from server.race.plays import Log, Outcome, Play
from server.race.room import Room
from server.race.seat import Seat
from server.race.standings import Entry
from server.race.states import ENDED, PlayerState

MOST_PENDING = 256  # moves of one game not yet on disk; more: `unavailable`, the client resends
UNAVAILABLE = "storage did not answer; resend the same move with the same ply"

OnProgress = Callable[["Session", Entry], None]


class Session:
    """One player's game: checks every move, has it written, and acknowledges it after that.

    The board runs ahead of the disk by what is pending. When a write fails, everything pending
    is dropped and answered `unavailable`, and the session is `stale` until it has been loaded
    from the log again.
    """

    def __init__(
        self, room: Room, seat: Seat, *, journal: Journal, games: Games, on_progress: OnProgress
    ) -> None:
        self.room_id = room.id
        self.game_id = seat.game_id
        self.player: Player = seat.player
        self.state: PlayerState = seat.state
        self.stale = True
        self._was_read = False
        self._terms = Terms.of(room, seat)
        self._ended_ms = None if seat.ended_at is None else to_epoch_ms(seat.ended_at)
        self._journal = journal
        self._games = games
        self._on_progress = on_progress
        self._game = self._terms.new_game()
        self._answers = Answers()
        self._last: tuple[int, str, str, bytes] | None = None  # ply, text, move, ack
        self._in_doubt = False  # plays were dropped that may have been written
        self._expired = 0
        self._settled: asyncio.Future[None] | None = None
        self._loading = asyncio.Lock()
        self._catching_up = asyncio.Lock()

    # Reading

    @property
    def outbox(self) -> Outbox | None:
        """Of the player's socket on this node, where there is one."""
        return self._answers.outbox

    @outbox.setter
    def outbox(self, outbox: Outbox | None) -> None:
        self._answers.outbox = outbox

    @property
    def idle(self) -> bool:
        """Whether nobody listens to it and nothing of it is being written."""
        return self.outbox is None and not self._answers

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
        while True:
            if self.stale:
                try:
                    await self.load()
                except Unavailable as error:
                    self._refuse(ply, error.code, error.detail, reply, next_ply=ply)
                    return
            if ply >= self._game.ply:
                self._take(ply, text, received_ms, reply)
                return
            if not self._answers:
                break
            await self.settled()  # it may be among what is being written, and that may fail
        await self._repeat(ply, text, reply)

    def _take(self, ply: int, text: str, received_ms: int, reply: Reply | None) -> None:
        refusal = self._why_not(ply, received_ms)
        if refusal is not None:
            self._refuse(ply, *refusal, reply)
            return
        try:
            asked = Board.parse_move(text)
            played = self._game.play(asked, elapsed_ms=received_ms - self._terms.started_ms)
        except GameError as error:
            self._refuse(ply, error.code, error.message, reply)
            return
        if self._game.board.is_won:
            self.state = "won"
            self._ended_ms = self._terms.started_ms + self._game.elapsed_ms
        ack = encode(acknowledge(self._game, self._terms, played, state=self.state))
        self._last = (ply, text, played.move, ack)
        play = as_play(self._game, game_id=self.game_id, move=played.move, state=self.state)
        self._answers.give(Answer(ply, play, ack, reply, public=True))
        self._journal.submit(play, self)

    async def _repeat(self, ply: int, text: str, reply: Reply | None) -> None:
        """Answer a move whose `ply` is on disk: its ack again, if it means the same there."""
        last = self._last
        if last is not None and last[0] == ply and text in last[1:3]:
            ack = last[3]
        else:
            try:
                actions = (await self._games.log(self.game_id)).actions
                ack = encode(await acknowledge_again(self._terms, actions, ply=ply, text=text))
            except GameError as error:
                self._refuse(ply, error.code, error.message, reply)
                return
            except Unavailable as error:
                self._refuse(ply, error.code, error.detail, reply, next_ply=ply)
                return
        metrics.MOVES_ACKNOWLEDGED_AGAIN.inc()
        self._answers.give(Answer(ply, None, ack, reply, public=True))

    # What becomes of it

    def settle(self, play: Play, outcome: Outcome) -> None:
        """Acknowledge a play that is on disk; drop everything pending if it is not."""
        if outcome is not Outcome.WRITTEN:
            if self._answers.awaits(play):  # else dropped before
                self._drop()
            return
        self._answers.written(play)
        if not self._answers:
            self._wake()
        self._on_progress(self, self._entry_of(play))

    async def settled(self) -> None:
        """Wait until the fate of everything taken so far is known."""
        while self._answers:
            if self._settled is None:
                self._settled = asyncio.get_running_loop().create_future()
            await asyncio.shield(self._settled)

    async def load(self) -> None:
        """Bring a stale session's board back from the log.

        What others have written meanwhile is acknowledged on the player's socket.

        Raises:
            Unavailable: storage did not answer; the session stays stale.
        """
        async with self._loading:
            while self.stale:
                await self.settled()
                expired = self._expired
                log = await self._games.log(self.game_id)
                acks = await self._unheard(log)
                self._game = await replay(self._terms, log.actions)
                self.state = log.state
                self._ended_ms = None if log.ended_at is None else to_epoch_ms(log.ended_at)
                self._last, self._was_read = None, True
                self.stale = self._expired != expired  # meanwhile
                for ack in acks:
                    self._answers.tell(encode(ack))
        if self._in_doubt:
            self._in_doubt = False
            self._on_progress(self, self.entry)

    def expire(self) -> None:
        """Have the board read again before it is used: somebody else has ended the game."""
        self.stale = True
        self._expired += 1

    def is_behind(self, *, actions: int, ended: bool) -> bool:
        """Whether another node has written of this game what is not known here."""
        if self._answers:
            return False  # what is being written will be refused, and the log read again
        missed_its_end = ended and self.state not in ENDED and not self.stale
        return actions > self._game.ply or missed_its_end

    async def catch_up(self, entry: Entry) -> None:
        """Take over what another node has written, and acknowledge it on the player's socket.

        Raises:
            Unavailable: storage did not answer; the session stays stale.
        """
        async with self._catching_up:
            if not self.is_behind(actions=entry.actions, ended=entry.state in ENDED):
                return
            self.expire()
            if entry.actions > self._game.ply:  # else it has only ended, and is read when used
                await self.load()

    async def at_rest(self) -> None:
        """Wait until the board shows what is on disk, no more and no less; raises as `load`."""
        while self.stale or self._answers:
            await self.settled()
            await self.load()

    # How it is done

    async def _unheard(self, log: Log) -> list[Ack]:
        """Give the acks of what others have written since the log was read."""
        known = self._game.ply
        resent = self._in_doubt  # by the client, and acknowledged then
        if self.outbox is None or resent or not self._was_read or len(log.actions) <= known:
            return []
        return await acknowledge_on(self._terms, log.actions, ply=known)

    def _why_not(self, ply: int, received_ms: int) -> tuple[str, str] | None:
        if self.state in ENDED:
            return "not_racing", f"your game has ended: {self.state}"
        if not self._terms.started_ms <= received_ms < self._terms.ends_ms:
            return "not_racing", "moves count from started_at until ends_at, by their arrival"
        if ply > self._game.ply:
            return "ply_gap", "an earlier move was not taken; go on from next_ply"
        if len(self._answers) >= MOST_PENDING:
            return "unavailable", "too many moves wait to be written; resend this one in a moment"
        return None

    def _refuse(
        self, ply: int, code: str, detail: str, reply: Reply | None, *, next_ply: int | None = None
    ) -> None:
        if next_ply is None:
            next_ply = self._game.ply
        reject = Reject(ply=ply, code=code, detail=detail, next_ply=next_ply)
        metrics.count_reject(code)
        self._answers.give(Answer(ply, None, encode(reject), reply, public=reply is None))

    def _drop(self) -> None:
        """Answer everything pending with `unavailable`: the board has run ahead of the disk."""
        dropped = self._answers.drop()
        self.stale = self._in_doubt = True
        for one in dropped:
            self._refuse(one.ply, "unavailable", UNAVAILABLE, one.reply, next_ply=dropped[0].ply)
        self._wake()

    def _wake(self) -> None:
        if self._settled is not None:
            self._settled.set_result(None)
            self._settled = None

    def _entry_of(self, play: Play) -> Entry:
        return Entry(
            player=self.player,
            state=play.state,
            placed=play.placed,
            score=play.score,
            actions=play.ply + 1,
            at_ms=play.at_ms,
        )

    def _shown(self, now_ms: int) -> dict[str, Any]:
        terms = self._terms
        end_ms = terms.ends_ms if self._ended_ms is None else self._ended_ms
        elapsed_ms = max(self._game.elapsed_ms, min(now_ms, end_ms) - terms.started_ms, 0)
        return show(self._game, terms, state=self.state, elapsed_ms=elapsed_ms)
