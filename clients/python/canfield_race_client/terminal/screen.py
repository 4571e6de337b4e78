"""Board and standings side by side: redrawn in place on a terminal, printed elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from canfield_race_client.live import Live
from canfield_race_client.shapes import Standing
from canfield_race_client.terminal.board import draw_board
from canfield_race_client.terminal.output import Output, visible_lines
from canfield_race_client.terminal.scoreboard import (
    first_and_mine,
    side_table,
    standings_line,
    standings_table,
)
from canfield_race_client.terminal.watch import title_of

CLEAR = "\x1b[2J\x1b[H"
SAVE_CURSOR, RESTORE_CURSOR = "\x1b7", "\x1b8"
HOME, CLEAR_REST_OF_LINE = "\x1b[H", "\x1b[K"
PROMPT = "> "
SHOWN_STANDINGS = 10


Beside: TypeAlias = Callable[[Live], RenderableType]


def standings_beside(race: Live) -> RenderableType:
    """The best of a race and me."""
    return side_table(first_and_mine(race.standings, race.standing, count=SHOWN_STANDINGS))


class Screen:
    """What a player of one race looks at; `beside` draws what stands beside the board."""

    def __init__(self, console: Output, *, beside: Beside | None = None) -> None:
        self._console = console
        self._beside = beside or standings_beside
        self._height = 0
        self._last_line = ""

    @property
    def is_interactive(self) -> bool:
        """Whether somebody sits at a terminal."""
        return self._console.is_terminal

    def draw(self, race: Live, message: str = "") -> None:
        """Show everything anew, with something to say, and ask for the next line."""
        if not self.is_interactive:
            if race.game is not None:
                self._console.print(draw_board(race.game), soft_wrap=True)
            self.say(message)
            return
        lines = self._frame(race)
        self._height = len(lines)
        text = "\n".join([CLEAR + title_of(race.room), *lines, visible_lines(message), PROMPT])
        self._write(text)

    def refresh(self, race: Live) -> None:
        """Show what changed, leaving alone what is being typed."""
        if self.is_interactive:
            lines = [title_of(race.room), *self._frame(race)[: self._height]]
            drawn = "\n".join(line + CLEAR_REST_OF_LINE for line in lines)
            self._write(f"{SAVE_CURSOR}{HOME}{drawn}{RESTORE_CURSOR}")
            return
        line = standings_line(_shown_at_once(race))
        if line != self._last_line:
            self.say(line)
            self._last_line = line

    def say(self, text: str) -> None:
        """Say something that is no picture."""
        if text:
            self._console.print(text, soft_wrap=True)

    def finish(self, race: Live) -> None:
        """Show how it stands at the end."""
        if self.is_interactive:
            self._write(CLEAR)
        self._console.print(standings_table(_shown_at_once(race), title=title_of(race.room)))

    def _frame(self, race: Live) -> list[str]:
        """Board and standings as lines, colours included."""
        beside = Table.grid(padding=(0, 4))
        board = draw_board(race.game) if race.game else Text(_waiting_text(race))
        beside.add_row(board, self._beside(race))
        with self._console.capture() as capture:
            self._console.print(beside)
        return capture.get().splitlines()

    def _write(self, text: str) -> None:
        self._console.file.write(text)
        self._console.file.flush()


def _shown_at_once(race: Live) -> list[Standing]:
    """Everybody in a room, and in a daily, where that may be thousands, the best and me."""
    count = SHOWN_STANDINGS if race.room.kind == "daily" else len(race.standings)
    return first_and_mine(race.standings, race.standing, count=count)


def _waiting_text(race: Live) -> str:
    if race.is_over:
        return "over"
    if race.room.start == "ready":
        return "say `ready`; it starts\nwhen everybody is"
    return "say `start`" if race.is_host else "the host will start"
