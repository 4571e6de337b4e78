"""Texts that are long, wild or large: they wrap, and none lies over another one."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from tests.api.driver import WIN, Api
from tests.web.browsing import Visits
from tests.web.places import button, heading, row

WIDE = "W" * 80
LONG_NAME = "W" * 20
PILED = "Pile" + "\N{COMBINING ACUTE ACCENT}\N{COMBINING CIRCUMFLEX ACCENT}" * 30

WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

TEXT_AT = """(percent) => {
  document.documentElement.style.setProperty("font-size", `${percent}%`);
}"""

OVERLAPPING = """(selector) => {
  const boxes = [...document.querySelectorAll(selector)]
    .filter((element) => element.checkVisibility())
    .map((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const rects = element.matches("svg") ? element.getClientRects() : range.getClientRects();
      return { element, rects: [...rects].filter(({ width }) => width > 0) };
    });
  const before = (a, b) => a.right <= b.left + 1 || a.bottom <= b.top + 1;
  const apart = (a, b) => before(a, b) || before(b, a);
  return boxes.flatMap((one, i) => boxes.slice(i + 1)
    .filter((other) => one.rects.some((a) => other.rects.some((b) => !apart(a, b))))
    .map((other) => [one.element.outerHTML.slice(0, 80), other.element.outerHTML.slice(0, 80)]));
}"""
"""Gives the pairs of elements whose texts or drawings are drawn over each other."""


async def wait_until_shown(page: Page) -> None:
    await page.wait_for_load_state("networkidle")
    await expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.parametrize("width", [320, 360, 700])
async def test_long_words_are_broken_wherever_they_stand(
    visit: Visits, api: Api, width: int
) -> None:
    ana, bo = await api.register(LONG_NAME), await api.register("M" * 20)
    lobby = await ana.open(title=WIDE)
    racing = await ana.race(bo, title=WIDE, time_limit_s=7200)
    finished = await ana.race(bo, title=WIDE)
    for one in (ana, bo):
        await one.resign(finished)
    visitor = await visit(None, player=ana, viewport={"width": width, "height": 640})
    page = visitor.page
    wider = {}

    paths = ["/", *(f"/rooms/{room}" for room in (lobby, racing, finished))]
    for path in (*paths, "/boards", f"/players/{ana.id}"):
        await visitor.go(path)
        await wait_until_shown(page)
        for more in await page.locator("summary:visible").all():
            await more.click()
        wider[path] = await page.evaluate(WIDER)

    assert wider == dict.fromkeys(wider, 0)
    watcher = await visit(f"/rooms/{racing}", viewport={"width": width, "height": 640})
    await expect(row(watcher.page, LONG_NAME)).to_be_visible()
    assert await watcher.page.evaluate(WIDER) == 0


async def test_no_text_of_the_home_page_lies_under_the_cards(visit: Visits) -> None:
    page = (await visit(locale="hr-HR")).page
    await wait_until_shown(page)
    for percent in (100, 200):
        await page.evaluate(TEXT_AT, percent)
        for width in (320, 360, 390, 600, 640, 700, 820, 960, 1280):
            await page.set_viewport_size({"width": width, "height": 800})
            found = await page.evaluate(OVERLAPPING, ".fan, .hero-play :is(p, h1, label, a)")
            assert found == [], (width, percent)
            assert width < 390 or percent > 100 or await page.locator(".fan").is_visible()


async def test_text_of_twice_the_size_needs_no_scrolling_sideways(visit: Visits, api: Api) -> None:
    ana, bo = await api.register("Ana"), await api.register("Bo")
    daily = (await ana.post("/daily/join"))["id"]
    await ana.play(daily, *WIN[:2])
    await ana.resign(daily)
    await bo.open(title="Before bed")
    racing = await ana.race(bo, time_limit_s=7200)
    visitor = await visit(None, player=ana, viewport={"width": 360, "height": 740})
    page = visitor.page
    wider = {}

    for path in ("/", "/daily", "/new", "/settings", "/boards", "/help", f"/rooms/{racing}"):
        await visitor.go(path)
        await wait_until_shown(page)
        await page.evaluate(TEXT_AT, 200)
        wider[path] = await page.evaluate(WIDER)

    assert wider == dict.fromkeys(wider, 0)
    await expect(button(page, "Stop")).to_be_visible()
    assert await page.evaluate(OVERLAPPING, ".number-box :is(.pace, .of), .toolbar .button") == []


async def test_marks_that_pile_up_are_cut_at_the_title(visit: Visits, api: Api) -> None:
    room_id = await (await api.register()).open(title=PILED)
    page = (await visit()).page
    link = page.get_by_role("link", name="Pile").first
    await expect(link).to_be_visible()
    assert await link.evaluate("(element) => getComputedStyle(element).overflowY") == "clip"

    await page.goto(f"{visit.site}/rooms/{room_id}")

    title = heading(page, PILED)
    await expect(title).to_be_visible()
    assert await title.evaluate("(element) => getComputedStyle(element).overflowY") == "clip"
