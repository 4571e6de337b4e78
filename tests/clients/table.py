"""Players around one race on a real server."""

from __future__ import annotations

import contextlib
import random
from collections.abc import AsyncIterator
from typing import Unpack

from canfield_race_client import Live, RoomCalls
from canfield_race_client.client import RoomWishes
from canfield_race_client.shapes import Game
from canfield_race_client.terminal.bots import bot_names, registered_bots

CODE = "CF1-D3-AAAAACL"


@contextlib.asynccontextmanager
async def seated(
    url: str, *, players: int, **wishes: Unpack[RoomWishes]
) -> AsyncIterator[list[RoomCalls]]:
    """New players, all in one new room that the first of them hosts."""
    async with registered_bots(url, bot_names(players, random.SystemRandom())) as clients:
        usual: RoomWishes = {"code": CODE, "countdown_s": 0, "time_limit_s": 120}
        opened = await clients[0].create_room(**(usual | wishes))
        rooms = [client.room(opened.id) for client in clients]
        for room in rooms:
            await room.join()
        yield rooms


@contextlib.asynccontextmanager
async def racing(
    url: str, *, players: int = 1, **wishes: Unpack[RoomWishes]
) -> AsyncIterator[list[Live]]:
    """The live sockets of new players whose race has begun."""
    async with contextlib.AsyncExitStack() as stack:
        rooms = await stack.enter_async_context(seated(url, players=players, **wishes))
        races = [await stack.enter_async_context(room.live()) for room in rooms]
        await rooms[0].start()
        for race in races:
            await game_of(race)
        yield races


async def game_of(race: Live) -> Game:
    """My game, once it is there."""
    await race.until(lambda: race.game is not None)
    assert race.game is not None
    return race.game
