"""What every bus does: each test runs on `MemoryBus` and on `RedisBus`."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import get_args
from urllib.parse import urlsplit
from uuid import uuid4

import pytest

from server.clock import SystemClock
from server.live.buses.bus import (
    EVERYONE,
    AnyMessage,
    Bus,
    Changed,
    MemoryBus,
    Progressed,
    Revoked,
    TookOver,
)
from server.live.buses.redis_bus import RedisBus
from tests.live.nodes import Node
from tests.race.builders import ANA, BO, an_entry

MESSAGES: list[AnyMessage] = [
    Changed(version=2**40),
    Progressed(entries=[an_entry(ANA, placed=12), an_entry(BO, state="won", placed=52)]),
    Progressed(entries=[]),
    TookOver(player_id="p_ana", claim="c_1 “ü” \n"),
    Revoked("t_1"),
]


class Network:
    """Makes nodes that hear each other, and others apart from them."""

    def __init__(self, make: Callable[[bool], Bus], stack: AsyncExitStack) -> None:
        self._make = make
        self._stack = stack

    async def node(self, *, apart: bool = False) -> Node:
        node = self.closed_node(apart=apart)
        self._stack.push_async_callback(node.bus.close)
        await node.bus.open()
        assert node.bus.state == "ready"
        return node

    def closed_node(self, *, apart: bool = False) -> Node:
        return Node(self._make(apart))


@pytest.fixture(params=["memory", "redis"])
async def network(request: pytest.FixtureRequest) -> AsyncIterator[Network]:
    """A network of each kind: the test runs once with memory and once with Redis."""
    async with AsyncExitStack() as stack:
        yield Network(memory_buses() if request.param == "memory" else redis_buses(request), stack)


def memory_buses() -> Callable[[bool], Bus]:
    media: dict[bool, set[MemoryBus]] = {False: set(), True: set()}
    return lambda apart: MemoryBus(media[apart])


def redis_buses(request: pytest.FixtureRequest) -> Callable[[bool], Bus]:
    url: str = request.getfixturevalue("redis_url")
    parts = urlsplit(url)
    another = int(parts.path.strip("/") or 0) + 1
    urls = {False: url, True: parts._replace(path=f"/{another}").geturl()}
    return lambda apart: RedisBus(urls[apart], clock=SystemClock(), node=f"n_{uuid4().hex}")


def a_room() -> str:
    return f"r_{uuid4().hex}"


async def test_others_hear_in_order_what_one_says_and_it_does_not_hear_itself(
    network: Network,
) -> None:
    ana, bo, cy = [await network.node() for _ in range(3)]
    room = a_room()
    for node, other in ((bo, ana), (cy, ana), (ana, bo)):
        await node.watch(room, told_by=other)

    ana.say(room, *range(1, 101))

    for node in (bo, cy):
        await node.hears(room, Changed(version=100))
        assert node.versions(room) == [*range(1, 101)]
    bo.say(room, 101)
    await ana.hears(room, Changed(version=101))
    assert ana.versions(room) == [101]


async def test_what_is_not_watched_is_not_heard(network: Network) -> None:
    ana, bo = await network.node(), await network.node()
    watched, other = a_room(), a_room()
    await bo.watch(watched, told_by=ana)

    ana.say(other, 1)
    ana.say(watched, 2)

    await bo.hears(watched, Changed(version=2))
    assert bo.heard == [(watched, Changed(version=2))]


async def test_everyone_hears_what_is_said_to_everyone_without_asking(network: Network) -> None:
    ana, bo, cy = [await network.node() for _ in range(3)]

    ana.tell(EVERYONE, Revoked("t_1"))

    for node in (bo, cy):
        await node.hears(EVERYONE, Revoked("t_1"))
    bo.tell(EVERYONE, Revoked("t_2"))
    await ana.hears(EVERYONE, Revoked("t_2"))
    assert ana.heard == [(EVERYONE, Revoked("t_2"))]


async def test_who_stops_watching_hears_no_more_and_again_when_watching_again(
    network: Network,
) -> None:
    ana, bo = await network.node(), await network.node()
    room, other = a_room(), a_room()
    await bo.watch(room, other, told_by=ana)
    ana.say(room, 1)
    await bo.hears(room, Changed(version=1))

    bo.bus.unwatch(room)
    ana.say(room, 2)
    ana.say(other, 1)
    await bo.hears(other, Changed(version=1))
    await bo.watch(room, told_by=ana)
    ana.say(room, 3)

    await bo.hears(room, Changed(version=3))
    assert bo.versions(room) == [1, 3]


async def test_watching_twice_and_stopping_twice_is_as_once(network: Network) -> None:
    ana, bo = await network.node(), await network.node()
    room, other = a_room(), a_room()
    bo.bus.watch(room)
    await bo.watch(room, other, told_by=ana)

    ana.say(room, 1)
    await bo.hears(room, Changed(version=1))
    bo.bus.unwatch(room)
    bo.bus.unwatch(room)
    ana.say(room, 2)
    ana.say(other, 1)

    await bo.hears(other, Changed(version=1))
    assert bo.versions(room) == [1]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
async def test_a_message_comes_through_whole(network: Network, message: AnyMessage) -> None:
    ana, bo = await network.node(), await network.node()
    room = a_room()
    await bo.watch(room, told_by=ana)

    ana.tell(room, message)

    await bo.hears(room, message)


def test_every_kind_of_message_is_tried() -> None:
    assert {type(message) for message in MESSAGES} == set(get_args(AnyMessage))


async def test_every_hearer_of_a_node_hears(network: Network) -> None:
    ana, bo = await network.node(), await network.node()
    room = a_room()
    second: list[tuple[str, AnyMessage]] = []
    bo.bus.listen(lambda topic, message: second.append((topic, message)))
    await bo.watch(room, told_by=ana)
    second.clear()

    ana.say(room, 1)

    await bo.hears(room, Changed(version=1))
    assert (room, Changed(version=1)) in second


async def test_saying_something_before_opening_or_after_closing_does_no_harm(
    network: Network,
) -> None:
    ana, bo = network.closed_node(), await network.node()

    ana.tell(EVERYONE, Revoked("t_early"))
    await ana.bus.open()
    ana.tell(EVERYONE, Revoked("t_open"))
    await bo.hears(EVERYONE, Revoked("t_open"))
    await ana.bus.close()
    ana.tell(EVERYONE, Revoked("t_late"))
    cy = await network.node()
    cy.tell(EVERYONE, Revoked("t_last"))

    await bo.hears(EVERYONE, Revoked("t_last"))
    assert [message for _topic, message in bo.heard] == [
        Revoked("t_open"),
        Revoked("t_last"),
    ]
    assert ana.heard == []


async def test_closing_a_bus_that_was_never_opened_does_no_harm(network: Network) -> None:
    await network.closed_node().bus.close()


async def test_many_rooms_are_heard_each_in_its_order(network: Network) -> None:
    ana, bo = await network.node(), await network.node()
    rooms = [a_room() for _ in range(100)]
    await bo.watch(*rooms, told_by=ana)

    for version in (1, 2, 3, 4):
        for room in rooms:
            ana.say(room, version)
        await bo.hears(rooms[-1], Changed(version=version))

    assert {tuple(bo.versions(room)) for room in rooms} == {(1, 2, 3, 4)}


async def test_each_of_two_who_speak_at_once_is_heard_in_its_order(network: Network) -> None:
    ana, bo, cy = [await network.node() for _ in range(3)]
    room = a_room()
    await cy.watch(room, told_by=ana)

    for version in range(1, 101):
        ana.say(room, version)
        bo.say(room, 1000 + version)

    await cy.hears(room, Changed(version=100))
    await cy.hears(room, Changed(version=1100))
    heard = cy.versions(room)
    assert [version for version in heard if version <= 100] == [*range(1, 101)]
    assert [version for version in heard if version > 100] == [*range(1001, 1101)]


async def test_nodes_on_another_medium_are_not_heard(network: Network) -> None:
    ana, bo = await network.node(), await network.node()
    stranger, companion = await network.node(apart=True), await network.node(apart=True)
    room = a_room()
    await bo.watch(room, told_by=ana)
    await companion.watch(room, told_by=stranger)

    stranger.say(room, 1)
    stranger.say(EVERYONE, 1)
    await companion.hears(EVERYONE, Changed(version=1))
    ana.say(room, 2)

    await bo.hears(room, Changed(version=2))
    assert bo.heard == [(room, Changed(version=2))]
