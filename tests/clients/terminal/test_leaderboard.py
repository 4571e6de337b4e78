from __future__ import annotations

import io
from datetime import UTC, datetime

import pytest
from canfield_race_client.shapes import Leaderboard, LeaderboardInfo, LeaderboardRow
from canfield_race_client.terminal.leaderboard import boards_table, leaderboard_table, shown_value
from canfield_race_client.terminal.output import Output
from rich.console import RenderableType

from tests.clients.builders import ANA, BO


def printed(table: RenderableType) -> list[str]:
    output = io.StringIO()
    Output(file=output, width=100).print(table)
    return [line.rstrip() for line in output.getvalue().splitlines()]


def test_a_page_says_what_it_is_of_and_ties_share_a_rank() -> None:
    rows = [LeaderboardRow(rank=4, player=player, value=7, games=9) for player in (ANA, BO)]
    noon = datetime(2026, 11, 30, 12, tzinfo=UTC)
    page = Leaderboard(board="wins", period="week", as_of=noon, items=rows)
    lines = printed(leaderboard_table(page))
    assert lines[0] == "wins, week, as of 2026-11-30 12:00 UTC"
    assert [line.split() for line in lines[2:]] == [["4", "Ana", "7", "9"], ["4", "Bo", "7", "9"]]


@pytest.mark.parametrize(
    ("board", "value", "shown"),
    [
        ("wins", 12, "12"),
        ("placed", 123456, "123,456"),
        ("fastest", 83450, "01:23.4"),
        ("winnings", 1205, "$1,205"),
        ("winnings", -45, "-$45"),
        ("rating", 27.04, "27.0"),
        ("new here", 3.0, "3"),
    ],
)
def test_values_are_written_as_what_they_are(board: str, value: float, shown: str) -> None:
    assert shown_value(board, value) == shown


def test_the_boards_are_listed_with_what_they_count() -> None:
    boards = [LeaderboardInfo(board="wins", description="games won"), LeaderboardInfo(board="x")]
    assert [line.split(maxsplit=1) for line in printed(boards_table(boards))[1:]] == [
        ["wins", "games won"], ["x"],
    ]  # fmt: skip
