"""Where things are on the page: all that tests know of it, by role and by what it is called."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Locator, Page

from tests.api.driver import Api, Player


def heading(page: Page, name: str) -> Locator:
    return page.get_by_role("heading", name=name, exact=True)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name)


def field(page: Page, label: str) -> Locator:
    return page.get_by_label(label, exact=True)


def table(page: Page) -> Locator:
    """The card table of a race."""
    return page.get_by_role("application", name="The table")


def pile(page: Page, name: str) -> Locator:
    """A pile of the card table, by how its name begins."""
    return table(page).get_by_role("button", name=name)


def row(page: Page, player: str) -> Locator:
    """The row of a player in standings."""
    return page.get_by_role("row").filter(has=page.get_by_role("link", name=player, exact=True))


def cells(page: Page, player: str) -> Locator:
    """What the standings show of a player: rank, name with state, cards placed, and when."""
    return row(page, player).get_by_role("cell")


def placed(page: Page, player: str) -> Locator:
    """How many cards the standings show of a player."""
    return cells(page, player).nth(2)


def dialog(page: Page, title: str) -> Locator:
    return page.get_by_role("dialog", name=title)


async def choose(page: Page, option: str) -> None:
    """Choose one of a group, whose radio buttons lie below what is seen of them."""
    await page.get_by_role("radio", name=option).check(force=True)


async def give_name(page: Page, name: str) -> None:
    """Answer the question for a name."""
    asked = dialog(page, "What shall we call you?")
    await asked.get_by_label("Your name").fill(name)
    await asked.get_by_role("button", name="Let’s play").click()  # noqa: RUF001 — as it is printed


async def stop_playing(page: Page) -> None:
    """End one's own game."""
    await button(page, "Stop").click()
    await dialog(page, "Stop here?").get_by_role("button", name="Stop").click()


async def player_at(page: Page, api: Api) -> Player:
    """Call the API as the player whom this browser knows."""
    held: dict[str, Any] = await page.evaluate(
        "JSON.parse(localStorage.getItem('canfield.account'))"
    )
    return Player(api.client, held["token"], held["player"])


def room_of(page: Page) -> str:
    """The room whose page this is."""
    return page.url.rpartition("/rooms/")[2]
