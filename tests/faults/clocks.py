"""Clocks that are off: a race's instants are the database's, whichever node makes them."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import httpx2
from sqlalchemy import update
from sqlalchemy.ext.asyncio import create_async_engine

from server.store.connecting import parse_url
from server.store.tables import rooms
from tests.faults.ledger import CLOCKS_AGREE_WITHIN_MS
from tests.faults.race import Race, a_race, until
from tests.faults.racers import now_ms
from tests.faults.scene import Scene

COUNTDOWN_S = 1
LIMIT_S = 2
ENDS_WITHIN_S = 5.0


async def clocks_off(scene: Scene) -> int:
    """One node's clock is 30 s ahead, the other's 30 s behind, and players change between them.

    Besides, a short race is started, moved in and ended. Play goes on meanwhile; the reckoning
    holds every move's time against the clock of this machine, which is the database's.
    """
    began_ms = now_ms()
    watching = asyncio.create_task(short_race_keeps_time(scene))
    for _ in range(2):
        scene.cluster.network.cut()
        await scene.race.went_on(now_ms())
    scene.race.failures += await watching
    return began_ms


async def short_race_keeps_time(scene: Scene) -> list[str]:
    """Race by calls to every node in turn; gives what did not happen when it was due."""
    faults: list[str] = []
    url = scene.cluster.network.url
    async with a_race(url, scene.chance, players=2, countdown_s=COUNTDOWN_S) as race:
        await shorten(scene.cluster.database_url, race.room_id)
        called_ms = now_ms()
        await race.rooms[0].start()
        starts_ms = called_ms + COUNTDOWN_S * 1000
        ends_ms = starts_ms + LIMIT_S * 1000
        for state, due_ms in (("racing", starts_ms), ("finished", ends_ms)):
            for node in scene.cluster.nodes:
                faults += await _comes_in_time(node.url, race, state, due_ms)
            if state == "racing":
                faults += await _moves_count(scene, race)
        room = await race.rooms[0].get()
    if room.started_at is None or room.finished_at != room.started_at + timedelta(seconds=LIMIT_S):
        faults.append(f"a race of {LIMIT_S} s went from {room.started_at} to {room.finished_at}")
    return faults


async def shorten(database_url: str, room_id: str) -> None:
    """Give a room a shorter race than anybody can ask for, so that its end need not be awaited."""
    engine = create_async_engine(parse_url(database_url))
    async with engine.begin() as connection:
        mine = rooms.c.id == room_id
        await connection.execute(update(rooms).where(mine).values(time_limit_s=LIMIT_S))
    await engine.dispose()


async def _comes_in_time(node_url: str, race: Race, state: str, due_ms: int) -> list[str]:
    """Watch a node until it shows a state of the room; gives whether that was when it was due."""
    async with httpx2.AsyncClient(trust_env=False) as http:

        async def is_there() -> bool:
            room = (await http.get(f"{node_url}/api/v1/rooms/{race.room_id}")).json()
            return bool(room["state"] == state)

        await until(is_there, f"the room did not come to be {state}")
    late_ms = now_ms() - due_ms
    if -CLOCKS_AGREE_WITHIN_MS <= late_ms <= ENDS_WITHIN_S * 1000:
        return []
    return [f"{node_url} shows the room {state} {late_ms} ms after that was due"]


async def _moves_count(scene: Scene, race: Race) -> list[str]:
    """Have each player move by a call to a node of its own; gives what was refused."""
    faults = []
    for node, player in zip(scene.cluster.nodes, race.players, strict=True):
        headers = {"Authorization": f"Bearer {player.token}"}
        async with httpx2.AsyncClient(headers=headers, trust_env=False) as http:
            path = f"{node.url}/api/v1/rooms/{race.room_id}/moves"
            answer = (await http.post(path, json={"ply": 0, "moves": ["d"]})).json()
        if len(answer.get("acks", [])) != 1:
            faults.append(f"{node.url} refuses a move during the race: {answer}")
    return faults
