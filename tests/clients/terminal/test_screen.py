from __future__ import annotations

import io

from canfield_race_client.terminal.output import Output
from canfield_race_client.terminal.screen import RESTORE_CURSOR, SAVE_CURSOR, Screen

from tests.clients.table import racing


def a_screen(*, terminal: bool) -> tuple[Screen, io.StringIO]:
    output = io.StringIO()
    console = Output(file=output, force_terminal=terminal, width=80, color_system=None)
    return Screen(console), output


async def test_on_a_terminal_board_and_standings_stand_side_by_side(server_url: str) -> None:
    screen, output = a_screen(terminal=True)
    async with racing(server_url) as [race]:
        screen.draw(race, "go!")
        assert race.me is not None
        first_row = output.getvalue().splitlines()[2]
        assert first_row.startswith("reserve JD (13)   base 7")
        assert race.me.name in first_row
        assert output.getvalue().endswith("go!\n> ")


async def test_what_others_do_is_drawn_without_touching_what_is_typed(server_url: str) -> None:
    screen, output = a_screen(terminal=True)
    async with racing(server_url) as [race]:
        screen.draw(race)
        output.truncate(0)
        screen.refresh(race)
        drawn = output.getvalue().lstrip("\0")
        assert drawn.startswith(SAVE_CURSOR)
        assert drawn.endswith(RESTORE_CURSOR)


async def test_in_a_pipe_only_changes_are_told(server_url: str) -> None:
    screen, output = a_screen(terminal=False)
    async with racing(server_url) as [race]:
        screen.refresh(race)
        screen.refresh(race)
        assert len(output.getvalue().splitlines()) == 1
        screen.draw(race, "go!")
        assert "\x1b" not in output.getvalue()
        assert output.getvalue().endswith("go!\n")
