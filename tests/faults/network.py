"""The network between clients and nodes: a TCP proxy that can fail in every way a network does."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import socket
import struct
from collections.abc import Iterable
from typing import Literal, NamedTuple

from tests.faults.client_frames import ClientFrames, is_text

LOCAL = "127.0.0.1"
CHUNK_BYTES = 65536
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: closing sends RST, and throws away what is unread

Direction = Literal["to_node", "to_client"]
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def free_port() -> int:
    """Find a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind((LOCAL, 0))
        return int(probe.getsockname()[1])


class Links(NamedTuple):
    """What becomes of the bytes of new links and of those that are there.

    Attributes:
        delay_s: how long each chunk waits.
        doubled: each text frame of a client goes out twice.
    """

    delay_s: float = 0.0
    doubled: bool = False


class Link:
    """One connection of a client, carried on to one node."""

    def __init__(self, network: Network, node: int, client: Streams, upstream: Streams) -> None:
        self.node = node
        self.swallowed: set[Direction] = set()
        self._network = network
        self._client = client
        self._upstream = upstream

    async def carry(self) -> None:
        """Carry bytes both ways until either side ends, then end both."""
        there = asyncio.create_task(self._carry_to_node())
        back = asyncio.create_task(self._carry_to_client())
        try:
            await asyncio.wait([there, back], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (there, back):
                task.cancel()
            await asyncio.gather(there, back, return_exceptions=True)
            self.cut(reset=False)

    def cut(self, *, reset: bool) -> None:
        """End both connections: as a broken network does, or in order."""
        for _, writer in (self._client, self._upstream):
            peer: socket.socket | None = writer.get_extra_info("socket")
            if reset and peer is not None and peer.fileno() >= 0:
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                writer.transport.abort()
            writer.close()

    async def _carry_to_node(self) -> None:
        reader, writer = self._client[0], self._upstream[1]
        frames = ClientFrames()
        with contextlib.suppress(OSError):
            while data := await reader.read(CHUNK_BYTES):
                for piece in frames.feed(data):
                    twice = self._network.links.doubled and is_text(piece)
                    await self._pass_on(piece * 2 if twice else piece, writer, "to_node")

    async def _carry_to_client(self) -> None:
        reader, writer = self._upstream[0], self._client[1]
        with contextlib.suppress(OSError):
            while data := await reader.read(CHUNK_BYTES):
                await self._pass_on(data, writer, "to_client")

    async def _pass_on(
        self, data: bytes, writer: asyncio.StreamWriter, direction: Direction
    ) -> None:
        if self._network.links.delay_s:
            await asyncio.sleep(self._network.links.delay_s)
        if direction not in self.swallowed:
            writer.write(data)
            await writer.drain()


class Network:
    """One address in front of several nodes; each new connection goes to the next one in turn.

    Attributes:
        links: what becomes of the bytes on their way.
    """

    def __init__(self, ports: Iterable[int]) -> None:
        self.links = Links()
        self._ports = list(ports)
        self._out: set[int] = set()
        self._turns = itertools.count()
        self._open: dict[Link, None] = {}  # in the order of their making
        self._tasks: set[asyncio.Task[None]] = set()
        self._listener: asyncio.Server | None = None

    async def open(self) -> None:
        """Listen on a free port."""
        self._listener = await asyncio.start_server(self._accept, LOCAL, 0)

    async def close(self) -> None:
        """Stop listening, and end every link."""
        if self._listener is not None:
            self._listener.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def url(self) -> str:
        """The address that clients use."""
        if self._listener is None:
            raise RuntimeError("the network is not open")
        port = self._listener.sockets[0].getsockname()[1]
        return f"http://{LOCAL}:{port}"

    def to(self, *nodes: int) -> list[Link]:
        """Give the links to these nodes, to all without any."""
        return [link for link in self._open if not nodes or link.node in nodes]

    def cut(self, *nodes: int, reset: bool = True) -> None:
        """Cut every link to these nodes, to all without any."""
        for link in self.to(*nodes):
            link.cut(reset=reset)

    def take_out(self, node: int) -> None:
        """Send no new connections to a node, as a balancer does whose check has failed."""
        self._out.add(node)

    def put_in(self, node: int) -> None:
        """Send new connections to a node again."""
        self._out.discard(node)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        node, upstream = await self._connect()
        if upstream is None:
            writer.close()
            return
        link = Link(self, node, (reader, writer), upstream)
        self._open[link] = None
        try:
            await link.carry()
        finally:
            del self._open[link]

    async def _connect(self) -> tuple[int, Streams | None]:
        """Connect to the next node in turn that takes connections."""
        turn = next(self._turns)
        for step in range(len(self._ports)):
            node = (turn + step) % len(self._ports)
            if node in self._out:
                continue
            with contextlib.suppress(OSError):
                return node, await asyncio.open_connection(LOCAL, self._ports[node])
        return 0, None
