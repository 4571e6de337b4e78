from __future__ import annotations

import asyncio
import io
import random

from canfield_race_client.terminal.demo import demo
from canfield_race_client.terminal.output import Output


async def in_a_hurry(seconds: float) -> None:
    await asyncio.sleep(seconds / 6)


async def test_the_demo_ends_with_one_win_and_three_resignations(server_url: str) -> None:
    output = io.StringIO()
    console = Output(file=output, width=120)
    await demo(server_url, console, random.Random(), in_a_hurry)
    final = output.getvalue().splitlines()[-4:]
    assert [row.split()[-1] for row in final] == ["won", "resigned", "resigned", "resigned"]
    assert " 255 " in final[0]
