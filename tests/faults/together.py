"""Faults of nodes that share their races with others."""

from __future__ import annotations

import asyncio
import signal
from random import Random

from tests.faults.contenders import CallContender, Contender, SocketContender
from tests.faults.ledger import Account
from tests.faults.racers import PATIENCE_S, now_ms
from tests.faults.scene import Scene

ENDED_IN_ORDER = {0, -signal.SIGTERM}
"""The exit codes of who has cleaned up; after that uvicorn ends by the signal that it was sent."""

ENOUGH = 5  # acks that each who fights for a game is to get

NOTICED_WITHIN_S = 1.5
"""By then a node that wakes up has had its turn at everything: its own look at the database comes
every second."""


async def redis_stopped(scene: Scene) -> int:
    """Redis ends, and is started again later. Play goes on meanwhile."""
    redis = scene.cluster.redis
    began_ms = now_ms()
    await redis.kill()
    try:
        await scene.a_moment(most_s=1.5)
    finally:
        await redis.start()
    return began_ms


async def redis_emptied(scene: Scene) -> int:
    """Redis ends, and is back at once with nothing in it. Play goes on meanwhile."""
    redis = scene.cluster.redis
    began_ms = now_ms()
    await redis.kill()
    await redis.start()
    await scene.a_moment(most_s=1.0)
    return began_ms


async def redis_saturated(scene: Scene) -> int:
    """Redis answers nothing for a while, then refuses every write. Play goes on meanwhile."""
    redis = scene.cluster.redis
    began_ms = now_ms()
    await redis.pause(ms=scene.chance.randrange(300, 1500))
    await redis.fill()
    try:
        await scene.a_moment(most_s=1.0)
    finally:
        await redis.empty()
    return began_ms


async def node_killed(scene: Scene) -> int:
    """A node gets SIGKILL while it holds games. Play can go on at once, on the other."""
    node = scene.chance.choice(scene.cluster.nodes)
    began_ms = now_ms()
    await scene.kill(node.kill)
    await scene.race.went_on(now_ms())
    return began_ms


async def worker_killed(scene: Scene) -> int:
    """One of a server's workers gets SIGKILL. Play can go on at once, on the others."""
    began_ms = now_ms()
    node = scene.cluster.nodes[0]
    await scene.kill(lambda: node.kill_worker(scene.chance))
    await scene.race.went_on(now_ms())
    return began_ms


async def nodes_restarted_one_by_one(scene: Scene) -> int:
    """Each node in turn gets SIGTERM, ends, and is started again. Play goes on meanwhile."""
    began_ms = now_ms()
    for node in scene.cluster.nodes:
        code = await node.stop()
        if code not in ENDED_IN_ORDER:
            scene.race.failures.append(f"a node ended with exit code {code}: {node.log}")
        await node.start()
    return began_ms


async def node_stopped_and_woken(scene: Scene) -> int:
    """A node gets SIGSTOP, its games move on elsewhere, and SIGCONT has it find its old moves.

    Its connections are ended in order, so that what it had not read yet waits for it. Play can go
    on when they have been.
    """
    number, node = scene.chance.choice(list(enumerate(scene.cluster.nodes)))
    node.signal(signal.SIGSTOP)
    try:
        await scene.a_moment(most_s=0.6)
        scene.cluster.network.take_out(number)
        scene.cluster.network.cut(number, reset=False)
        gone_ms = now_ms()
        await scene.race.went_on(gone_ms)
        await scene.a_moment(most_s=0.6)
    finally:
        node.signal(signal.SIGCONT)
    await scene.race.went_on(now_ms())
    return gone_ms


async def node_woken_after_the_end(scene: Scene) -> int:
    """A node gets SIGSTOP, the race ends elsewhere, and SIGCONT has it find its old moves."""
    number, node = scene.chance.choice(list(enumerate(scene.cluster.nodes)))
    node.signal(signal.SIGSTOP)
    try:
        await scene.a_moment(most_s=0.6)
        scene.cluster.network.take_out(number)
        scene.cluster.network.cut(number, reset=False)
        gone_ms = now_ms()
        await scene.race.went_on(gone_ms)
        await scene.race.finish()
    finally:
        node.signal(signal.SIGCONT)
    await node.ready()
    await asyncio.sleep(NOTICED_WITHIN_S)
    return gone_ms


async def game_on_both_nodes(scene: Scene) -> int:
    """Two sockets and two callers, one of each on either node, play one player's game at once."""
    began_ms = now_ms()
    race = scene.race
    for player in race.players[len(race.racers) :]:
        account = Account(player.player.id)
        race.accounts.append(account)
        contenders: list[Contender] = [
            kind(node.url, race.room_id, player.token, account)
            for node in scene.cluster.nodes
            for kind in (SocketContender, CallContender)
        ]
        await fight(contenders, scene.chance)
        race.failures += [f"{who} got no ack" for who in contenders if not who.acks]
    return began_ms


async def fight(contenders: list[Contender], chance: Random) -> None:
    """Have contenders play against each other until each has been acknowledged some moves."""
    playing = [asyncio.create_task(contender.play(chance)) for contender in contenders]
    deadline_ms = now_ms() + 1000 * PATIENCE_S
    try:
        while min(contender.acks for contender in contenders) < ENOUGH and now_ms() < deadline_ms:
            done, _ = await asyncio.wait(playing, timeout=0.1, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()  # which can only raise: they play until cancelled
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
