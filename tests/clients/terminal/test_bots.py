from __future__ import annotations

import io
import random
import re

from canfield_race_client.terminal.bots import Company, bot_names, run_daily_bots
from canfield_race_client.terminal.output import Output


def test_names_are_valid_different_and_hardly_ever_taken_already() -> None:
    names = bot_names(100, random.Random(1))
    assert len(set(names)) == 100
    assert all(re.fullmatch(r"[A-Za-z_-]{2,20}", name) for name in names)
    assert not set(names) & set(bot_names(100, random.Random(2)))


async def test_bots_play_the_daily_of_today_and_their_ranks_are_told(server_url: str) -> None:
    output = io.StringIO()
    company = Company(count=2, moves_per_s=20.0, chance=random.Random(3))
    await run_daily_bots(server_url, company, Output(file=output, width=100))
    rows = output.getvalue().splitlines()[-2:]
    names = {row.split()[1] for row in rows}
    assert names == set(bot_names(2, random.Random(3)))
    assert all(row.split()[-1] in {"won", "resigned"} for row in rows)
