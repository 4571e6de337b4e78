"""Moves on a dead connection: who leaves and comes back finds them; who stays is told, and soon."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from playwright.async_api import Browser, Page, expect

from tests.api.driver import WIN, Api, Player
from tests.faults.network import Network
from tests.web.browsing import Visits
from tests.web.places import heading, table
from tests.web.play import Hands, game_of, kept

BEFORE, SEEN = 60, 103
"""The page comes to the race after so many moves of the winning line, and has seen the whole stock
after so many: it then shows cards that a page which comes anew does not know."""

LOST = "Connection lost. Keep playing: it comes back by itself."
LATE = "The server is slow to answer. Keep playing."

LISTEN = """() => {
  window.told = [];
  const link = document.querySelector(".link-state");
  const listen = () => window.told.push(link.textContent);
  new MutationObserver(listen).observe(link, {childList: true, subtree: true});
}"""
"""Notes whatever the page tells of its connection, however briefly."""


@pytest.fixture
async def afar(browser: Browser, network: Network) -> AsyncIterator[Visits]:
    """Bring people to the site over a network that fails them."""
    visits = Visits(browser, network.url)
    yield visits
    await visits.end()


async def a_race(api: Api, afar: Visits) -> tuple[Player, str, Hands]:
    """A race of one, at whose page one has sat for a while."""
    ana = await api.register()
    room = await ana.race()
    await ana.play(room, *WIN[:BEFORE])
    visitor = await afar("/help", player=ana)  # the browser then has it without a network
    await expect(heading(visitor.page, "How to play")).to_be_visible()
    await visitor.go(f"/rooms/{room}")
    visitor.forgive("WebSocket connection to", "net::ERR")
    hands = Hands(visitor.page)
    await hands.follow(*WIN[:BEFORE])
    await ana.play(room, *WIN[BEFORE:SEEN], ply=BEFORE)
    await hands.follow(*WIN[BEFORE:SEEN])
    return ana, room, hands


async def by_a_link(page: Page, network: Network) -> None:
    """Go to another page and back, within the document."""
    await page.get_by_role("link", name="Help").click()
    await expect(heading(page, "How to play")).to_be_visible()
    network.put_in(0)
    await page.go_back()


async def by_a_load(page: Page, network: Network) -> None:
    """Leave the document, and load it again."""
    address = page.url
    await page.goto("about:blank")
    network.put_in(0)
    await page.goto(address)


@pytest.mark.parametrize("leave", [by_a_link, by_a_load])
async def test_moves_made_without_a_connection_are_there_after_leaving_the_page(
    api: Api, afar: Visits, network: Network, leave: Callable[[Page, Network], Awaitable[None]]
) -> None:
    ana, room, hands = await a_race(api, afar)
    network.take_out(0)
    network.cut()
    await expect(hands.page.get_by_text(LOST)).to_be_visible()
    await hands.play(*WIN[SEEN : SEEN + 8])
    assert (await game_of(ana, room))["ply"] == SEEN

    await leave(hands.page, network)

    await expect(table(hands.page)).to_be_visible()
    await hands.see()
    await kept(ana, room, hands)
    assert await hands.page.evaluate("sessionStorage.length") == 0


async def test_a_connection_that_is_dead_and_open_is_noticed_by_who_plays(
    api: Api, afar: Visits, network: Network
) -> None:
    ana, room, hands = await a_race(api, afar)
    for link in network.to():
        link.swallowed |= {"to_node", "to_client"}
    await hands.page.evaluate(LISTEN)
    await hands.play(WIN[SEEN])

    await hands.page.wait_for_function("text => window.told.includes(text)", arg=LATE)
    await hands.play(WIN[SEEN + 1])
    await kept(ana, room, hands)
    await expect(hands.page.get_by_text(LATE)).to_be_hidden()
    await expect(hands.page.get_by_text(LOST)).to_be_hidden()
