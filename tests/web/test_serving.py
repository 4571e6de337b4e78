"""The page as a browser loads it: light, early, kept, and closed to what is not ours."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Error, Route, expect

from server.api.assets import read_assets
from tests.web.browsing import PHONE, Visitor, Visits

MOST_BYTES = 200_000
MOST_BYTES_AT_FIRST = 100_000

PAINTED = "performance.getEntriesByName('first-contentful-paint').length > 0"
TRANSFERRED = """() => Object.fromEntries(
  ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type))
    .map((entry) => [new URL(entry.name).pathname, entry.transferSize]))"""


async def transferred(visitor: Visitor) -> dict[str, int]:
    """What the page has loaded once it shows something: paths, and bytes with their headers."""
    await expect(visitor.page.get_by_role("heading", level=1)).to_be_visible()
    sizes: dict[str, int] = await visitor.page.evaluate(TRANSFERRED)
    return sizes


def test_all_there_is_would_be_light_even_if_all_of_it_were_loaded() -> None:
    assets = read_assets()

    everything = (*assets.documents.values(), *assets.files.values())
    packed = [len(asset.packed or asset.plain) for asset in everything]

    assert sum(packed) < MOST_BYTES


async def test_the_first_view_is_light_and_the_next_one_is_there_already(visit: Visits) -> None:
    visitor = await visit("/", **PHONE)
    first = await transferred(visitor)
    await visitor.page.reload()
    second = await transferred(visitor)

    files = {path for path in first if path.startswith("/web/")}
    assert len(files) > 5
    assert all(first[path] > 0 for path in files)
    assert sum(first.values()) < MOST_BYTES_AT_FIRST
    assert {path: second[path] for path in files} == dict.fromkeys(files, 0)


@pytest.mark.parametrize("path", ["/", "/daily"])
async def test_a_page_is_painted_before_the_server_has_answered_anything(
    visit: Visits, path: str
) -> None:
    visitor = await visit(None, **PHONE)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    await visitor.page.route("**/api/**", hold)

    await visitor.go(path)

    await visitor.page.wait_for_function(PAINTED)
    await expect(visitor.page.get_by_role("banner")).to_contain_text("Canfield Race")
    assert visitor.sockets == []


@pytest.mark.parametrize(
    "path", ["/", "/daily", "/new", "/boards", "/settings", "/help", "/nothing/here"]
)
async def test_every_page_says_what_it_is_and_nothing_fails_unseen(
    visit: Visits, path: str
) -> None:
    visitor = await visit(None)
    if path == "/nothing/here":
        visitor.forgive("status of 404")

    await visitor.go(path)

    heading = visitor.page.get_by_role("heading", level=1)
    await expect(heading).to_have_count(1)
    await expect(heading).not_to_be_empty()
    await expect(visitor.page).to_have_title(re.compile(r".+ . Canfield Race|Canfield Race"))


async def test_nothing_that_is_written_into_the_page_is_run_or_drawn(visit: Visits) -> None:
    visitor = await visit("/new")
    visitor.forgive("Content Security Policy", "TrustedHTML")

    for sink in ("document.body.innerHTML = '<b></b>'", "new Image().outerHTML = '<b></b>'"):
        with pytest.raises(Error, match="TrustedHTML"):
            await visitor.page.evaluate(sink)
    await visitor.page.evaluate("document.body.setAttribute('style', 'color: rgb(1, 2, 3)')")
    colour = await visitor.page.evaluate("getComputedStyle(document.body).color")
    assert colour != "rgb(1, 2, 3)"
