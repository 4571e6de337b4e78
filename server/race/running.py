"""A game on its race clock: the board, how many actions, and when `placed` last changed."""

from collections.abc import Iterable

from server.game import Action as Asked
from server.game import Board, GameCode, Played
from server.race.plays import Action


class RunningGame:
    """One player's game as its code and its actions make it.

    Attributes:
        board: the position after the last action.
        ply: how many actions there were.
        elapsed_ms: the time of the last action, which never goes back; 0 before the first.
        at_ms: the time of the last action that changed `placed`; 0 if none did.

    `undo` false switches it off; true leaves it as the ruleset has it.
    """

    __slots__ = ("at_ms", "board", "elapsed_ms", "ply")

    def __init__(self, code: GameCode, *, undo: bool) -> None:
        self.board = Board.deal(code, undo=None if undo else False)
        self.ply = 0
        self.elapsed_ms = 0
        self.at_ms = 0

    def play(self, asked: Asked, *, elapsed_ms: int) -> Played:
        """Do what a player asked for.

        Raises:
            IllegalMove, UndoOff, NothingToUndo: and changes nothing.
        """
        board = self.board
        placed = board.placed
        played = board.play(asked)
        self.ply += 1
        self.elapsed_ms = max(elapsed_ms, self.elapsed_ms)
        if board.placed != placed:
            self.at_ms = self.elapsed_ms
        return played

    def follow(self, actions: Iterable[Action]) -> None:
        """Play logged actions, which were checked when they were made."""
        for action in actions:
            self.play(Board.parse_move(action.move), elapsed_ms=action.elapsed_ms)
