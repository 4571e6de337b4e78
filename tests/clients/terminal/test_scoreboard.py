from __future__ import annotations

import io

from canfield_race_client.standings import ranked
from canfield_race_client.terminal.output import Output
from canfield_race_client.terminal.scoreboard import (
    Scoreboard,
    first_and_mine,
    standings_line,
    standings_table,
)

from tests.clients.builders import ANA, BO, CY, a_standing


def a_console(*, terminal: bool) -> tuple[Output, io.StringIO]:
    output = io.StringIO()
    return Output(file=output, force_terminal=terminal, width=100), output


def test_ties_show_the_same_rank() -> None:
    tied = ranked([a_standing(ANA, placed=3), a_standing(BO, placed=3)])
    assert standings_line(tied) == "1. Ana 3  1. Bo 3"


def test_elsewhere_than_on_a_terminal_there_is_a_line_for_each_change() -> None:
    console, output = a_console(terminal=False)
    with Scoreboard(console, title="Friday") as scoreboard:
        scoreboard.show(ranked([a_standing(placed=1)]))
        scoreboard.show(ranked([a_standing(placed=1, actions=5)]))
        scoreboard.show(ranked([a_standing(placed=2, state="won")]))
    assert output.getvalue().splitlines() == ["Friday", "1. Ana 1", "1. Ana 2 (won)"]


def test_on_a_terminal_the_table_stays_in_place() -> None:
    console, output = a_console(terminal=True)
    with Scoreboard(console, title="Friday") as scoreboard:
        scoreboard.show(ranked([a_standing(placed=1)]))
        scoreboard.show(ranked([a_standing(placed=2)]))
    assert "\x1b[1A" in output.getvalue()


def test_the_table_has_a_row_for_everybody_best_first() -> None:
    console, output = a_console(terminal=False)
    console.print(standings_table(ranked([a_standing(ANA, placed=3), a_standing(BO, placed=9)])))
    rows = output.getvalue().splitlines()
    assert [row.split()[:2] for row in rows[1:]] == [["1", "Bo"], ["2", "Ana"]]


def test_i_am_shown_after_the_first_where_i_am_not_among_them() -> None:
    standings = ranked([a_standing(ANA, placed=9), a_standing(BO, placed=3)])
    me = a_standing(CY, placed=1, rank=4711)
    assert first_and_mine(standings, me, count=2) == [*standings, me]
    assert first_and_mine(standings, standings[0], count=2) == standings
    assert first_and_mine(standings, None, count=1) == standings[:1]
    assert standings_line([me]) == "4711. Cy 1"


def test_a_rank_that_nobody_knows_is_no_number() -> None:
    assert standings_line([a_standing(ANA, placed=9)]) == "-. Ana 9"
