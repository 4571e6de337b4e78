"""What nodes tell each other, and how: hints that hurry, never the only way to learn something.

The database holds the truth. A hint that is lost, repeated or late does no harm: versions and
entries are compared by whoever hears it, and every second with the database itself.
"""

from collections.abc import Callable
from typing import Literal, Protocol

from msgspec import Struct

from server.race.standings import Entry

EVERYONE = "everyone"
"""The topic that every node hears without asking; all others are rooms' ids."""


class Message(Struct, tag_field="type", frozen=True):
    """What one node tells the others."""


class Changed(Message, tag="changed", frozen=True):
    """The room has come to this version."""

    version: int


class Progressed(Message, tag="progressed", frozen=True):
    """These players of the room have come further."""

    entries: list[Entry]


class TookOver(Message, tag="took_over", frozen=True):
    """A player plays in the room on another socket now; see `server.live.claims`."""

    player_id: str
    claim: str


class Revoked(Message, tag="revoked", frozen=True):
    """A token is not valid any more."""

    token_id: str


AnyMessage = Changed | Progressed | TookOver | Revoked

Hear = Callable[[str, AnyMessage], None]
"""Takes a topic and what was said about it; returns at once."""

BusState = Literal["ready", "away"]


class Bus(Protocol):
    """Carries hints from each node to all others."""

    @property
    def state(self) -> BusState:
        """Whether hints get through now."""

    def sample(self) -> None:
        """Tell the metrics whether hints get through."""

    async def open(self) -> None:
        """Begin to carry; where that cannot be yet, it begins later by itself."""

    async def close(self) -> None:
        """Stop carrying."""

    def listen(self, hear: Hear) -> None:
        """Have what other nodes say heard."""

    def watch(self, topic: str) -> None:
        """Hear of a topic from soon on."""

    def unwatch(self, topic: str) -> None:
        """Hear of a topic no more."""

    def publish(self, topic: str, message: AnyMessage) -> None:
        """Tell every other node that watches the topic; never waits, never raises."""


class MemoryBus:
    """The bus of nodes in one process, mostly of one alone: others hear at once.

    Args:
        medium: the nodes that hear each other; None for a node alone.
    """

    def __init__(self, medium: "set[MemoryBus] | None" = None) -> None:
        self._medium = set[MemoryBus]() if medium is None else medium
        self._topics = {EVERYONE}
        self._hearers: list[Hear] = []

    @property
    def state(self) -> BusState:
        """Always ready."""
        return "ready"

    def sample(self) -> None:
        """Tell nothing: there is nothing that could be away."""

    async def open(self) -> None:
        """Begin to carry."""
        self._medium.add(self)

    async def close(self) -> None:
        """Stop carrying."""
        self._medium.discard(self)

    def listen(self, hear: Hear) -> None:
        """Have what other nodes say heard."""
        self._hearers.append(hear)

    def watch(self, topic: str) -> None:
        """Hear of a topic from now on."""
        self._topics.add(topic)

    def unwatch(self, topic: str) -> None:
        """Hear of a topic no more."""
        self._topics.discard(topic)

    def publish(self, topic: str, message: AnyMessage) -> None:
        """Tell every other open node that watches the topic, at once."""
        if self not in self._medium:
            return
        for other in self._medium:
            if other is not self and topic in other._topics:
                for hear in other._hearers:
                    hear(topic, message)
