"""Checks finished games without believing the server: deal, moves, results and ranks.

What no check can tell from an export: who a player is, when a game began, and whether another legal
way to the same result was played.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from canfield_race_client.checks import check_deal, check_play
from canfield_race_client.exported import ExportedGame, Flaw, Place, Result, read_game
from canfield_race_client.standings import ranked

SAME_FOR_ALL = (
    "room", "code", "nonce", "commitment", "ruleset", "draw", "undo", "time_limit_s", "players",
)  # fmt: skip
"""What all games of a room have in common."""


@dataclass(frozen=True)
class Report:
    """What was checked, and that it holds.

    Attributes:
        games, moves: how many were replayed.
        ranks_checked: whether all games of the room were there, as ranks take.
    """

    room: str
    code: str
    games: int
    moves: int
    ranks_checked: bool

    def __str__(self) -> str:
        what = f"{_counted(self.games, 'game')} of room {self.room} ({self.code})"
        ranks = "ranks included" if self.ranks_checked else "its rank not checked: that takes all"
        return f"{what}, {_counted(self.moves, 'move')}: everything holds, {ranks}"


@dataclass(frozen=True, slots=True)
class _Line:
    """What is kept of a line until ranks can be checked."""

    place: Place
    result: Result


class Verifier:
    """Checks an export line by line, for who has it coming bit by bit.

    Of the lines before, it keeps only what ranks need.
    """

    def __init__(self) -> None:
        self._moves = 0
        self._first: ExportedGame | None = None
        self._lines: list[_Line] = []
        self._line_numbers: dict[tuple[str, str], int] = {}  # by "game" or "player" and its id

    def add(self, line: bytes | str) -> ExportedGame:
        """Check the next line as far as it can be checked without those after it.

        Raises:
            Flaw: naming the first thing that does not hold.
        """
        number = len(self._lines) + 1
        game = read_game(line, line=number)
        place = Place(line=number, game=game.id, player=game.player)
        if self._first is None:
            self._first = game
        _check_same_room(game, self._first, place)
        self._check_not_twice("game", game.id, place)
        self._check_not_twice("player", game.player.id, place)
        check_play(game, check_deal(game, place), place)
        self._moves += len(game.moves)
        self._lines.append(_Line(place, game.result))
        return game

    def finish(self) -> Report:
        """Check what takes all lines together: that none is missing, and the ranks.

        Raises:
            Flaw: naming the first thing that does not hold.
        """
        first, here = self._first, len(self._lines)
        if first is None:
            raise Flaw("missing", "there is no game in it", Place())
        all_of_them = here if first.players is None else first.players
        if here > all_of_them:
            raise Flaw("other_room", f"the room has {all_of_them} games, here are {here}", Place())
        if 1 < here < all_of_them:
            missing = f"{all_of_them - here} of {all_of_them} games are missing"
            raise Flaw("missing", missing, Place())
        if here < all_of_them < self._lines[0].result.rank:
            claim = f"rank {first.result.rank} is claimed among {all_of_them} games"
            raise Flaw("rank", claim, self._lines[0].place)
        complete = here == all_of_them and (here, first.players) != (1, None)
        if complete:
            self._check_ranks()
        return Report(
            room=first.room,
            code=first.code,
            games=here,
            moves=self._moves,
            ranks_checked=complete,
        )

    def _check_not_twice(self, kind: str, of: str, place: Place) -> None:
        number = len(self._lines) + 1
        earlier = self._line_numbers.setdefault((kind, of), number)
        if earlier != number:
            raise Flaw("twice", f"line {earlier} is of the same {kind}", place)

    def _check_ranks(self) -> None:
        ranks = {s.player.id: s.rank for s in ranked(line.result for line in self._lines)}
        for line in self._lines:
            right = ranks[line.result.player.id]
            if line.result.rank != right:
                claim = f"rank {line.result.rank} is claimed, the results give {right}"
                raise Flaw("rank", claim, line.place)


def verify_export(lines: Iterable[bytes | str]) -> Report:
    """Check an export: one game, or all games of a room, one to a line.

    Raises:
        Flaw: naming the first thing that does not hold.
    """
    verifier = Verifier()
    for line in lines:
        verifier.add(line)
    return verifier.finish()


def _check_same_room(game: ExportedGame, first: ExportedGame, place: Place) -> None:
    for name in SAME_FOR_ALL:
        here, there = getattr(game, name), getattr(first, name)
        if here != there:
            raise Flaw("other_room", f"{name} is {here!a} here and {there!a} in line 1", place)


def _counted(count: int, what: str) -> str:
    """So many of something.

    >>> _counted(1, "game"), _counted(2000, "move")
    ('1 game', '2,000 moves')
    """
    return f"{count:,} {what}{'' if count == 1 else 's'}"
