"""Answering a move again that was played already, by replaying the log up to it."""

import asyncio

from server.game import Board, GameError, IllegalMove, Tap
from server.live.messages import Ack
from server.live.own_game import Terms, acknowledge
from server.race.plays import Action
from server.race.running import RunningGame
from server.race.states import PlayerState

SLICE = 200  # actions replayed before others get their turn


class PlyConflict(GameError):
    """Another move stands at this ply."""

    code = "ply_conflict"


async def replay(terms: Terms, actions: list[Action]) -> RunningGame:
    """Give the game that logged actions make."""
    game = terms.new_game()
    for start in range(0, len(actions), SLICE):
        game.follow(actions[start : start + SLICE])
        await asyncio.sleep(0)
    return game


async def acknowledge_again(terms: Terms, actions: list[Action], *, ply: int, text: str) -> Ack:
    """Give the ack of action number `ply` again, if `text` means the same there.

    Raises:
        BadMove: the text cannot be read.
        PlyConflict: it means another move.
    """
    game = await replay(terms, actions[:ply])
    there = actions[ply]
    if _meaning(game.board, text) != there.move:
        raise PlyConflict("another move stands there; send sync, and go on from next_ply")
    return _acknowledge_next(terms, game, there)


async def acknowledge_on(terms: Terms, actions: list[Action], *, ply: int) -> list[Ack]:
    """Give the acks of every action from number `ply` on."""
    game = await replay(terms, actions[:ply])
    return [_acknowledge_next(terms, game, action) for action in actions[ply:]]


def _acknowledge_next(terms: Terms, game: RunningGame, action: Action) -> Ack:
    played = game.play(Board.parse_move(action.move), elapsed_ms=action.elapsed_ms)
    state: PlayerState = "won" if game.board.is_won else "racing"
    return acknowledge(game, terms, played, state=state)


def _meaning(board: Board, text: str) -> str | None:
    """Give the move that a text stands for; None for a tap that goes nowhere."""
    asked = Board.parse_move(text)
    if not isinstance(asked, Tap):
        return asked.text
    try:
        return board.tap(asked).text
    except IllegalMove:
        return None
