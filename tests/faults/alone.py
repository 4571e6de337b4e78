"""Faults that a server can have even where it is one process."""

from __future__ import annotations

import asyncio

from tests.faults.network import Direction, Links
from tests.faults.racers import now_ms
from tests.faults.scene import Scene

DIRECTIONS: tuple[Direction, ...] = ("to_node", "to_client")


async def nothing(scene: Scene) -> int:
    """Nothing goes wrong: what the others are to be compared with."""
    began_ms = now_ms()
    await scene.a_moment(most_s=1.0)
    return began_ms


async def server_killed(scene: Scene) -> int:
    """Every process of every node gets SIGKILL, and is started again.

    Play can go on when they are ready.
    """
    nodes = scene.cluster.nodes
    await scene.kill(lambda: asyncio.gather(*(node.kill() for node in nodes)))
    await scene.a_moment(most_s=0.5)
    await asyncio.gather(*(node.start() for node in nodes))
    return now_ms()


async def database_stopped(scene: Scene) -> int:
    """PostgreSQL ends at once, and recovers a little later. Play can go on when it is up."""
    postgres = scene.cluster.postgres
    await postgres.stop_at_once()
    try:
        await scene.a_moment(most_s=1.0)
    finally:
        await postgres.start_again()
    return now_ms()


async def network_cut(scene: Scene) -> int:
    """Every connection is reset, three times. Play can go on at once."""
    began_ms = now_ms()
    for _ in range(3):
        scene.cluster.network.cut(reset=scene.chance.random() < 0.7)
        await scene.a_moment(most_s=0.6)
    return began_ms


async def network_delayed(scene: Scene) -> int:
    """Whatever is sent takes up to a quarter of a second each way. Play goes on meanwhile."""
    began_ms = now_ms()
    scene.cluster.network.links = Links(delay_s=scene.chance.uniform(0.05, 0.25))
    await scene.a_moment(most_s=1.0)
    await scene.race.went_on(now_ms())
    scene.cluster.network.links = Links()
    return began_ms


async def network_half_open(scene: Scene) -> int:
    """One direction of each connection swallows what is sent, until all are cut.

    The clients' moves arrive and their acks do not, or the other way round. Play can go on when
    the connections are cut.
    """
    network = scene.cluster.network
    for link in network.to():
        link.swallowed.add(scene.chance.choice(DIRECTIONS))
    await scene.a_moment(most_s=1.0)
    network.cut()
    return now_ms()


async def network_doubled(scene: Scene) -> int:
    """Every frame of a client that makes a new connection arrives twice. Play goes on meanwhile."""
    network = scene.cluster.network
    network.links = Links(doubled=True)
    network.cut()
    began_ms = now_ms()
    await scene.race.went_on(began_ms)
    await scene.a_moment(most_s=1.0)
    network.cut()
    network.links = Links()
    return began_ms
