"""What axe finds on every page and in every state: nothing."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.api.driver import Api
from tests.web.browsing import DESK, PHONE, Visits
from tests.web.life import Life
from tests.web.places import button, dialog, heading, row, table
from tests.web.shots import shots

LOOKS: dict[str, dict[str, Any]] = {
    "light desk": DESK | {"color_scheme": "light"},
    "dark phone": PHONE | {"color_scheme": "dark"},
}
CALM: dict[str, Any] = {"reduced_motion": "reduce"}

in_all_looks = pytest.mark.parametrize("looks", LOOKS.values(), ids=LOOKS.keys())


@pytest.mark.timeout(300)  # many looks, each at a whole page
@in_all_looks
async def test_axe_finds_nothing_on_any_page(
    browser: Browser, life: Life, looks: dict[str, Any]
) -> None:
    visits = Visits(browser, life.site)
    newcomer = await visits(None, **looks, **CALM)
    known = await visits(None, player=life.me, **looks, **CALM)
    newcomer.forgive("/nothing/here")
    known.forgive("/nothing/here")

    for shot in shots(life):
        visitor = known if shot.known else newcomer
        await visitor.go(shot.path)
        await visitor.page.wait_for_load_state("networkidle")
        await expect(visitor.page.get_by_role("main")).not_to_have_attribute("aria-busy", "true")
        try:
            await visitor.check_accessibility()
        except AssertionError as error:
            error.add_note(f"at {shot.name}")
            raise
    await visits.end()


@in_all_looks
async def test_axe_finds_nothing_from_a_lobby_to_the_end_of_a_game(
    visit: Visits, api: Api, looks: dict[str, Any]
) -> None:
    ana, bo = await api.register("Ana"), await api.register("Bo")
    room = await ana.open(countdown_s=60)
    visitor = await visit(f"/rooms/{room}", **looks, **CALM)
    page = visitor.page
    await button(page, "Join this race").click()
    await expect(dialog(page, "What shall we call you?")).to_be_visible()
    await visitor.check_accessibility()
    await page.keyboard.press("Escape")
    await bo.post(f"/rooms/{room}/join")
    await ana.post(f"/rooms/{room}/start")
    await expect(page.get_by_text("Get ready!")).to_be_visible()
    await visitor.check_accessibility()

    room = await ana.race(bo)
    visitor = await visit(f"/rooms/{room}", player=ana, **looks, **CALM)
    page = visitor.page
    await expect(table(page)).to_be_visible()
    await page.keyboard.press("r")  # picked up, with its targets lit
    await open_standings(page)
    await expect(row(page, "Bo")).to_be_visible()
    await visitor.check_accessibility()
    await button(page, "Stop").click()
    await expect(dialog(page, "Stop here?")).to_be_visible()
    await visitor.check_accessibility()
    await dialog(page, "Stop here?").get_by_role("button", name="Stop").click()
    await expect(heading(page, "You stopped")).to_be_visible()
    await visitor.check_accessibility()
    await expect(table(page)).to_be_hidden()
    await visitor.check_accessibility()


async def open_standings(page: Page) -> None:
    """Open the panel that lies beside the table where there is room for it."""
    toggle = button(page, "Standings")
    if await toggle.is_visible():
        await toggle.click()
