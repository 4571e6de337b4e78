"""Finished games, complete for a replay, and progress over time."""

from collections.abc import Iterable

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
        players: how many games the room has.
        nonce, commitment: `commitment` is the SHA-256 hex of `<code>:<nonce>`.
        undo: false where it was switched off; true leaves it as the ruleset has it.
        time_limit_s: what the player's race clock had at most.
        started_at: when the player's race clock began.
        ended_at: when the game ended, by that clock.
        times_ms: the race clock at each move.
    """

    id: str
    room: str
    players: int
    player: Player
    code: str
    nonce: str
    commitment: str
    ruleset: RulesetName
    draw: int
    undo: bool
    time_limit_s: int
    started_at: Instant
    ended_at: Instant
    moves: list[str]
    times_ms: list[int]
    result: Standing


Point = tuple[int, int]
"""A moment of a game: the race clock in milliseconds, and the cards placed then."""


class Curve(Struct, frozen=True):
    """A player's progress: `[elapsed_ms, placed]` at the start and wherever `placed` changed."""

    player: Player
    points: list[Point]


def progress(dealt: int, steps: Iterable[Point]) -> list[Point]:
    """Give a game's progress, from what is placed by the deal and after each action.

    >>> progress(1, [(900, 1), (1500, 2), (2000, 2)])
    [(0, 1), (1500, 2)]
    """
    points = [(0, dealt)]
    for elapsed_ms, placed in steps:
        if placed != points[-1][1]:
            points.append((elapsed_ms, placed))
    return points


def trace(code: GameCode, actions: Iterable[Action]) -> list[Point]:
    """Give a game's progress by playing it again."""
    game = RunningGame(code, undo=True)

    def steps() -> Iterable[Point]:
        for action in actions:
            game.follow([action])
            yield game.elapsed_ms, game.board.placed

    return progress(game.board.placed, steps())
