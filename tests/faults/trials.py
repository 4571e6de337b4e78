"""Trying a fault: a race, the fault at a random moment, and the reckoning."""

from __future__ import annotations

import asyncio
import contextlib
import traceback
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from random import Random

from canfield_race_client import CanfieldError

from tests.faults.cluster import Cluster, Layout
from tests.faults.ledger import Verdict, audit
from tests.faults.race import racing_bots
from tests.faults.scene import PLAYERS, Fault, Scene
from tests.faults.storage import Postgres
from tests.faults.stored import stored_games

TRIAL_WITHIN_S = 180.0


@dataclass
class Trial:
    """What came of one try.

    Attributes:
        seed: what chance was seeded with.
        silences_ms: for each racer, the longest time without an acknowledged move from when play
            could go on.
    """

    seed: int
    verdict: Verdict = field(default_factory=Verdict)
    silences_ms: list[int] = field(default_factory=list)


async def attempt(fault: Fault, cluster: Cluster, *, seed: int) -> Trial:
    """Try a fault once; whatever goes wrong stands in the verdict."""
    trial = Trial(seed)
    try:
        async with asyncio.timeout(TRIAL_WITHIN_S):
            await _race_through(fault, cluster, trial, Random(seed))
    except (CanfieldError, OSError, RuntimeError, TimeoutError) as error:
        where = "".join(traceback.format_exception(error, limit=-2))
        trial.verdict.wrong.append(f"{fault.name} could not be tried: {where}")
    finally:
        await cluster.heal()
    return trial


async def _race_through(fault: Fault, cluster: Cluster, trial: Trial, chance: Random) -> None:
    url = cluster.network.url
    async with racing_bots(url, chance, players=PLAYERS, racers=fault.racers) as race:
        await asyncio.sleep(chance.uniform(0.1, 0.8))
        race.hurry()
        await asyncio.sleep(chance.uniform(0, 0.05))
        since_ms = await fault.happen(Scene(cluster, race, chance))
        await race.went_on(since_ms)
        await asyncio.sleep(chance.uniform(0.1, 0.3))
        await cluster.heal()
        await race.finish()
        trial.silences_ms += race.silences_ms(since_ms)
        stored = await stored_games(cluster.database_url, race.room_id)
        trial.verdict.add(audit(stored, race.accounts))
        trial.verdict.wrong += race.failures


class Stage:
    """The clusters that faults happen in, each made when it is first wanted; one PostgreSQL."""

    def __init__(self) -> None:
        self._postgres = Postgres()
        self._clusters: dict[Layout, Cluster] = {}

    async def cluster(self, layout: Layout) -> Cluster:
        """Give a cluster of this layout, up and whole."""
        if layout not in self._clusters:
            self._clusters[layout] = Cluster(layout, self._postgres)
            await self._clusters[layout].start()
        return self._clusters[layout]

    async def strike(self, layout: Layout) -> Verdict:
        """Close a cluster; gives what a last audit of its whole database finds."""
        cluster = self._clusters.pop(layout)
        try:
            return audit(await stored_games(cluster.database_url))
        finally:
            await cluster.close()

    @contextlib.asynccontextmanager
    async def opened(self) -> AsyncIterator[Stage]:
        """Have PostgreSQL up until the block ends, and clean up."""
        await self._postgres.start()
        try:
            yield self
        finally:
            for cluster in self._clusters.values():
                await cluster.close()
            await self._postgres.close()
