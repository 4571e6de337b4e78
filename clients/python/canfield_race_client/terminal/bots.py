"""Bots for company and load, each a player of its own."""

from __future__ import annotations

import asyncio
import contextlib
import random
import string
from collections.abc import AsyncIterator
from dataclasses import dataclass

from canfield_race_client.bot import Bot
from canfield_race_client.client import Client
from canfield_race_client.live import Live
from canfield_race_client.racers import race_bot
from canfield_race_client.rooms import RoomCalls
from canfield_race_client.standings import ranking_key
from canfield_race_client.terminal.output import Output
from canfield_race_client.terminal.scoreboard import standings_table
from canfield_race_client.terminal.together import together, while_running
from canfield_race_client.terminal.watch import title_of, watch

NAMES = ("Alder", "Birch", "Cedar", "Elm", "Hazel", "Linden", "Maple", "Rowan", "Willow", "Yew")


@dataclass(frozen=True)
class Company:
    """How many bots are wanted, and how they play; `moves_per_s` is for each of them."""

    count: int
    moves_per_s: float
    chance: random.Random


def bot_names(count: int, chance: random.Random) -> list[str]:
    """Names that hardly clash with those of earlier runs: a tree and five random letters."""
    return [
        f"{NAMES[number % len(NAMES)]}-{''.join(chance.choices(string.ascii_lowercase, k=5))}"
        for number in range(count)
    ]


@contextlib.asynccontextmanager
async def registered_bots(url: str, names: list[str]) -> AsyncIterator[list[Client]]:
    """Clients of new players that are bots."""
    async with contextlib.AsyncExitStack() as stack:
        clients = []
        for name in names:
            bot = await Client.register(url, name, kind="bot")
            clients.append(await stack.enter_async_context(Client(url, bot.token)))
        yield clients


async def run_bots(url: str, room_id: str | None, company: Company, console: Output) -> None:
    """Race with bots in a room, or in a new one that the first of them opens and starts."""
    names = bot_names(company.count, company.chance)
    async with registered_bots(url, names) as clients:
        rooms = await _seated(clients, room_id)
        async with contextlib.AsyncExitStack() as stack:
            races = [await stack.enter_async_context(room.live()) for room in rooms]
            watched = await stack.enter_async_context(rooms[0].live(watch=True))
            console.print(title_of(watched.room))
            if room_id is None:
                await rooms[0].start()
            elif watched.room.start == "ready":
                for race in races:
                    await race.ready()
            await together(watch(watched, console), *(_race(race, company) for race in races))


async def run_daily_bots(url: str, company: Company, console: Output) -> None:
    """Let bots play the daily of today, until each of them is done."""
    async with registered_bots(url, bot_names(company.count, company.chance)) as clients:
        rooms = [await client.join_daily() for client in clients]
        async with contextlib.AsyncExitStack() as stack:
            races = [await stack.enter_async_context(room.live()) for room in rooms]
            watched = await stack.enter_async_context(rooms[0].live(watch=True))
            racing = together(*(_race(race, company) for race in races))
            await while_running(racing, watch(watched, console))
            standings = [race.standing for race in races if race.standing is not None]
        standings.sort(key=ranking_key)
        console.print(standings_table(standings, title=title_of(watched.room)))


async def _seated(clients: list[Client], room_id: str | None) -> list[RoomCalls]:
    """Everybody in one room."""
    if room_id is None:
        opened = await clients[0].create_room(
            seats=max(2, len(clients)), countdown_s=1, title="Bots"
        )
        room_id = opened.id
    rooms = [client.room(room_id) for client in clients]
    for room in rooms:
        await room.join()
    return rooms


async def _race(race: Live, company: Company) -> None:
    bot = Bot(random.Random(company.chance.random()))  # noqa: S311 — a game, no secret
    await race_bot(race, bot, moves_per_s=company.moves_per_s, sleep=asyncio.sleep)
