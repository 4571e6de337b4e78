from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosedError, InvalidMessage

from tests.faults.network import LOCAL, Links, Network

PATIENCE_S = 20


@asynccontextmanager
async def a_network(nodes: int = 1) -> AsyncIterator[Network]:
    """A network before servers that answer each message with their number and the message."""
    async with AsyncExitStack() as stack:
        ports = []
        for number in range(nodes):

            async def answer(socket: ServerConnection, number: int = number) -> None:
                async for message in socket:
                    await socket.send(f"{number} {message!r}")

            server = await stack.enter_async_context(serve(answer, LOCAL, 0))
            ports.append(server.sockets[0].getsockname()[1])
        network = Network(ports)
        await network.open()
        stack.push_async_callback(network.close)
        yield network


def a_client(network: Network) -> connect:
    return connect(network.url.replace("http", "ws", 1), proxy=None)


async def told(socket: ClientConnection, count: int) -> list[str]:
    async with asyncio.timeout(PATIENCE_S):
        return [str(await socket.recv()) for _ in range(count)]


async def test_connections_go_to_the_nodes_in_turn() -> None:
    async with a_network(nodes=2) as network, a_client(network) as one, a_client(network) as two:
        await one.send("x")
        await two.send("x")

        assert {*await told(one, 1), *await told(two, 1)} == {"0 'x'", "1 'x'"}


async def test_a_node_that_is_taken_out_gets_no_new_connections_until_it_is_back() -> None:
    async with a_network(nodes=2) as network:
        network.take_out(0)
        async with a_client(network) as one, a_client(network) as two:
            assert {link.node for link in network.to()} == {1}
            network.put_in(0)
            async with a_client(network), a_client(network):
                assert len(network.to(0)) == 1
            assert (one.close_code, two.close_code) == (None, None)


async def test_nobody_answers_when_no_node_does() -> None:
    async with a_network() as network:
        network.take_out(0)

        with pytest.raises(InvalidMessage):
            await a_client(network)


async def test_doubled_links_send_each_text_of_a_client_twice_and_nothing_else() -> None:
    long = "y" * 70_000
    async with a_network() as network:
        network.links = Links(doubled=True)
        async with a_client(network) as socket:
            await socket.send("x")
            await socket.send(b"bytes")
            await (await socket.ping())
            await socket.send(long)

            answers = await told(socket, 5)

    assert answers == ["0 'x'", "0 'x'", "0 b'bytes'", f"0 {long!r}", f"0 {long!r}"]


@pytest.mark.parametrize("reset", [True, False])
async def test_a_cut_ends_the_connection_without_a_close_frame(reset: bool) -> None:
    async with a_network() as network, a_client(network) as socket:
        network.cut(reset=reset)

        with pytest.raises(ConnectionClosedError):
            await told(socket, 1)


async def test_a_direction_that_swallows_leaves_the_other_one_and_the_connection() -> None:
    async with a_network() as network, a_client(network) as socket:
        [link] = network.to()
        link.swallowed.add("to_client")
        await socket.send("lost on the way back")
        async with a_client(network) as other:
            await other.send("x")
            assert await told(other, 1) == ["0 'x'"]
        link.swallowed.clear()
        await socket.send("heard")

        answers = await told(socket, 1)

    assert answers in (["0 'heard'"], ["0 'lost on the way back'"])


async def test_delayed_links_carry_everything_in_order() -> None:
    async with a_network() as network:
        network.links = Links(delay_s=0.02)
        async with a_client(network) as socket:
            before_s = asyncio.get_running_loop().time()
            for number in range(5):
                await socket.send(str(number))
            answers = await told(socket, 5)
            took_s = asyncio.get_running_loop().time() - before_s

    assert answers == [f"0 '{number}'" for number in range(5)]
    assert took_s >= 0.04
