"""Leaderboards as tables."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from canfield_race_client.shapes import Leaderboard, LeaderboardInfo
from canfield_race_client.terminal.board import clock

VALUE_SHAPES = {"winnings": "${:,.0f}", "rating": "{:.1f}"}
"""How values are written that are no plain counts; times are written as clocks."""


def leaderboard_table(page: Leaderboard) -> Table:
    """A page of a leaderboard, best first."""
    as_of = f", as of {page.as_of:%Y-%m-%d %H:%M} UTC" if page.as_of else ""
    title = f"{page.board}, {page.period}{as_of}"
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    table.add_column("#", justify="right")
    table.add_column("player")
    table.add_column(page.board, justify="right")
    table.add_column("games", justify="right")
    for row in page.items:
        value = shown_value(page.board, row.value)
        table.add_row(str(row.rank), row.player.shown_name, value, str(row.games))
    return table


def boards_table(boards: Sequence[LeaderboardInfo]) -> Table:
    """The leaderboards that there are."""
    table = Table("board", "", box=None, pad_edge=False)
    for board in boards:
        table.add_row(board.board, board.description or board.title)
    return table


def shown_value(board: str, value: float) -> str:
    """What a leaderboard counts, as people read it.

    >>> [shown_value(*row) for row in (("wins", 1200), ("fastest", 83450), ("rating", 27.04))]
    ['1,200', '01:23.4', '27.0']
    >>> shown_value("winnings", -45)
    '-$45'
    """
    if board == "fastest":
        return clock(int(value))
    sign = "-" if value < 0 else ""
    return sign + VALUE_SHAPES.get(board, "{:,.0f}").format(abs(value))
