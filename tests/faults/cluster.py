"""Nodes on one database behind one network: what the faults break."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple, Self
from uuid import uuid4

from sqlalchemy import delete, false, text
from sqlalchemy.ext.asyncio import create_async_engine

from server.store.connecting import parse_url
from server.store.tables import actions
from tests.faults.network import Links, Network
from tests.faults.nodes import Node
from tests.faults.storage import Postgres, RedisServer

LOCK = "LOCK TABLE actions IN EXCLUSIVE MODE"


class Layout(NamedTuple):
    """Which processes a cluster is made of.

    Attributes:
        skews_s: one for each node: by how much its system clock is off.
        workers: of each node.
        sqlite: on a SQLite file instead of PostgreSQL; then there is one node, and no Redis.
    """

    skews_s: tuple[int, ...] = (0,)
    workers: int = 1
    sqlite: bool = False


ALONE = Layout()
ALONE_ON_SQLITE = Layout(sqlite=True)
PAIR = Layout(skews_s=(0, 0))
SKEWED_PAIR = Layout(skews_s=(30, -30))
WORKERS = Layout(workers=2)


class Cluster:
    """The processes of a layout, up between `start` and `close`.

    Attributes:
        database_url: where it keeps everything.
    """

    def __init__(self, layout: Layout, postgres: Postgres) -> None:
        self.layout = layout
        self.postgres = postgres
        self.redis = RedisServer()
        self.nodes: list[Node] = []
        self.network = Network([])
        self.database_url = ""
        self._folder = tempfile.TemporaryDirectory(prefix="canfield-faults-")

    async def start(self) -> Self:
        """Start everything, and wait until it is ready."""
        folder = Path(self._folder.name)
        if self.layout.sqlite:
            self.database_url = f"sqlite:///{folder}/race.db"
            environment = {"DATABASE_URL": self.database_url}
        else:
            self.database_url = await self.postgres.new_database(f"faults_{uuid4().hex}")
            await self.redis.start()
            environment = {"DATABASE_URL": self.database_url, "REDIS_URL": self.redis.url}
        self.nodes = [
            Node(folder / f"{n}.log", environment, skew_s=skew_s, workers=self.layout.workers)
            for n, skew_s in enumerate(self.layout.skews_s)
        ]
        await self.nodes[0].migrate()
        await asyncio.gather(*(node.start() for node in self.nodes))
        self.network = Network(node.port for node in self.nodes)
        await self.network.open()
        return self

    @contextlib.asynccontextmanager
    async def writes_held_up(self) -> AsyncIterator[None]:
        """Have nothing be written until the block ends, as on a disk that is slow."""
        engine = create_async_engine(parse_url(self.database_url))
        hold = delete(actions).where(false()) if self.layout.sqlite else text(LOCK)
        async with engine.begin() as connection:
            await connection.execute(hold)
            yield
        await engine.dispose()

    async def heal(self) -> None:
        """Start what has ended, let every node be used, and carry everything as it comes."""
        self.network.links = Links()
        for number, node in enumerate(self.nodes):
            self.network.put_in(number)
            if node.process.returncode is not None:
                await node.launch()
        await asyncio.gather(*(node.ready() for node in self.nodes))

    async def close(self) -> None:
        """End everything, and remove what it kept."""
        await self.network.close()
        for node in self.nodes:
            await node.close()
        await self.redis.close()
        self._folder.cleanup()
