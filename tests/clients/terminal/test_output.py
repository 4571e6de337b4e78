from __future__ import annotations

import asyncio
import io
import re
import shlex
import sys
from pathlib import Path

import pytest
from canfield_race_client.terminal.output import Output, visible, visible_lines
from rich.table import Table
from rich.text import Text

CANFIELD = Path(sys.executable).with_name("canfield")


async def test_a_reader_that_goes_away_ends_the_command_without_a_word(server_url: str) -> None:
    command = shlex.join([str(CANFIELD), "demo", "--url", server_url])
    process = await asyncio.create_subprocess_shell(
        f"{command} | head -n 1",
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    printed, complaints = await process.communicate()
    assert printed.decode().startswith("Demo (")
    assert complaints == b""


STRANGE = "a[/]b [red]c[/red] [link=http://x.example]d[/link] :smile: \x1b[2J\x1b]0;e\x07\x9b1m\r"
SHOWN = "a[/]b [red]c[/red] [link=http://x.example]d[/link] :smile: �[2J�]0;"


@pytest.mark.parametrize("terminal", [True, False])
def test_what_strangers_write_is_shown_as_written_and_never_obeyed(*, terminal: bool) -> None:
    written = io.StringIO()
    console = Output(file=written, force_terminal=terminal, width=200, color_system=None)
    table = Table("heading", title=STRANGE, title_justify="left", box=None, pad_edge=False)
    table.add_row(STRANGE)
    console.print(STRANGE, Text(STRANGE), sep="\n")
    console.print(table)
    assert set("\x1b\x07\x9b\r").isdisjoint(re.sub(r"\x1b\[[0-9;]*m", "", written.getvalue()))
    assert written.getvalue().count(SHOWN) == 4


def test_colours_of_our_own_still_reach_a_terminal() -> None:
    written = io.StringIO()
    Output(file=written, force_terminal=True, color_system="standard").print(Text("7H", "red"))
    assert written.getvalue() == "\x1b[31m7H\x1b[0m\n"


def test_only_what_may_have_several_lines_keeps_them() -> None:
    assert visible("Fri\nday\u202e\ud800") == "Fri�day��"
    assert visible_lines("legal:\nd \x1b") == "legal:\nd �"
