"""A phone in the hand: taps and drags by a finger, nothing out of reach, upright or on its side."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, Page, ViewportSize, expect

from tests.api.driver import WIN, Api
from tests.web.browsing import PHONE, Visits
from tests.web.life import Life
from tests.web.places import button, heading, stop_playing, table
from tests.web.play import Finger, Hands, kept
from tests.web.shots import shots

UPRIGHT: ViewportSize = {"width": 360, "height": 640}
ON_ITS_SIDE: ViewportSize = {"width": 640, "height": 360}
SCREENS = {"upright": UPRIGHT, "on its side": ON_ITS_SIDE}

LEAST_PX = 24
MAIN_PX = 44

TARGETS = """([selector, least]) => {
  const inText = (element) =>
    getComputedStyle(element).display === "inline" && element.closest("p, li, dd, td, label");
  const small = ({width, height}) => width > 1 && height > 1 && Math.min(width, height) < least;
  const hit = (element) => (element.closest("label") ?? element).getBoundingClientRect();
  return [...document.querySelectorAll(selector)]
    .filter((element) => element.checkVisibility() && !inText(element) && small(hit(element)))
    .map((element) => element.outerHTML.slice(0, 200));
}"""
"""Gives what is too small for a finger; links within sentences are let pass, as WCAG 2.5.8 does."""

WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.timeout(300)  # every page, in both ways
async def test_every_page_fits_a_small_phone_and_a_finger(browser: Browser, life: Life) -> None:
    visits = Visits(browser, life.site)
    newcomer, known = await visits(None, **PHONE), await visits(None, player=life.me, **PHONE)
    newcomer.forgive("/nothing/here")
    known.forgive("/nothing/here")
    found = {}

    for shot in shots(life):
        page = (await (known if shot.known else newcomer).go(shot.path)).page
        await page.wait_for_load_state("networkidle")
        await expect(page.get_by_role("main")).not_to_have_attribute("aria-busy", "true")
        for name, screen in SCREENS.items():
            await page.set_viewport_size(screen)
            found[shot.name, name] = [
                await page.evaluate(WIDER),
                await page.evaluate(TARGETS, ["a, button, input, select, summary", LEAST_PX]),
                await page.evaluate(TARGETS, [".button.primary, .button.big", MAIN_PX]),
            ]

    assert found == {key: [0, [], []] for key in found}
    await visits.end()


@pytest.mark.parametrize("screen", SCREENS.values(), ids=SCREENS.keys())
async def test_a_finger_plays_by_taps_and_drags_on_a_table_that_fits(
    visit: Visits, api: Api, screen: ViewportSize
) -> None:
    ana = await api.register("Ana")
    room = await ana.race()
    page = (await visit(f"/rooms/{room}", player=ana, **PHONE | {"viewport": screen})).page
    hands = Hands(page, finger=await Finger.on_touch_screen(page))
    await hands.see()
    await check_reach(page)

    await hands.play(*WIN[:2])
    await hands.drag(WIN[2])
    await hands.drag(WIN[3])
    await hands.play(*WIN[4:8])
    await kept(ana, room, hands)
    assert await page.evaluate(WIDER) == 0
    assert await page.evaluate("scrollY") == 0
    for name in ("Undo", "Stop"):
        box = await button(page, name).bounding_box()
        assert box is not None
        assert box["height"] >= MAIN_PX
    await stop_playing(page)
    await expect(heading(page, "You stopped")).to_be_visible()


async def check_reach(page: Page) -> None:
    """See that every pile lies on the screen, large enough for a finger."""
    view = page.viewport_size
    assert view is not None
    for pile in await table(page).get_by_role("button").all():
        box = await pile.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= LEAST_PX
        assert 0 <= box["x"] <= box["x"] + box["width"] <= view["width"]
        assert 0 <= box["y"] <= box["y"] + box["height"] <= view["height"]


async def test_the_table_turns_with_the_phone_and_goes_on(visit: Visits, api: Api) -> None:
    ana = await api.register("Ana")
    room = await ana.race()
    page = (await visit(f"/rooms/{room}", player=ana, **PHONE | {"viewport": UPRIGHT})).page
    hands = Hands(page, finger=await Finger.on_touch_screen(page))
    await hands.see()
    await hands.play(WIN[0])

    await page.set_viewport_size(ON_ITS_SIDE)
    await hands.see()
    await hands.play(*WIN[1:3])
    await kept(ana, room, hands)
