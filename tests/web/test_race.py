"""Two people at two browsers: from a typed code through a race to a rematch."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from tests.api.driver import EXAMPLE, WIN, Api
from tests.web.browsing import Visits
from tests.web.places import (
    button,
    cells,
    choose,
    field,
    give_name,
    heading,
    pile,
    placed,
    player_at,
    room_of,
    row,
    stop_playing,
)
from tests.web.play import Hands, kept

CLIPBOARD = ["clipboard-read", "clipboard-write"]
HALF = 90
LEFT_OF_THE_LAST_FOUNDATION = ("H", "D", "C", "waste", "stock")


@pytest.mark.timeout(300)  # a whole game by hand
async def test_two_browsers_race_to_a_win_and_a_resignation_and_meet_again(
    visit: Visits, api: Api
) -> None:
    ana = await api.register("Ana")
    hers = (await visit("/new", player=ana, permissions=CLIPBOARD, reduced_motion="reduce")).page
    link = await open_race(hers)
    his = (await visit(link, reduced_motion="reduce")).page
    await join_as(his, "Bo")
    await expect(hers.get_by_role("listitem").filter(has_text="Bo")).to_be_visible()

    await button(hers, "Start the race").click()
    his_hands = await play_by_keys(his)
    await expect(placed(hers, "Bo")).to_have_text("2")
    her_hands = Hands(hers)
    await win_by_hand(her_hands, his)
    await kept(ana, room_of(hers), her_hands)
    await kept(await player_at(his, api), room_of(hers), his_hands)
    await stop_playing(his)

    await expect(heading(his, "You stopped")).to_be_visible()
    await expect(his.get_by_text("Rank 2 of 2")).to_be_visible()
    await expect(hers.get_by_text("Rank 1 of 2")).to_be_visible()
    for page in (hers, his):
        await expect(heading(page, "Final standings")).to_be_visible()
        for place, texts in enumerate((["1", "Ana ★, won", "52"], ["2", "Bo ⚑, stopped", "2"])):
            for column, text in enumerate(texts):
                name = ("Ana", "Bo")[place]
                await expect(cells(page, name).nth(column)).to_have_text(text)
    await watch_again(hers)
    await meet_again(hers, his)


async def open_race(page: Page) -> str:
    """Open a race by its form; gives the path that a friend is sent."""
    await choose(page, "By code")
    await field(page, "The deal’s code").fill(EXAMPLE)  # noqa: RUF001 — as it is printed
    await page.get_by_text("More settings").click()
    await field(page, "Countdown, in seconds").fill("0")
    await button(page, "Open the race").click()
    await button(page, "Copy").click()
    await expect(page.get_by_text("Copied")).to_be_visible()
    link: str = await page.evaluate("navigator.clipboard.readText()")
    assert link == page.url
    return "/rooms/" + room_of(page)


async def join_as(page: Page, name: str) -> None:
    """Join with a name that is typed when the page asks for it."""
    await button(page, "Join this race").click()
    await give_name(page, name)
    await expect(button(page, "Leave")).to_be_visible()


async def play_by_keys(page: Page) -> Hands:
    """Play without a pointer: by the keys of the piles, by arrows, and take a move back."""
    hands = Hands(page)
    await hands.see()
    await hands.key("12", "12")
    await hands.key("rf", "rf")
    await hands.key("24", "24x2")
    await page.keyboard.press("ArrowUp")
    for _ in LEFT_OF_THE_LAST_FOUNDATION:
        await page.keyboard.press("ArrowLeft")
    await expect(pile(page, "Stock")).to_be_focused()
    await hands.key(["Enter"], "d")
    await hands.key("u", "u")
    return hands


async def win_by_hand(hands: Hands, watching: Page) -> None:
    """Play the whole line by taps and drags, seen by the other one as it goes."""
    await hands.see()
    for half in (WIN[:HALF], WIN[HALF:]):
        for place, move in enumerate(half):
            carry = place % 5 == 0 and move != "d"
            await (hands.drag(move) if carry else hands.play(move))
        await expect(placed(watching, "Ana")).to_have_text(str(hands.board.placed))
    assert hands.board.is_won
    await expect(heading(hands.page, "You did it!")).to_be_visible()
    await expect(row(watching, "Ana")).to_contain_text("won")


async def watch_again(page: Page) -> None:
    """Go from the result to the replay, see its end, and come back."""
    await button(page, "Watch it again").click()
    await expect(heading(page, "The game of Ana")).to_be_visible()
    await button(page, "To the end").click()
    await expect(page.get_by_text(f"{len(WIN)} of {len(WIN)}")).to_be_visible()
    await page.go_back()


async def meet_again(hers: Page, his: Page) -> None:
    """Ask for a rematch at one browser, and join it at the other."""
    await button(his, "Rematch").click()
    await expect(button(his, "Leave")).to_be_visible()
    await button(hers, "Join the rematch").click()
    await expect(hers).to_have_url(his.url)
    for page in (hers, his):
        await expect(page.get_by_role("listitem").filter(has_text="Ana")).to_be_visible()
        await expect(page.get_by_role("listitem").filter(has_text="Bo")).to_be_visible()
