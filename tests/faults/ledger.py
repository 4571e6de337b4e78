"""What clients were told held against what the database has, and the database against the rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from canfield_race_client.shapes import Ack

from server.game import GameCode
from server.game.errors import GameError
from server.race.instants import to_epoch_ms
from server.race.running import RunningGame
from server.race.standings import rank
from tests.faults.stored import Stored

CLOCKS_AGREE_WITHIN_MS = 1500
"""How far a move's time may be from when its frame can have arrived: a clock that is off by a
fault's 30 s shows, what a loaded machine does to scheduling does not."""


@dataclass
class Account:
    """What one player's clients did and heard; times are milliseconds since 1970.

    Attributes:
        sent: each `(ply, move)` that any of them sent, with when it was sent first.
        acks: every ack that any of them got, with when it came.
    """

    player_id: str
    sent: dict[tuple[int, str], int] = field(default_factory=dict)
    acks: list[tuple[Ack, int]] = field(default_factory=list)

    def send(self, ply: int, move: str, *, at_ms: int) -> None:
        """Note that a move goes out, perhaps not for the first time."""
        self.sent.setdefault((ply, move), at_ms)

    def hear(self, ack: Ack, *, at_ms: int) -> None:
        """Note that a move is acknowledged, perhaps not for the first time."""
        self.acks.append((ack, at_ms))


@dataclass
class Verdict:
    """What was found.

    Attributes:
        acknowledged: plies that a client was told are on disk.
        lost: of those, the ones that are not there, or not as they were acknowledged.
        twice: actions that are there although no client sent them with this ply.
        wrong: whatever does not hold, each in words.
    """

    acknowledged: int = 0
    lost: int = 0
    twice: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        """Whether nothing was found."""
        return not (self.lost or self.twice or self.wrong)

    def add(self, other: Verdict) -> None:
        """Count another verdict in."""
        self.acknowledged += other.acknowledged
        self.lost += other.lost
        self.twice += other.twice
        self.wrong += other.wrong


def audit(stored: Sequence[Stored], accounts: Iterable[Account] = ()) -> Verdict:
    """Hold accounts against the games of their players, and all games against the rules."""
    verdict = Verdict()
    of = {game.player_id: game for game in stored}
    for account in accounts:
        verdict.add(_settle(of[account.player_id], account))
    for game in stored:
        verdict.wrong += _replay_faults(game)
    for room_id in {game.room_id for game in stored}:
        verdict.wrong += _rank_faults([game for game in stored if game.room_id == room_id])
    return verdict


def _settle(game: Stored, account: Account) -> Verdict:
    """Hold one account against its game."""
    truth = _truth(game)
    told = {ack.ply for ack, _ in account.acks}
    lost = {ack.ply for ack, _ in account.acks if truth.get(ack.ply) != _essence(ack)}
    unsent = [p for p, action in game.log.items() if (p, action.move) not in account.sent]
    return Verdict(
        acknowledged=len(told),
        lost=len(lost),
        twice=len(unsent),
        wrong=[
            *(f"game {game.id}: the ack of ply {ply} is not so" for ply in sorted(lost)),
            *(f"game {game.id}: nobody sent {game.log[ply].move} with ply {ply}" for ply in unsent),
            *_time_faults(game, account),
        ],
    )


def _essence(ack: Ack) -> tuple[object, ...]:
    """What an ack says about its move, and what has to stay so."""
    return (ack.move, ack.elapsed_ms, ack.placed, ack.score, ack.at_ms, ack.hash, ack.state)


def _truth(game: Stored) -> dict[int, tuple[object, ...]]:
    """Give what the ack of each ply has to say, as the engine makes it of the log."""
    truth: dict[int, tuple[object, ...]] = {}
    running = RunningGame(GameCode.parse(game.code), undo=game.undo)
    while (action := game.log.get(running.ply)) is not None:
        ply = running.ply
        try:
            running.follow([action])
        except GameError:
            break  # the replay's fault is told apart from this
        board = running.board
        state = "won" if board.is_won else "racing"
        made = (board.placed, board.score, running.at_ms, board.hash, state)
        truth[ply] = (action.move, action.elapsed_ms, *made)
    return truth


def _time_faults(game: Stored, account: Account) -> list[str]:
    """Find moves whose time is none at which their frame can have arrived."""
    started_ms = to_epoch_ms(game.started_at)
    faults = []
    for ack, heard_ms in account.acks:
        arrived_ms = started_ms + ack.elapsed_ms
        sent_ms = account.sent.get((ack.ply, ack.move), 0)
        if not -CLOCKS_AGREE_WITHIN_MS + sent_ms <= arrived_ms <= heard_ms + CLOCKS_AGREE_WITHIN_MS:
            faults.append(
                f"game {game.id}: ply {ack.ply} is said to have come {arrived_ms - sent_ms} ms "
                f"after it was sent, {heard_ms - arrived_ms} ms before its ack"
            )
    return faults


def _replay_faults(game: Stored) -> list[str]:
    """Find where a game's row is not what its log comes to."""
    if sorted(game.log) != list(range(len(game.log))):
        return [f"game {game.id}: its log has a hole"]
    actions = [game.log[ply] for ply in range(len(game.log))]
    times_ms = [action.elapsed_ms for action in actions]
    if times_ms != sorted(times_ms):
        return [f"game {game.id}: its clock goes back"]
    running = RunningGame(GameCode.parse(game.code), undo=game.undo)
    try:
        running.follow(actions)
    except GameError as error:
        return [f"game {game.id}: ply {running.ply} breaks the rules: {error}"]
    board = running.board
    made = (running.ply, board.placed, board.score, running.at_ms, board.is_won)
    row = (game.ply, game.placed, game.score, game.at_ms, game.state == "won")
    return [] if made == row else [f"game {game.id}: its row says {row}, its log makes {made}"]


def _rank_faults(room: Sequence[Stored]) -> list[str]:
    """Find where a finished room's ranks do not follow from its games."""
    if room[0].room_state != "finished":
        return []
    due = {standing.player.id: standing.rank for standing in rank(game.entry for game in room)}
    return [
        f"game {game.id}: rank {game.rank}, should be {due[game.player_id]}"
        for game in room
        if game.rank != due[game.player_id]
    ]
