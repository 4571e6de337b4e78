"""A player's own game as its player is shown it."""

from typing import Any

from msgspec import UNSET, Struct

from server.game import Played, Undo
from server.live.messages import Ack, GameView
from server.race.instants import from_epoch_ms, instant
from server.race.running import RunningGame
from server.race.states import PlayerState

UNDO = Undo().text


class Window(Struct, frozen=True):
    """Where and when a game is played, in milliseconds since 1970."""

    room_id: str
    started_ms: int
    ends_ms: int


def show(
    game: RunningGame, window: Window, *, state: PlayerState, elapsed_ms: int
) -> dict[str, Any]:
    """Give the fields of `GameView`: what the player may see, and no more."""
    board = game.board
    racing = state == "racing"
    return {
        "room": window.room_id,
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
        "legal_moves": list(board.legal_moves.texts()) if racing else [],
        "undo_left": board.undo_left if racing else 0,
        "score": board.score,
        "placed": board.placed,
        "at_ms": game.at_ms,
        "elapsed_ms": elapsed_ms,
        "started_at": instant(from_epoch_ms(window.started_ms)),
        "ends_at": instant(from_epoch_ms(window.ends_ms)),
    }


def acknowledge(game: RunningGame, window: Window, played: Played, *, state: PlayerState) -> Ack:
    """Give the ack of the game's last action; after an undo it carries the whole view."""
    board = game.board
    if played.move == UNDO:
        view = GameView(**show(game, window, state=state, elapsed_ms=game.elapsed_ms))
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
        game=view if played.move == UNDO else UNSET,
    )
