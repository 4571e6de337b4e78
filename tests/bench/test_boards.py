"""The benchmark of leaderboards, on few games: it runs to its end, and its pages are right."""

import asyncio
import os
import re
import sys

from server.race.boards import BOARDS

PATIENCE_S = 110


async def test_boards_of_few_games_are_measured_and_equal_to_ranking_them() -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench", "boards"),
        env=os.environ | {"BENCH_GAMES": "1000", "BENCH_TRIES": "2", "COLUMNS": "120"},
        stdout=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(PATIENCE_S):
        said, _ = await process.communicate()

    assert process.returncode == 0
    told = re.search(r"(\d+) pages equal to RANK\(\)", " ".join(said.decode().split()))
    assert told is not None
    assert int(told[1]) >= len(BOARDS) * 3
    assert all(board in said.decode() for board in BOARDS)
