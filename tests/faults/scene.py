"""What a fault has to work with."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import NamedTuple

from tests.faults.cluster import Cluster, Layout
from tests.faults.race import Race

PLAYERS = 4


class Scene(NamedTuple):
    """A cluster, a race that is on in it, and chance."""

    cluster: Cluster
    race: Race
    chance: Random

    async def kill(self, kill: Callable[[], Awaitable[object]]) -> None:
        """Kill something, half of the times while moves pile up that cannot be written yet."""
        if self.chance.random() < 0.5:
            await kill()
            return
        async with self.cluster.writes_held_up():
            self.race.hurry()
            await self.a_moment(most_s=0.2)
            await kill()

    async def a_moment(self, *, most_s: float) -> None:
        """Let a random time pass."""
        await asyncio.sleep(self.chance.uniform(most_s / 10, most_s))


class Fault(NamedTuple):
    """Something that goes wrong.

    Attributes:
        happen: makes it happen, and mends it; gives from when on play could go on, in milliseconds
            since 1970.
        layout: where it happens.
        racers: how many of the players race by the SDK; the others are the fault's.
    """

    name: str
    happen: Callable[[Scene], Awaitable[int]]
    layout: Layout
    racers: int = PLAYERS
