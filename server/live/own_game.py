"""A player's own game as its player is shown it."""

from typing import Any, Self

from msgspec import UNSET, Struct, UnsetType

from server.game import GameCode, Played, Undo
from server.live.messages import Ack, GameView
from server.race.instants import from_epoch_ms, instant, to_epoch_ms
from server.race.plays import Play
from server.race.room import Room
from server.race.running import RunningGame
from server.race.seat import Seat
from server.race.states import PlayerState

UNDO = Undo().text


class Terms(Struct, frozen=True):
    """What a game is played by.

    Attributes:
        code: the deal.
        undo: false where it is switched off.
        started_ms, ends_ms: when moves count, in milliseconds since 1970.
    """

    room_id: str
    code: GameCode
    undo: bool
    started_ms: int
    ends_ms: int

    @classmethod
    def of(cls, room: Room, seat: Seat) -> Self:
        """Give the terms of a game in a room that has started; raises `ValueError` for others."""
        started_at, ends_at = seat.started_at or room.started_at, seat.ends_at or room.ends_at
        if started_at is None or ends_at is None:
            raise ValueError("a room that has not started has no games")
        return cls(
            room_id=room.id,
            code=room.deal.code,
            undo=room.settings.undo,
            started_ms=to_epoch_ms(started_at),
            ends_ms=to_epoch_ms(ends_at),
        )

    def new_game(self) -> RunningGame:
        """Give the game as it is dealt."""
        return RunningGame(self.code, undo=self.undo)


def show(game: RunningGame, terms: Terms, *, state: PlayerState, elapsed_ms: int) -> dict[str, Any]:
    """Give the fields of `GameView`: what the player may see, and no more."""
    board = game.board
    racing = state == "racing"
    return {
        "room": terms.room_id,
        "state": state,
        "ply": game.ply,
        "base": board.base,
        "stock_count": board.stock_count,
        "waste": board.waste,
        "reserve_count": board.reserve_count,
        "reserve_top": board.reserve_top,
        "columns": board.columns,
        "foundations": board.foundations,
        "position": board.position,
        "hash": board.hash,
        "legal_moves": board.legal_moves.texts() if racing else [],
        "undo_left": board.undo_left if racing else 0,
        "score": board.score,
        "placed": board.placed,
        "at_ms": game.at_ms,
        "elapsed_ms": elapsed_ms,
        "started_at": instant(from_epoch_ms(terms.started_ms)),
        "ends_at": instant(from_epoch_ms(terms.ends_ms)),
    }


def acknowledge(game: RunningGame, terms: Terms, played: Played, *, state: PlayerState) -> Ack:
    """Give the ack of the game's last action; after an undo it carries the whole view."""
    board = game.board
    view: GameView | UnsetType = UNSET
    if played.move == UNDO:
        view = GameView(**show(game, terms, state=state, elapsed_ms=game.elapsed_ms))
    return Ack(
        ply=game.ply - 1,
        move=played.move,
        revealed=played.revealed,
        score=board.score,
        placed=board.placed,
        at_ms=game.at_ms,
        elapsed_ms=game.elapsed_ms,
        hash=board.hash,
        state=state,
        game=view,
    )


def as_play(game: RunningGame, *, game_id: str, move: str, state: PlayerState) -> Play:
    """Give the game's last action as it is to be written."""
    board = game.board
    return Play(
        game_id=game_id,
        ply=game.ply - 1,
        move=move,
        elapsed_ms=game.elapsed_ms,
        placed=board.placed,
        score=board.score,
        at_ms=game.at_ms,
        state=state,
    )
