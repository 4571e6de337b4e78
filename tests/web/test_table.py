"""The table by itself: taps, drags, keys and cards that move, in a browser, without a race."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Locator, Page, ViewportSize, expect

from tests.web.browsing import PHONE, Visitor, Visits

DEAL = "CF1-D3-AAAAACL"
WIDE: ViewportSize = {"width": 1280, "height": 800}
LOW: ViewportSize = {"width": 844, "height": 390}

SET_UP = """async (code) => {
  const web = new URL(".", document.querySelector("script[type=module]").src);
  const from = (path) => import(new URL(path, web));
  const { createTable } = await from("table/table_view.js");
  const { tableFromDeal, tableFromView } = await from("rules/table.js");
  const { play, reveal } = await from("rules/moves.js");
  const deal = await (await fetch(`/api/v1/deals/${code}`)).json();
  const log = [];
  let table = tableFromDeal(deal);
  const view = createTable({
    onMove(move) { log.push(move); table = play(table, move).table; view.show(table); },
    onUndo() { log.push("u"); },
  });
  const main = document.getElementById("main");
  main.style.cssText = "position: fixed; inset: 60px 0 0";
  main.replaceChildren(view.element);
  window.race = { log, view, play, reveal, table: () => table,
    seen: tableFromView({ ...deal, stock_count: 34, waste: [], reserve_count: 13,
      reserve_top: deal.reserve.at(-1) }, deal) };
  view.show(table, { animate: false });
}"""


async def at_a_table(visit: Visits, code: str = DEAL, **options: Any) -> Visitor:
    """A table with a deal laid open, on which moves are played as the rules say."""
    visitor = await visit("/help", **options)
    await expect(visitor.page.get_by_role("heading", level=1)).to_be_visible()
    await visitor.page.evaluate(SET_UP, code)
    await expect(pile(visitor.page, "1")).to_be_visible()
    return visitor


def pile(page: Page, name: str) -> Locator:
    return page.locator(f".pile[data-pile='{name}']")


async def middle(page: Page, name: str) -> tuple[float, float]:
    box = await pile(page, name).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def played(page: Page) -> list[str]:
    log: list[str] = await page.evaluate("race.log")
    return log


async def carry(page: Page, source: str, target: str) -> None:
    """Press on a pile and bring its card to another one, without letting go."""
    await page.mouse.move(*await middle(page, source))
    await page.mouse.down()
    await page.mouse.move(*await middle(page, target), steps=5)


def settled(page: Page) -> Locator:
    """Cards on their way; none when everything has arrived."""
    return page.locator(".card:is(.moving, .carried)")


async def test_a_click_sends_a_card_and_the_reserve_fills_the_gap(visit: Visits) -> None:
    page = (await at_a_table(visit)).page

    await page.mouse.click(*await middle(page, "1"))
    await page.mouse.click(*await middle(page, "reserve"))
    await page.mouse.click(*await middle(page, "stock"))

    assert await played(page) == ["12", "rf", "d"]
    await expect(pile(page, "2")).to_have_accessible_name(
        "Column 2, 2 cards: queen of clubs, king of hearts"
    )
    await expect(pile(page, "1")).to_have_accessible_name("Column 1: jack of diamonds")
    await expect(pile(page, "stock")).to_contain_text("31")
    await expect(settled(page)).to_have_count(0)


async def test_a_tap_on_a_phone_is_a_move_and_a_drag_of_a_finger_is_one(visit: Visits) -> None:
    page = (await at_a_table(visit, **PHONE)).page
    touch = await page.context.new_cdp_session(page)

    async def finger(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        await touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    await page.touchscreen.tap(*await middle(page, "1"))
    start, end = await middle(page, "reserve"), await middle(page, "H")
    await finger("touchStart", start)
    await finger("touchMove", (start[0] + 30, start[1] + 5))
    await finger("touchMove", end)
    await expect(pile(page, "H")).to_have_attribute("data-target", "aim")
    await finger("touchEnd")

    assert await played(page) == ["12", "rf"]
    assert await page.evaluate("window.scrollY") == 0


async def test_a_second_finger_calls_a_drag_off(visit: Visits) -> None:
    page = (await at_a_table(visit, **PHONE)).page
    touch = await page.context.new_cdp_session(page)
    (x, y), end = await middle(page, "1"), await middle(page, "2")

    for kind, points in [
        ("touchStart", [(x, y)]),
        ("touchMove", [(x + 30, y)]),
        ("touchMove", [end]),
        ("touchStart", [end, (x, y + 200)]),
        ("touchEnd", []),
    ]:
        at = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        await touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    await expect(settled(page)).to_have_count(0)
    await expect(page.locator(".pile[data-target]")).to_have_count(0)
    assert await played(page) == []


async def test_a_drag_lights_where_the_card_may_go_and_ends_there(visit: Visits) -> None:
    page = (await at_a_table(visit)).page

    await carry(page, "1", "2")
    await expect(page.locator(".pile[data-target]")).to_have_count(1)
    await expect(pile(page, "2")).to_have_attribute("data-target", "aim")
    await page.mouse.up()

    assert await played(page) == ["12"]
    await expect(page.locator(".pile[data-target]")).to_have_count(0)


async def test_a_drag_to_where_the_card_does_not_go_springs_back_and_says_why(
    visit: Visits,
) -> None:
    page = (await at_a_table(visit)).page
    before = await middle(page, "1")

    await carry(page, "1", "3")
    await page.mouse.up()

    why = "The queen of clubs does not go on the three of hearts"
    await expect(page.locator(".table-hint")).to_contain_text(why)
    await expect(page.locator("#urgent")).to_contain_text(why)
    await expect(settled(page)).to_have_count(0)
    assert (await played(page), await middle(page, "1")) == ([], before)


async def test_escape_and_the_felt_end_a_drag_without_a_move(visit: Visits) -> None:
    page = (await at_a_table(visit)).page

    await carry(page, "1", "2")
    await page.keyboard.press("Escape")
    await expect(settled(page)).to_have_count(0)
    await page.mouse.up()
    await carry(page, "1", "2")
    await page.mouse.move(640, 790, steps=3)
    await page.mouse.up()

    await expect(settled(page)).to_have_count(0)
    assert await played(page) == []


async def test_keys_play_the_whole_table(visit: Visits) -> None:
    page = (await at_a_table(visit)).page

    for key in ["1", "2", "r", "f", "d", "u"]:
        await page.keyboard.press(key)
    assert await played(page) == ["12", "rf", "d", "u"]

    await pile(page, "2").focus()
    await page.keyboard.press("Enter")
    await expect(pile(page, "2")).to_have_attribute("aria-pressed", "true")
    await page.keyboard.press("ArrowUp")
    await expect(page.locator(".card.held")).to_have_count(2)
    await expect(page.locator("#polite")).to_contain_text("2 cards from the king of hearts")
    await page.keyboard.press("ArrowRight")
    await expect(pile(page, "3")).to_be_focused()
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Space")

    assert (await played(page))[-1] == "24x2"
    await expect(pile(page, "4")).to_be_focused()
    await expect(page.locator(".pile[tabindex='0']")).to_have_count(1)


async def test_keys_meant_for_a_field_are_left_to_it(visit: Visits) -> None:
    page = (await at_a_table(visit)).page
    await page.evaluate("document.body.append(document.createElement('input'))")

    await page.locator("input").focus()
    await page.keyboard.type("d12")

    assert await played(page) == []
    await expect(page.locator("input")).to_have_value("d12")


async def test_a_screen_reader_presses_buttons_and_hears_each_change(visit: Visits) -> None:
    visitor = await at_a_table(visit)
    page = visitor.page

    await pile(page, "1").dispatch_event("click")
    await pile(page, "2").dispatch_event("click")

    assert await played(page) == ["12"]
    await expect(page.locator("#polite")).to_contain_text(
        "Queen of clubs to column 2. Jack of diamonds to column 1. "
        "The reserve shows the eight of hearts."
    )
    await visitor.check_accessibility()


async def test_unknown_cards_are_backs_until_the_server_tells_them(visit: Visits) -> None:
    page = (await at_a_table(visit)).page
    backs = page.locator(".card[data-pile='waste'][data-face='down']")

    await page.evaluate("race.drawn = race.play(race.seen, 'd').table")
    await page.evaluate("race.view.show(race.seen); race.view.show(race.drawn, { pending: 1 })")
    await expect(backs).to_have_count(3)
    await expect(page.locator(".card.unsure")).to_have_count(3)
    await page.evaluate("window.cards = [...document.querySelectorAll('[data-pile=waste].card')]")
    await page.evaluate("race.view.show(race.reveal(race.drawn, ['AH', 'QH', '5D']))")

    await expect(backs).to_have_count(0)
    await expect(page.locator(".card.unsure")).to_have_count(0)
    assert await page.evaluate("cards.every((card) => card.isConnected)")
    await expect(page.locator("#polite")).to_contain_text("Drawn: ace of hearts, queen of hearts")


@pytest.mark.parametrize("reduced_motion", ["reduce", "no-preference"])
async def test_nothing_moves_for_who_asked_for_less_motion(
    visit: Visits, reduced_motion: str
) -> None:
    page = (await at_a_table(visit, reduced_motion=reduced_motion)).page

    await page.evaluate("race.view.show(race.play(race.table(), '12').table)")

    moving = await page.evaluate("document.getAnimations().length")
    assert (moving == 0) == (reduced_motion == "reduce")


async def test_a_table_that_is_only_looked_at_takes_no_moves(visit: Visits) -> None:
    page = (await at_a_table(visit)).page
    await page.evaluate("race.view.setPlayable(false)")

    await page.mouse.click(*await middle(page, "1"))
    await page.keyboard.press("d")
    await carry(page, "1", "2")
    await page.mouse.up()

    assert await played(page) == []
    await expect(settled(page)).to_have_count(0)


async def test_the_table_takes_the_shape_of_its_box(visit: Visits) -> None:
    page = (await at_a_table(visit, viewport=WIDE)).page
    table = page.locator(".table")

    await expect(table).to_have_attribute("data-arrangement", "wide")
    await page.set_viewport_size(LOW)
    await expect(table).to_have_attribute("data-arrangement", "low")
    await page.set_viewport_size({"width": 360, "height": 640})
    await expect(table).to_have_attribute("data-arrangement", "tall")

    box = await page.locator(".card[data-pile='4']").bounding_box()
    assert box is not None
    assert box["width"] >= 58
    assert box["x"] + box["width"] <= 360
