"""Who races beside me in a daily: the standings of now, and everybody's ghost at my own time."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from rich.console import Group, RenderableType
from rich.text import Text

from canfield_race_client.errors import CanfieldError
from canfield_race_client.ghosts import Ghosts, around
from canfield_race_client.live import Live
from canfield_race_client.rooms import RoomCalls
from canfield_race_client.shapes import Game
from canfield_race_client.terminal.board import clock
from canfield_race_client.terminal.scoreboard import first_and_mine, side_table
from canfield_race_client.wire import Sleep

SHOWN_STANDINGS = 5
SHOWN_GHOSTS = 5
ASKED_CURVES = 40
REFRESH_S = 30.0

Seconds = Callable[[], float]


class Rivals:
    """What stands beside the board in a daily. `now` counts seconds from wherever it likes."""

    def __init__(self, now: Seconds) -> None:
        self.ghosts = Ghosts()
        self._now = now
        self._game: Game | None = None
        self._game_seen_at = 0.0

    async def keep_fresh(self, room: RoomCalls, sleep: Sleep) -> None:
        """Fetch everybody's progress again and again: those around me change, and some race now."""
        while True:
            # Without new ones those seen last go on; what is wrong, the live socket tells.
            with contextlib.suppress(CanfieldError):
                self.ghosts = Ghosts(await room.curves(around_me=True, limit=ASKED_CURVES))
            await sleep(REFRESH_S)

    def elapsed_ms(self, race: Live) -> int:
        """My race clock now: what the server said last, and the time since then while I race."""
        game = race.game
        if game is None:
            return 0
        if game is not self._game:
            self._game, self._game_seen_at = game, self._now()
        since_s = self._now() - self._game_seen_at if race.is_racing else 0.0
        return game.elapsed_ms + round(since_s * 1000)

    def beside(self, race: Live) -> RenderableType:
        """The best of now and me, and below them the ghosts around me at my time."""
        elapsed_ms = self.elapsed_ms(race)
        me = race.standing
        standings = side_table(first_and_mine(race.standings, me, count=SHOWN_STANDINGS))
        ghosts = self.ghosts.at(elapsed_ms, me=me)
        if me is None or len(ghosts) < 2:
            return standings
        heading = Text(f"\nall at your {clock(elapsed_ms)}", style="dim")
        return Group(standings, heading, side_table(around(ghosts, me.player, count=SHOWN_GHOSTS)))
