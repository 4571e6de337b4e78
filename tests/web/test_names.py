"""Names and titles full of markup: they are text everywhere, and never anything else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from playwright.async_api import Browser, Page, expect

from server.clock import SystemClock, now
from server.race.daily import DAY, day_of
from server.race.player import Player as Person
from server.store.database import Database
from server.store.players import Players
from tests.api.driver import EXAMPLE, Api, Player, serving
from tests.live.days import plan
from tests.web.browsing import Visits
from tests.web.places import field, heading, row

TITLE = "<img src=x onerror=alert(1)>\"'&"
NAME = "<b onclick=alert(1)>\"'&"
"""A name that nobody can register; so it is written straight into the database."""


@pytest.fixture
async def eve(sqlite_url: str) -> AsyncIterator[Player]:
    """Somebody who has such a name and plays today's deal, at a server that runs."""
    person = Person(id="p_forged", name=NAME, kind="human")
    database = Database(sqlite_url)
    await database.open()
    await Players(database).create(
        person, token="cr_forged", token_id="t_forged", label="first", at=datetime.now(UTC)
    )
    today = day_of(now(SystemClock()))
    await plan(database, today, today + DAY)  # should midnight come meanwhile
    await database.close()
    async with serving(sqlite_url) as api:
        eve = Player(api.client, "cr_forged", {"id": person.id, "name": NAME, "kind": "human"})
        await eve.post("/daily/join")
        yield eve


async def test_a_name_full_of_markup_is_refused_and_can_be_mended(visit: Visits) -> None:
    visitor = await visit("/")
    visitor.forgive("status of 422")
    name = field(visitor.page, "Your name")

    await name.fill("<b>Ana</b>")
    await visitor.page.keyboard.press("Enter")

    await expect(visitor.page.get_by_role("alert")).not_to_be_empty()
    await expect(name).to_have_value("<b>Ana</b>")
    await expect(name).to_be_focused()


async def test_markup_in_a_title_and_in_a_name_is_shown_as_text_on_every_page(
    browser: Browser, eve: Player
) -> None:
    ana = await Api(eve.client).register("Ana")
    visits = Visits(browser, str(eve.client.base_url).rstrip("/"))
    room = await eve.open(title=TITLE, code=EXAMPLE, countdown_s=0)
    await ana.post(f"/rooms/{room}/join")
    hers = (await visits("/", player=ana)).page
    his = (await visits(f"/rooms/{room}", player=eve)).page

    await check_lobby(hers, his)
    await eve.post(f"/rooms/{room}/start")
    await expect(row(hers, NAME)).to_be_visible()
    for player in (eve, ana):
        await player.play(room, "12")
        await player.resign(room)
    await expect(heading(hers, "Final standings")).to_be_visible()
    await expect(row(hers, NAME)).to_be_visible()
    await check_pages_of_a_player(hers, eve.id)
    await visits.end()


async def check_lobby(hers: Page, his: Page) -> None:
    """Look at the home page, and at the race before it begins."""
    await expect(row(hers, NAME)).to_be_visible()
    await expect(hers.get_by_text(f"by {NAME}")).to_be_visible()
    await hers.get_by_role("link", name=TITLE, exact=True).click()
    await expect(heading(hers, TITLE)).to_be_visible()
    await expect(hers).to_have_title(f"{TITLE} · Canfield Race")
    await expect(hers.get_by_role("link", name=NAME, exact=True)).to_be_visible()
    await expect(his.get_by_role("banner").get_by_text(NAME)).to_be_visible()


async def check_pages_of_a_player(page: Page, player: str) -> None:
    """Look at a player's page, and at the replay of a game that is linked there."""
    await row(page, NAME).get_by_role("link", name=NAME, exact=True).click()
    await expect(heading(page, NAME)).to_be_visible()
    assert page.url.endswith(f"/players/{player}")
    await page.get_by_role("link", name="Watch the game of").click()
    await expect(heading(page, f"The game of {NAME}")).to_be_visible()
    await expect(page).to_have_title(f"The game of {NAME} · Canfield Race")
