"""The page on a bad network: what is played while it is away is there when it comes back, once."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from playwright.async_api import Browser, expect

from tests.api.driver import WIN, Api, Player
from tests.clients.server_process import ServerProcess
from tests.faults.network import Direction, Network
from tests.web.browsing import Visits
from tests.web.places import pile
from tests.web.play import Hands, game_of, kept

PLAYED = 97
"""Moves of the winning line after which the reserve is empty, so that the next ones turn up nothing
that only the server knows."""

LOST = "Connection lost. Keep playing: it comes back by itself."


@asynccontextmanager
async def a_game(browser: Browser, address: str, player: Player, room: str) -> AsyncIterator[Hands]:
    """A race under way, at a page of a server that cannot always be reached."""
    visits = Visits(browser, address)
    visitor = await visits(f"/rooms/{room}", player=player)
    visitor.forgive("WebSocket connection to", "net::ERR")
    hands = Hands(visitor.page)
    try:
        await hands.follow(*WIN[:PLAYED])
        yield hands
    finally:
        await visits.end()


async def a_race(api: Api) -> tuple[Player, str]:
    """Start a race, and play most of it."""
    ana = await api.register()
    room = await ana.race()
    await ana.play(room, *WIN[:PLAYED])
    return ana, room


async def test_moves_made_without_a_connection_show_at_once_and_are_kept_once_it_is_back(
    browser: Browser, api: Api, network: Network
) -> None:
    ana, room = await a_race(api)
    async with a_game(browser, network.url, ana, room) as hands:
        network.take_out(0)
        network.cut()
        await expect(hands.page.get_by_text(LOST)).to_be_visible()

        await hands.play(*WIN[PLAYED : PLAYED + 7])
        await hands.page.keyboard.press("d")
        await expect(pile(hands.page, "Waste")).to_have_accessible_name(re.compile("face down"))
        assert (await game_of(ana, room))["ply"] == PLAYED
        network.put_in(0)

        await hands.follow("d")
        await kept(ana, room, hands)
        await expect(hands.page.get_by_text(LOST)).to_be_hidden()


@pytest.mark.parametrize("direction", ["to_node", "to_client"])
async def test_moves_or_answers_that_are_lost_on_the_way_are_made_good(
    browser: Browser, api: Api, network: Network, direction: Direction
) -> None:
    ana, room = await a_race(api)
    async with a_game(browser, network.url, ana, room) as hands:
        for link in network.to():
            link.swallowed.add(direction)
        await hands.play(*WIN[PLAYED : PLAYED + 2])
        if direction == "to_client":
            await kept(ana, room, hands)
        network.cut()

        await hands.play(*WIN[PLAYED + 2 : PLAYED + 7], "d")
        await kept(ana, room, hands)


async def test_the_game_goes_on_by_itself_after_the_server_was_killed_and_started_again(
    browser: Browser, sqlite_url: str, tmp_path: Path
) -> None:
    server = ServerProcess(tmp_path, sqlite_url)
    await server.start()
    client = httpx2.AsyncClient(base_url=server.url, trust_env=False, timeout=30)
    try:
        ana, room = await a_race(Api(client))
        async with a_game(browser, server.url, ana, room) as hands:
            await hands.play(WIN[PLAYED])
            await server.kill()
            await expect(hands.page.get_by_text(LOST)).to_be_visible()
            await hands.play(*WIN[PLAYED + 1 : PLAYED + 7])
            await server.start()

            await expect(hands.page.get_by_text(LOST)).to_be_hidden()
            await hands.play("d")
            await kept(ana, room, hands)
    finally:
        await client.aclose()
        await server.kill()
