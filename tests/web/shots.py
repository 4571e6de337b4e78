"""Pictures of every page, in light and dark, on a phone and at a desk.

`python -m tests.web.shots FOLDER` makes them all; `--only race --language sv` some, in another
language.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from playwright.async_api import Browser, expect

from tests.conftest import migrated
from tests.web.browsing import CHROMIUM, DESK, PHONE, Visits, running_browser
from tests.web.life import Life, some_life

SCREENS = {"phone": PHONE, "desk": DESK}
SCHEMES = ("light", "dark")


class Shot(NamedTuple):
    """A page to be seen; `known`: by a browser that knows its player."""

    name: str
    path: str
    known: bool = True


def shots(life: Life) -> list[Shot]:
    """Give every page of the site."""
    return [
        Shot("newcomer", "/", known=False),
        Shot("home", "/"),
        Shot("daily", "/daily"),
        Shot("day", f"/daily/{life.yesterday}"),
        Shot("new", "/new"),
        Shot("lobby", f"/rooms/{life.lobby}"),
        Shot("race", f"/rooms/{life.racing}"),
        Shot("result", f"/rooms/{life.finished}"),
        Shot("replay", f"/games/{life.game}"),
        Shot("boards", "/boards"),
        Shot("wins", "/boards/wins"),
        Shot("player", f"/players/{life.me.id}"),
        Shot("settings", "/settings"),
        Shot("help", "/help"),
        Shot("nothing", "/nothing/here"),
    ]


async def take(
    browser: Browser, life: Life, wanted: Iterable[Shot], folder: Path, **options: Any
) -> None:
    """Take the pictures; what goes wrong on a page is said."""
    site = str(life.api.client.base_url).rstrip("/")
    for (screen, looks), scheme in product(SCREENS.items(), SCHEMES):
        visits = Visits(browser, site)
        usual = {"color_scheme": scheme, "reduced_motion": "reduce", **looks, **options}
        newcomer = await visits(None, **usual)
        known = await visits(None, player=life.me, **usual)
        for shot in wanted:
            visitor = known if shot.known else newcomer
            await visitor.go(shot.path)
            await expect(visitor.page.get_by_role("heading", level=1)).to_have_count(1)
            await visitor.page.wait_for_load_state("networkidle")
            path = folder / f"{shot.name}-{screen}-{scheme}.png"
            await visitor.page.screenshot(path=path, full_page=True)
        for visitor in (newcomer, known):
            visitor.forgive("/nothing/here")
        try:
            await visits.end()
        except AssertionError as error:
            print(f"{screen}, {scheme}: {error}")  # noqa: T201 — whoever looks wants to know


async def main() -> None:
    """Read the command and do it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", default=[], help="names of shots")
    parser.add_argument("--language", default="en")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as kept:
        url = f"sqlite:///{kept}/race.db"
        await migrated(url)
        async with some_life(url) as life, running_browser(CHROMIUM) as browser:
            wanted = [s for s in shots(life) if not chosen.only or s.name in chosen.only]
            await take(browser, life, wanted, chosen.folder, locale=chosen.language)


if __name__ == "__main__":
    asyncio.run(main())
