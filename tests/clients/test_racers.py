from __future__ import annotations

import asyncio
import random

import pytest
from canfield_race_client.bot import Bot
from canfield_race_client.errors import IllegalMove
from canfield_race_client.racers import example_win, race_bot, race_line

from tests.clients.table import racing, seated


async def no_wait(_: float) -> None:
    await asyncio.sleep(0)


def test_the_example_wins_as_the_package_says() -> None:
    assert example_win()[:3] == ["12", "rf", "24x2"]


async def test_a_bot_races_until_it_is_stuck_and_resigns(server_url: str) -> None:
    async with racing(server_url) as [race]:
        await race_bot(race, Bot(random.Random(1)), moves_per_s=1.0, sleep=no_wait)
        await race.until(lambda: race.is_over)
        assert race.standings[0].state == "resigned"
        assert race.standings[0].actions > 10


async def test_a_bot_stops_when_it_is_told_to(server_url: str) -> None:
    async with racing(server_url) as [race]:
        await race_bot(
            race,
            Bot(random.Random(1)),
            moves_per_s=1.0,
            sleep=no_wait,
            until=lambda: race.standings[0].actions >= 3,
        )
        assert race.standings[0].actions == 3
        assert not race.is_racing


async def test_a_bot_in_a_room_that_never_starts_just_ends(server_url: str) -> None:
    async with seated(server_url, players=1) as [room], room.live() as race:
        bot = asyncio.create_task(
            race_bot(race, Bot(random.Random(1)), moves_per_s=1.0, sleep=no_wait)
        )
        await room.cancel()
        await bot
        assert race.room.state == "cancelled"


async def test_a_line_that_does_not_fit_the_deal_is_told(server_url: str) -> None:
    async with racing(server_url) as [race]:
        with pytest.raises(IllegalMove):
            await race_line(race, ["12", "13", "d"], moves_per_s=1.0, sleep=no_wait)
