"""Standings as people read them: a table that stays in place, or a line for each change."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rich.live import Live as RichLive
from rich.table import Table

from canfield_race_client.shapes import Standing
from canfield_race_client.terminal.board import clock
from canfield_race_client.terminal.output import Output

CARDS = 52
BAR_WIDTH = 26
STATE_STYLES = {"won": "bold green", "resigned": "dim", "out_of_time": "dim"}


def standings_table(standings: Sequence[Standing], *, title: str | None = None) -> Table:
    """The standings as a table, best first, with all that they say."""
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    table.add_column("#", justify="right")
    table.add_column("player")
    table.add_column("placed", min_width=BAR_WIDTH)
    for heading in ("", "score", "moves", "time"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for standing in standings:
        table.add_row(
            _rank(standing),
            standing.player.shown_name,
            "█" * (standing.placed * BAR_WIDTH // CARDS),
            str(standing.placed),
            str(standing.score),
            str(standing.actions),
            clock(standing.at_ms),
            standing.state,
            style=STATE_STYLES.get(standing.state),
        )
    return table


def side_table(standings: Sequence[Standing]) -> Table:
    """The standings as a narrow table, to stand beside a board."""
    table = Table(box=None, pad_edge=False)
    table.add_column("#", justify="right")
    table.add_column("player", no_wrap=True)
    table.add_column("placed", justify="right")
    table.add_column("")
    for standing in standings:
        table.add_row(
            _rank(standing),
            standing.player.shown_name,
            str(standing.placed),
            "" if standing.state == "racing" else standing.state,
            style=STATE_STYLES.get(standing.state),
        )
    return table


def first_and_mine(
    standings: Sequence[Standing], mine: Standing | None, *, count: int
) -> list[Standing]:
    """The first so many standings, and mine as well where it is not among them."""
    first = list(standings[:count])
    if mine is None or any(standing.player.id == mine.player.id for standing in first):
        return first
    return [*first, mine]


def standings_line(standings: Sequence[Standing]) -> str:
    """The standings in one line, as far as their order, cards and ends go.

    >>> from canfield_race_client.shapes import Player
    >>> ana = Player(id="p_1", name="Ana")
    >>> standings_line([Standing(player=ana, state="won", placed=52, rank=1)])
    '1. Ana 52 (won)'
    """
    return "  ".join(_in_brief(standing) for standing in standings)


def _in_brief(standing: Standing) -> str:
    end = "" if standing.state == "racing" else f" ({standing.state})"
    return f"{_rank(standing)}. {standing.player.shown_name} {standing.placed}{end}"


def _rank(standing: Standing) -> str:
    return "-" if standing.rank is None else str(standing.rank)


class Scoreboard:
    """Shows standings as they change: in place on a terminal, a line per change elsewhere."""

    def __init__(self, console: Output, *, title: str) -> None:
        self._console = console
        self._title = title
        self._last_line = ""
        self._live = RichLive(console=console, auto_refresh=False) if console.is_terminal else None

    def __enter__(self) -> Self:
        if self._live is None:
            self._console.print(self._title)
        else:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, standings: Sequence[Standing]) -> None:
        """Show the standings of now."""
        if self._live is not None:
            self._live.update(standings_table(standings, title=self._title), refresh=True)
            return
        line = standings_line(standings)
        if line != self._last_line:
            self._console.print(line, soft_wrap=True)
            self._last_line = line

    def note(self, text: str) -> None:
        """Say something beside the standings."""
        self._console.print(text, soft_wrap=True)
