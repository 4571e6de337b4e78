from __future__ import annotations

import asyncio
import random
import re
import sys
from pathlib import Path

from canfield_race_client.terminal.bots import bot_names, registered_bots

from tests.clients.table import seated

README = Path(__file__).parents[2] / "clients" / "python" / "README.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", README.read_text(), flags=re.DOTALL)
LOCAL = "http://127.0.0.1:8000"


async def run_example(number: int, server_url: str, *arguments: str) -> str:
    """What an example prints, as a program of its own on another server."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "error", "-c", EXAMPLES[number].replace(LOCAL, server_url)),
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    printed, complaints = await process.communicate()
    assert process.returncode == 0, complaints.decode()
    return printed.decode()


async def test_the_first_race_of_the_readme_runs(server_url: str) -> None:
    assert "['8H']" in await run_example(0, server_url)


async def test_the_daily_of_the_readme_is_played_beside_ghosts(server_url: str) -> None:
    async with registered_bots(server_url, bot_names(1, random.SystemRandom())) as [rival]:
        await rival.join_daily()
    *stood, week = (await run_example(1, server_url)).splitlines()
    assert len(stood) > 1
    assert any(" Bo-" in line for line in stood)
    assert week.startswith("20")


async def test_the_check_of_the_readme_says_that_a_room_holds(server_url: str) -> None:
    async with seated(server_url, players=2) as [room, other]:
        await room.start()
        await room.moves(0, ["12", "u"])
        for one in (room, other):
            await one.resign()
        told = await run_example(2, server_url, room.id)
    assert told.startswith(f"2 games of room {room.id} ")


async def test_the_bot_of_the_readme_plays_all_its_moves(server_url: str) -> None:
    async with seated(server_url, players=1, seats=2) as [room]:
        bot = asyncio.create_task(run_example(3, server_url, room.id))
        async with room.live() as race:
            await race.until(lambda: len(race.standings) == 2)
            await race.start()
            await race.until(lambda: race.game is not None)
            await bot
            assert [(s.state, s.actions) for s in race.standings if s.actions] == [
                ("resigned", 200)
            ]
