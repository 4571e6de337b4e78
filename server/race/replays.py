"""Finished games, complete for a replay, and progress over time."""

from msgspec import Struct

from server.game import GameCode
from server.race.instants import Instant
from server.race.player import Player
from server.race.plays import Action
from server.race.running import RunningGame
from server.race.settings import RulesetName
from server.race.standings import Standing


class GameSummary(Struct, frozen=True):
    """A game of a finished room."""

    id: str
    room: str
    player: Player
    result: Standing


class Replay(Struct, frozen=True, kw_only=True):
    """A finished game, complete for a replay: code and moves make everything else.

    Attributes:
        nonce, commitment: `commitment` is the SHA-256 hex of `<code>:<nonce>`.
        started_at: when the player's race clock began.
        times_ms: the race clock at each move.
    """

    id: str
    room: str
    player: Player
    code: str
    nonce: str
    commitment: str
    ruleset: RulesetName
    draw: int
    started_at: Instant
    moves: list[str]
    times_ms: list[int]
    result: Standing


class Curve(Struct, frozen=True):
    """A player's progress: `[elapsed_ms, placed]` at the start and wherever `placed` changed."""

    player: Player
    points: list[tuple[int, int]]


def trace(code: GameCode, actions: list[Action]) -> list[tuple[int, int]]:
    """Give a game's progress as `[elapsed_ms, placed]`, from the deal on."""
    game = RunningGame(code, undo=True)
    points = [(0, game.board.placed)]
    for action in actions:
        game.follow([action])
        if game.board.placed != points[-1][1]:
            points.append((game.elapsed_ms, game.board.placed))
    return points
