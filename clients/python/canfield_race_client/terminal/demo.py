"""The demonstration: four bots race the well-known deal, one of them to a win."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Coroutine

from canfield_race_client.bot import Bot
from canfield_race_client.live import Live
from canfield_race_client.racers import example_win, race_bot, race_line
from canfield_race_client.terminal.bots import bot_names, registered_bots
from canfield_race_client.terminal.output import Output
from canfield_race_client.terminal.together import together
from canfield_race_client.terminal.watch import watch
from canfield_race_client.wire import Sleep

CODE = "CF1-D3-AAAAACL"
TIME_LIMIT_S = 60
WINNER_MOVES_PER_S = 9.0
RIVAL_MOVES_PER_S = 5.5
QUITTER_MOVES_PER_S = 6.0
THINKER_MOVES_PER_S = 3.0
RIVAL_KNOWS_MOVES = 80
QUITTER_KNOWS_MOVES = 50


async def demo(url: str, console: Output, chance: random.Random, sleep: Sleep) -> None:
    """Race four bots in one new room and show it; takes about twenty seconds.

    One knows the line that wins, one its first half, one gives up on the way, and one knows
    nothing and thinks.
    """
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
            await rooms[0].start()
            await together(watch(watched, console), *_racers(races, chance, sleep))


def _racers(
    races: list[Live], chance: random.Random, sleep: Sleep
) -> list[Coroutine[object, object, None]]:
    winner, rival, quitter, thinker = races
    line = example_win()
    return [
        race_line(winner, line, moves_per_s=WINNER_MOVES_PER_S, sleep=sleep),
        _rival(rival, line[:RIVAL_KNOWS_MOVES], chance, sleep),
        _quitter(quitter, line[:QUITTER_KNOWS_MOVES], sleep),
        _think(thinker, THINKER_MOVES_PER_S, chance, sleep),
    ]


async def _rival(race: Live, line: list[str], chance: random.Random, sleep: Sleep) -> None:
    await race_line(race, line, moves_per_s=RIVAL_MOVES_PER_S, sleep=sleep)
    await _think(race, RIVAL_MOVES_PER_S, chance, sleep)


async def _quitter(race: Live, line: list[str], sleep: Sleep) -> None:
    await race_line(race, line, moves_per_s=QUITTER_MOVES_PER_S, sleep=sleep)
    await race.resign()


async def _think(race: Live, moves_per_s: float, chance: random.Random, sleep: Sleep) -> None:
    """Race until the bot is stuck or somebody has won."""
    await race_bot(
        race,
        Bot(random.Random(chance.random())),  # noqa: S311 — a game, no secret
        moves_per_s=moves_per_s,
        sleep=sleep,
        until=lambda: any(standing.state == "won" for standing in race.standings),
    )
