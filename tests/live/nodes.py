"""Nodes on a bus, and what they have heard."""

import asyncio
from collections.abc import Callable

from server.live.buses.bus import AnyMessage, Bus, Changed

PATIENCE_S = 30
TRIAL = Changed(version=0)
"""Said until it is heard; no room has such a version."""


class Node:
    """Speaks and listens on a bus.

    Attributes:
        said: how many messages, trials included.
        heard: everything but trials, in order.
    """

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.said = 0
        self.heard: list[tuple[str, AnyMessage]] = []
        self._trials: set[str] = set()
        bus.listen(self._hear)

    def _hear(self, topic: str, message: AnyMessage) -> None:
        if message == TRIAL:
            self._trials.add(topic)
        else:
            self.heard.append((topic, message))

    def versions(self, topic: str) -> list[int]:
        """The versions of a room heard of, in order."""
        return [
            message.version
            for heard_of, message in self.heard
            if heard_of == topic and isinstance(message, Changed)
        ]

    def say(self, topic: str, *versions: int) -> None:
        for version in versions:
            self.tell(topic, Changed(version=version))

    def tell(self, topic: str, message: AnyMessage) -> None:
        self.said += 1
        self.bus.publish(topic, message)

    async def watch(self, *topics: str, told_by: "Node") -> None:
        """Watch topics, and wait until what another node says of them is heard."""
        self._trials.difference_update(topics)
        for topic in topics:
            self.bus.watch(topic)
        await self.hears_again(*topics, told_by=told_by)

    async def hears_again(self, *topics: str, told_by: "Node") -> None:
        """Wait until what another node says of topics is heard."""
        async with asyncio.timeout(PATIENCE_S):
            while missing := set(topics) - self._trials:
                for topic in missing:
                    told_by.tell(topic, TRIAL)
                await asyncio.sleep(0.02)

    async def hears(self, topic: str, message: AnyMessage) -> None:
        """Wait until something in particular is heard."""
        await until(lambda: (topic, message) in self.heard)


async def until(condition: Callable[[], object]) -> None:
    """Wait until something holds that is another process's doing; bounded."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():  # noqa: ASYNC110 — what is waited for has no event of its own
            await asyncio.sleep(0.01)
