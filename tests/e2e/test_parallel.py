"""Many at once: eight seats take eight, and what happens once happens once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import cycle
from random import SystemRandom
from uuid import uuid4

import httpx2
import pytest
from canfield_race_client import Client, Live, RoomCalls, frames
from canfield_race_client.errors import WrongState
from canfield_race_client.terminal.bots import bot_names

from tests.clients.server_process import ServerProcess
from tests.conftest import run_sql, with_database

pytestmark = pytest.mark.timeout(180)

PATIENCE_S = 60
SEATS = 8
MANY = 100


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
async def servers(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    postgres_url: str,
) -> AsyncIterator[list[str]]:
    """Two server processes on one PostgreSQL, or one on SQLite, which takes no second."""
    folder = tmp_path_factory.mktemp("servers")
    database_url, count = f"sqlite:///{folder}/race.db", 1
    if request.param == "postgresql":
        name = f"parallel_{uuid4().hex}"
        await run_sql(postgres_url, f"CREATE DATABASE {name}")
        database_url, count = with_database(postgres_url, name), 2
    processes = []
    for number in range(count):
        own = folder / str(number)
        own.mkdir()
        processes.append(ServerProcess(own, database_url, RACE_CALLS_PER_MINUTE="100000"))
    try:
        for process in processes:
            await process.start()
        yield [process.url for process in processes]
    finally:
        for process in processes:
            await process.kill()


@asynccontextmanager
async def players(servers: list[str], count: int) -> AsyncIterator[list[Client]]:
    """New players, each of whom calls one server; they take the servers in turn."""
    async with AsyncExitStack() as stack:
        clients = []
        for name, url in zip(bot_names(count, SystemRandom()), cycle(servers), strict=False):
            registered = await Client.register(url, name, kind="bot")
            clients.append(await stack.enter_async_context(Client(url, registered.token)))
        yield clients


async def test_a_hundred_parallel_joins_of_a_room_with_eight_seats_give_eight(
    servers: list[str],
) -> None:
    async with players(servers, 1) as [host], httpx2.AsyncClient(trust_env=False) as http:
        opened = await host.create_room(seats=SEATS)
        tokens = []
        for name in bot_names(MANY, SystemRandom()):
            registered = await http.post(f"{servers[0]}/api/v1/players", json={"name": name})
            tokens.append(registered.json()["token"])

        answers = await asyncio.gather(
            *(
                http.post(
                    f"{url}/api/v1/rooms/{opened.id}/join",
                    headers={"Authorization": f"Bearer {token}"},
                )
                for token, url in zip(tokens, cycle(servers), strict=False)
            )
        )
        seated = [standing.player.id for standing in (await opened.get()).standings]

    assert Counter(answer.json().get("code") for answer in answers) == {
        None: SEATS - 1,  # the host has the other seat
        "room_full": MANY - (SEATS - 1),
    }
    assert len(seated) == len(set(seated)) == SEATS


async def test_a_hundred_parallel_rematches_give_one_room(servers: list[str]) -> None:
    async with players(servers, SEATS) as everybody:
        before = {room.id async for room in everybody[0].rooms()}
        opened = await everybody[0].create_room(seats=SEATS, countdown_s=0)
        rooms = [player.room(opened.id) for player in everybody]
        for room in rooms:
            await room.join()
        await rooms[0].start()
        for room in rooms:
            await room.resign()
        async with asyncio.timeout(PATIENCE_S), rooms[0].live(watch=True) as race:
            await race.until(lambda: race.is_over)

        callers = [rooms[number % SEATS] for number in range(MANY)]
        answers = await asyncio.gather(*(room.rematch() for room in callers))
        after = {room.id async for room in everybody[0].rooms()}

    assert len({answer.id for answer in answers}) == 1
    assert after - before == {opened.id, answers[0].id}


async def events_until_the_end(race: Live) -> list[type]:
    """The kinds of a room's events up to its result."""
    kinds: list[type] = []
    async for event in race:
        if isinstance(event, frames.RoomEvent):
            kinds.append(type(event))
        if isinstance(event, frames.Finished):
            break
    return kinds


async def start(room: RoomCalls) -> str:
    try:
        return (await room.start()).state
    except WrongState as error:
        return str(error.state)


@pytest.mark.parametrize("countdown_s", [0, 1])
async def test_two_parallel_starts_are_one_start(servers: list[str], countdown_s: int) -> None:
    async with players(servers, 2) as (host, guest), AsyncExitStack() as stack:
        opened = await host.create_room(countdown_s=countdown_s)
        rooms = [host.room(opened.id), guest.room(opened.id)]
        await rooms[1].join()
        token = (await host.new_token("the same host at the other server")).token
        other = await stack.enter_async_context(Client(servers[-1], token))
        races = [await stack.enter_async_context(room.live()) for room in rooms]
        told = [asyncio.create_task(events_until_the_end(race)) for race in races]

        states = await asyncio.gather(start(rooms[0]), start(other.room(opened.id)))
        async with asyncio.timeout(PATIENCE_S):
            for race in races:
                await race.until(lambda race=race: race.is_racing)  # type: ignore[misc] # bound now
                await race.resign()
            events = await asyncio.gather(*told)

    assert set(states) <= {"countdown", "racing"}
    for kinds in events:
        counted = Counter(kinds)
        assert (counted[frames.CountdownStarted], counted[frames.Started]) == (1, 1)
