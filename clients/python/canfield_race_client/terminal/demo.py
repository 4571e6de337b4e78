"""The demonstration: four bots race the well-known deal, one of them to a win."""

from __future__ import annotations

import asyncio
import contextlib
import random

from rich.console import Console

from canfield_race_client.bot import Bot
from canfield_race_client.live import Live
from canfield_race_client.racers import example_win, race_bot, race_line
from canfield_race_client.rooms import RoomCalls
from canfield_race_client.terminal.bots import bot_names, registered_bots
from canfield_race_client.terminal.together import together
from canfield_race_client.terminal.watch import watch

CODE = "CF1-D3-AAAAACL"
WINNER_MOVES_PER_S = 9.0
QUITTER_MOVES_PER_S = 3.0
STEADY_MOVES_PER_S = 4.0
HASTY_MOVES_PER_S = 6.0
QUITS_AFTER_MS = 8_000
TIME_LIMIT_S = 60


async def demo(url: str, console: Console, chance: random.Random) -> None:
    """Race four bots in one new room and show it; takes about twenty seconds."""
    async with registered_bots(url, bot_names(4, chance)) as clients:
        opened = await clients[0].create_room(
            code=CODE, seats=4, time_limit_s=TIME_LIMIT_S, countdown_s=1, title="Demo"
        )
        rooms = [client.room(opened.id) for client in clients]
        for room in rooms:
            await room.join()
        async with contextlib.AsyncExitStack() as stack:
            watched = await stack.enter_async_context(rooms[0].live(watch=True))
            races = [await stack.enter_async_context(room.live()) for room in rooms]
            await _race(watched, races, rooms[0], console, chance)


async def _race(
    watched: Live, races: list[Live], host: RoomCalls, console: Console, chance: random.Random
) -> None:
    winner, quitter, steady, hasty = races
    await host.start()
    line = example_win()
    await together(
        watch(watched, console),
        race_line(winner, line, moves_per_s=WINNER_MOVES_PER_S, sleep=asyncio.sleep),
        _think(quitter, chance, QUITTER_MOVES_PER_S, quits_after_ms=QUITS_AFTER_MS),
        _think(steady, chance, STEADY_MOVES_PER_S),
        _think(hasty, chance, HASTY_MOVES_PER_S),
    )


async def _think(
    race: Live, chance: random.Random, moves_per_s: float, *, quits_after_ms: int | None = None
) -> None:
    """Race until the bot is stuck, somebody has won, or it has had enough."""

    def is_decided() -> bool:
        elapsed_ms = race.game.elapsed_ms if race.game else 0
        tired = quits_after_ms is not None and elapsed_ms >= quits_after_ms
        return tired or any(standing.state == "won" for standing in race.standings)

    bot = Bot(random.Random(chance.random()))  # noqa: S311 — a game, no secret
    await race_bot(race, bot, moves_per_s=moves_per_s, sleep=asyncio.sleep, until=is_decided)
