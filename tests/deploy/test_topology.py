"""The whole place as it is deployed: a race goes on while both servers are restarted in turn."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from uuid import uuid4

import asyncpg
import httpx2
import pytest
from canfield_race_client import Live
from canfield_race_client.bot import Bot

from tests.clients.table import game_of, seated
from tests.conftest import run_sql, with_database
from tests.deploy.processes import PATIENCE_S
from tests.deploy.topology import Deployment, deployed

A_FEW = 5
PLAYERS_PER_HOUR = 8


@pytest.fixture(scope="module")
async def database_url(postgres_url: str) -> AsyncIterator[str]:
    """A PostgreSQL database, at first without tables."""
    name = f"deploy_{uuid4().hex}"
    await run_sql(postgres_url, f"CREATE DATABASE {name}")
    yield with_database(postgres_url, name)
    await run_sql(postgres_url, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="module")
async def place(
    database_url: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Deployment]:
    """The whole place, for all tests that leave it running."""
    folder = tmp_path_factory.mktemp("place")
    limits = {"RACE_PLAYERS_PER_HOUR": str(PLAYERS_PER_HOUR)}
    async with deployed(folder, database_url, **limits) as deployment:
        yield deployment


class Racer:
    """A bot that plays until it is told to stop, and keeps what was acknowledged."""

    def __init__(self, race: Live, bot: Bot) -> None:
        self.race = race
        self.acknowledged: list[str] = []
        self.stops = False
        self._bot = bot
        assert race.me is not None
        self.name = race.me.name
        self._changed = asyncio.Condition()

    async def play(self) -> None:
        while not self.stops:
            move = self._bot.choose(await self.race.sync()) or "d"
            ack = await self.race.move(move)
            assert ack.ply == len(self.acknowledged)
            async with self._changed:
                self.acknowledged.append(ack.move)
                self._changed.notify_all()

    async def plays_on(self) -> None:
        """Wait until a few more moves are acknowledged."""
        enough = len(self.acknowledged) + A_FEW
        async with asyncio.timeout(PATIENCE_S), self._changed:
            await self._changed.wait_for(lambda: len(self.acknowledged) >= enough)


class Field:
    """All racers of a room, playing at the same time."""

    def __init__(self, races: Sequence[Live]) -> None:
        self.racers = [Racer(race, Bot(random.Random(n))) for n, race in enumerate(races)]
        self._playing = asyncio.gather(*(racer.play() for racer in self.racers))

    async def plays_on(self) -> None:
        """Wait until each has moved a few times more, or fail with what stopped one of them."""
        seen = asyncio.gather(*(racer.plays_on() for racer in self.racers))
        await asyncio.wait({seen, self._playing}, return_when=asyncio.FIRST_COMPLETED)
        if self._playing.done():
            seen.cancel()
            await self._playing
        await seen

    async def ends(self) -> dict[str, list[str]]:
        """Stop playing; gives what has been acknowledged to whom."""
        for racer in self.racers:
            racer.stops = True
        async with asyncio.timeout(PATIENCE_S):
            await self._playing
        return {racer.name: racer.acknowledged for racer in self.racers}

    async def all_see(self, acknowledged: dict[str, list[str]]) -> None:
        """Wait until each knows how far everybody is."""
        far = {name: len(moves) for name, moves in acknowledged.items()}
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*(sees(racer.race, far) for racer in self.racers))


async def sees(race: Live, far: dict[str, int]) -> None:
    """Wait until it is known here how far everybody is."""
    await race.until(lambda: actions_of(race) == far)


def actions_of(race: Live) -> dict[str, int]:
    return {standing.player.name: standing.actions for standing in race.standings}


async def kept(database_url: str, room_id: str) -> dict[str, list[str]]:
    """The moves that the database has of each player, by name, in order, none of them missing."""
    connection = await asyncpg.connect(database_url)
    try:
        rows = await connection.fetch(
            "SELECT p.name, a.ply, a.move FROM actions a JOIN games g ON g.id = a.game_id "
            "JOIN players p ON p.id = g.player_id WHERE g.room_id = $1 ORDER BY a.ply",
            room_id,
        )
    finally:
        await connection.close()
    found: dict[str, list[str]] = {}
    for row in rows:
        moves = found.setdefault(row["name"], [])
        assert row["ply"] == len(moves)
        moves.append(row["move"])
    return found


@pytest.mark.timeout(240)
async def test_a_rolling_restart_in_mid_race_loses_no_acknowledged_move(
    place: Deployment, database_url: str
) -> None:
    async with (
        seated(place.proxy.url, players=4, time_limit_s=600) as rooms,
        AsyncExitStack() as sockets,
    ):
        races = [await sockets.enter_async_context(room.live()) for room in rooms]
        await rooms[0].start()
        async with asyncio.timeout(PATIENCE_S):
            for race in races:
                await game_of(race)
        assert all((await place.proxy.under_way()).values()), "both servers serve somebody"
        field = Field(races)
        for node in place.nodes:
            await field.plays_on()
            await node.stop()
            await field.plays_on()
            assert (await rooms[0].get()).state == "racing"
            await node.start()
        await field.plays_on()
        acknowledged = await field.ends()

        await field.all_see(acknowledged)
        assert await kept(database_url, rooms[0].id) == acknowledged
        async with rooms[0].live(watch=True) as seen:
            async with asyncio.timeout(PATIENCE_S):
                await sees(seen, actions_of(races[0]))
            assert all((await place.proxy.under_way()).values()), "the emptier one is used again"


async def test_limits_per_address_are_those_of_who_asks_and_not_of_the_proxy(
    place: Deployment,
) -> None:
    most = PLAYERS_PER_HOUR * len(place.nodes)  # each server counts for itself
    async with httpx2.AsyncClient(base_url=place.proxy.url, trust_env=False) as http:
        one = [await registered(http, address="203.0.113.1") for _ in range(most + 1)]
        another = await registered(http, address="203.0.113.2")

    assert one[0] == another == 201
    assert 429 in one


async def test_metrics_are_for_who_runs_the_servers_only(place: Deployment) -> None:
    async with httpx2.AsyncClient(trust_env=False) as http:
        inside = [await http.get(f"http://{node.address}/metrics") for node in place.nodes]
        outside = await http.get(f"{place.proxy.url}/metrics")

    assert all("canfield_sockets" in answer.text for answer in inside)
    assert outside.status_code == 404


async def registered(http: httpx2.AsyncClient, *, address: str) -> int:
    """Register from an address behind a proxy of our own; gives the status."""
    answer = await http.post(
        "/api/v1/players",
        json={"name": f"P{uuid4().hex[:12]}"},
        headers={"X-Forwarded-For": address},
    )
    return answer.status_code
