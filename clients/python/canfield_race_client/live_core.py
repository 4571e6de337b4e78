"""The live protocol without sockets, clock or tasks: texts in, texts and events out.

A shell opens and closes connections, hands over what arrives, sends what `take_out` gives, and
settles promises with what `take_settled` gives.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from msgspec.structs import replace

from canfield_race_client import frames, shapes
from canfield_race_client.backoff import Backoff
from canfield_race_client.credit import cost_of
from canfield_race_client.errors import BadFrame, BadMove, MoveRejected, NoGame, move_rejected
from canfield_race_client.game_view import MAX_MOVE_CHARS, fold_ack, may_be_a_move
from canfield_race_client.outbox import Outbox, Pending
from canfield_race_client.room_view import RoomView
from canfield_race_client.standings import ENDED_STATES

NO_GAME_CODES = frozenset({"wrong_state", "not_a_player"})
"""What a `sync` is refused with where there is no game."""

NO_MOVE = f"a move is 1 to {MAX_MOVE_CHARS} visible ASCII characters"


@dataclass(frozen=True)
class Reconnected:
    """The connection is made again: the room's welcome, what was missed, and my game follow.

    `recovered`: what was missed follows event by event; else the room came as it is now.
    `unanswered`: how many moves without an answer are sent again once my game has come.
    """

    recovered: bool
    unanswered: int


Settled = tuple[Pending, shapes.Ack | MoveRejected]


class Outgoing(NamedTuple):
    """A text to send, and what it costs of the connection's credit."""

    text: str
    cost: int


class LiveCore:
    """One player's or spectator's side of the live protocol, across any number of connections."""

    def __init__(self, *, token: str | None, resend_backoff: Backoff) -> None:
        self.game: shapes.Game | None = None
        self.synced: shapes.Game | None = None  # my game as it came last, legal moves included
        self.is_syncing = False
        self.you: frames.You | None = None
        self.view = RoomView()
        self.resend_in_s: float | None = None
        self.retry_after_ms: int | None = None
        self._token = token
        self._resend_backoff = resend_backoff
        self._outbox = Outbox()
        self._out: list[Outgoing] = []  # bounded by the outbox and by what callers await
        self._settled: list[Settled] = []
        self.is_open = False
        self._current = False  # whether a game has come over this connection
        self._resigning = False
        self._comes_back = False  # a connection after another, not welcomed yet

    @property
    def is_racing(self) -> bool:
        """Whether my game takes moves, as far as is known here."""
        if self.game is None or self.game.state != "racing":
            return False
        me = self.you.player if self.you else None
        standing = self.view.standings.of(me.id) if me else None
        return standing is None or standing.state not in ENDED_STATES

    def opened(self) -> None:
        """A connection is open: the first frame is `hello`."""
        self.is_open = True
        self._current = False
        self._comes_back = self.view.since is not None
        self.retry_after_ms = None
        self.say("hello", token=self._token, since=self.view.since)
        if self.is_syncing:
            self.say("sync")

    def lost(self) -> None:
        """The connection is gone: what was on its way may or may not have arrived."""
        self._out = []
        self.is_open = False
        self.resend_in_s = None
        self._current = False
        for pending in self._outbox.park_all():
            self._reject(pending, "ply_gap", "an earlier move was refused")

    def take_out(self) -> list[Outgoing]:
        """The texts to send now, in order."""
        out, self._out = self._out, []
        return out

    def take_reconnected(self, welcome: frames.Welcome) -> Reconnected | None:
        """What to tell of a connection that a welcome has just made good; None for the first."""
        if not self._comes_back:
            return None
        self._comes_back = False
        return Reconnected(recovered=welcome.recovered, unanswered=len(self._outbox))

    def take_settled(self) -> list[Settled]:
        """The moves that have got their answer, in order."""
        settled, self._settled = self._settled, []
        return settled

    def say(self, kind: str, **fields: object) -> None:
        """Send a frame other than a move, if the connection is open."""
        if self.is_open:
            self._out.append(Outgoing(frames.encode(kind, **fields), cost_of(kind)))

    def sync(self) -> None:
        """Ask for my game, and ask again until it comes or is refused: then `is_syncing` ends."""
        self.is_syncing = True
        self.say("sync")

    def resign(self) -> None:
        """Stop racing, and say so again after a lost connection."""
        self._resigning = True
        self.say("resign")

    def play(self, move: str) -> Pending:
        """Send a move as the next one of my game, without waiting for earlier answers.

        Raises:
            NoGame: if there is no game of mine yet.
            BadMove: if this is not even a text that could be a move.
            OutboxFull: if too many moves wait for their answers.
        """
        if self.game is None:
            raise NoGame("there is no game of mine to move in yet")
        if not may_be_a_move(move):
            ply = self._outbox.next_ply(game_ply=self.game.ply)
            raise BadMove(NO_MOVE, move=str(move), ply=ply, code=BadMove.code, next_ply=ply)
        parked = not self._current or self._outbox.has_parked
        pending = self._outbox.add(move, game_ply=self.game.ply, parked=parked)
        if not parked:
            self.say("move", ply=pending.ply, move=move)
        return pending

    def resend(self) -> None:
        """Ask again what storage had no answer for, in order; to be called after `resend_in_s`."""
        self.resend_in_s = None
        if self._current:
            self._send_parked()
        if self.is_syncing:
            self.say("sync")

    def receive(self, data: str | bytes) -> frames.ServerFrame | None:
        """Take in a frame; the event to show, or None if it is old or of an unknown type.

        Raises:
            BadFrame: if the server breaks the contract.
        """
        frame = frames.decode(data)
        match frame:
            case frames.Ack():
                self._acked(frame)
            case frames.Reject():
                self._rejected(frame)
            case frames.GameFrame():
                self._game_came(frame)
            case frames.You():
                self._you_came(frame)
            case frames.Welcome():
                self.view.welcome(frame)
            case frames.RoomEvent():
                return frame if self.view.fold(frame) else None
            case frames.Fault():
                self._fault_came(frame)
        return frame

    def _acked(self, ack: frames.Ack) -> None:
        pending = self._outbox.acked(ack)
        if pending is not None:
            self._settled.append((pending, ack))
        self._resend_backoff.reset()
        if self.game is None or ack.ply < self.game.ply:
            return  # a repeat: it counted when it was played
        if ack.ply > self.game.ply:
            self.sync()
            return
        try:
            self.game = fold_ack(self.game, ack, undo=self.view.allows_undo)
        except BadFrame:
            self.sync()  # what is shown here is not what the server has
            return
        self._stand(self.game)

    def _rejected(self, reject: frames.Reject) -> None:
        pending = self._outbox.on_its_way(reject.ply)
        if pending is None:
            return
        behind = reject.code == "ply_gap" and self._outbox.waits_behind_parked(pending)
        if behind or reject.code == "unavailable":
            pending.parked = True
            self._plan_resend()
            return
        self._outbox.refused(pending)
        self._reject(pending, reject.code, reject.detail, next_ply=reject.next_ply)
        if reject.code == "ply_conflict":
            self.sync()

    def _fault_came(self, fault: frames.Fault) -> None:
        self.retry_after_ms = fault.retry_after_ms
        if fault.code in NO_GAME_CODES and self.game is None:
            self.is_syncing = False
        elif fault.code == "unavailable" and self.is_syncing:
            self._plan_resend()

    def _plan_resend(self) -> None:
        if self.resend_in_s is not None:
            return
        self.resend_in_s = self._resend_backoff.next_s()
        if self.resend_in_s is None:
            for pending in self._outbox.unpark():
                self._outbox.refused(pending)
                self._reject(pending, "unavailable", "storage does not answer: perhaps played")

    def _reject(
        self, pending: Pending, code: str, detail: str, *, next_ply: int | None = None
    ) -> None:
        error = move_rejected(code, detail, move=pending.move, ply=pending.ply, next_ply=next_ply)
        self._settled.append((pending, error))

    def _game_came(self, game: frames.GameFrame) -> None:
        self.game = self.synced = game
        self.is_syncing = False
        if self._current:
            return
        self._current = True
        # Moves below game.ply are sent too: the server does not play them again but repeats
        # their acks, which is how their senders learn what became of them.
        self._send_parked()
        if self._resigning and game.state == "racing":
            self.say("resign")

    def _send_parked(self) -> None:
        for pending in self._outbox.unpark():
            self.say("move", ply=pending.ply, move=pending.move)

    def _you_came(self, you: frames.You) -> None:
        self.you = you
        if you.entry is not None:
            self.view.standings.fold(you.entry)
        if self.game is not None and you.state is not None:
            self.game = replace(self.game, state=you.state)

    def _stand(self, game: shapes.Game) -> None:
        """My own standing is known from the ack before the room hears of it."""
        if self.you is None or self.you.player is None:
            return
        self.view.standings.fold(
            shapes.Standing(
                player=self.you.player,
                state=game.state,
                placed=game.placed,
                score=game.score,
                actions=game.ply,
                at_ms=game.at_ms,
            )
        )
