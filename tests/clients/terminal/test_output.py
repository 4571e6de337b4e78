from __future__ import annotations

import asyncio
import shlex
import sys
from pathlib import Path

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
