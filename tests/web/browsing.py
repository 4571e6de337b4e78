"""People at browsers: each has a browser's storage of their own, and a page that must not fail.

Whatever a page does wrong and nobody sees makes the test fail that opened it: errors on the
console, exceptions and rejected promises that nobody caught, violations of the policy, requests to
other hosts.
"""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, ConsoleMessage, Page, Request, async_playwright, expect

from tests.api.driver import Player

CHROMIUM = Path("/usr/bin/chromium")

FLAGS = [
    "--no-sandbox",  # the tests of CI run as root
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}

LOCAL_SCHEMES = {"data", "blob"}

PATIENCE_MS = 60_000


def chromium() -> Path:
    """Where Chromium is; without it a test is skipped, or fails where `CHROMIUM` says it is there.

    `.ci/run` installs it and says so.
    """
    if given := os.environ.get("CHROMIUM"):
        if not Path(given).is_file():
            pytest.fail(f"CHROMIUM names {given}, which is not there", pytrace=False)
        return Path(given)
    if not CHROMIUM.is_file():
        pytest.skip(
            f"no {CHROMIUM}: `apt-get install chromium`, or name another one, "
            "CHROMIUM=/path/to/chromium"
        )
    return CHROMIUM


@asynccontextmanager
async def running_browser(executable: Path) -> AsyncIterator[Browser]:
    """A browser that asks for nothing by itself."""
    expect.set_options(timeout=PATIENCE_MS)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable, args=FLAGS)
        try:
            yield browser
        finally:
            await browser.close()


class Visitor:
    """A person with a browser, at a page of one site.

    Attributes:
        page: what the person sees, in the words of Playwright.
        site: the server's address.
        sockets: the addresses of the live sockets that the page has opened.
    """

    def __init__(self, page: Page, site: str) -> None:
        self.page = page
        self.site = site
        self.sockets: list[str] = []
        self._faults: list[str] = []
        self._forgiven: list[str] = []
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", self._listen)
        page.on("pageerror", lambda error: self._found(True, f"uncaught: {error}"))
        page.on("crash", lambda _: self._found(True, "the page has crashed"))
        page.on("request", self._watch)
        page.on("websocket", lambda socket: self.sockets.append(socket.url))

    async def go(self, path: str) -> Self:
        """Type an address of the site."""
        await self.page.goto(self.site + path)
        return self

    def forgive(self, *parts: str) -> None:
        """Let pass what has one of these parts in it: the test has the page run into it."""
        self._forgiven += parts

    async def check_accessibility(self) -> None:
        """Have axe look at the page as it is now."""
        results = await Axe().run(self.page)
        assert results.violations_count == 0, results.generate_report()

    def check_faults(self) -> None:
        """Make sure that nothing has gone wrong unseen."""
        faults = [
            fault for fault in self._faults if not any(part in fault for part in self._forgiven)
        ]
        assert not faults, f"at {self.page.url}: {faults}"

    def _listen(self, said: ConsoleMessage) -> None:
        self._found(said.type == "error", f"{said.text} ({said.location['url']})")

    def _watch(self, request: Request) -> None:
        there, here = urlsplit(request.url), urlsplit(self.site)
        elsewhere = there.netloc != here.netloc and there.scheme not in LOCAL_SCHEMES
        self._found(elsewhere, f"asked another host: {request.url}")

    def _found(self, is_fault: bool, what: str) -> None:
        if is_fault:
            self._faults.append(what)


class Visits:
    """Brings people to a site, each with a browser's storage of their own."""

    def __init__(self, browser: Browser, site: str) -> None:
        self._browser = browser
        self._visitors: list[Visitor] = []
        self.site = site

    async def __call__(
        self, path: str | None = "/", *, player: Player | None = None, **options: Any
    ) -> Visitor:
        """Open a page, or none yet, as `player` if the browser is to know one.

        `options` are those of a context of Playwright: `**PHONE`, `locale`, `color_scheme`,
        `reduced_motion`. Without them, it is an English desk with motion.
        """
        usual = DESK | {"locale": "en-US", "service_workers": "block"}
        if player is not None:
            usual["storage_state"] = _remembering(player, self.site)
        context = await self._browser.new_context(**(usual | options))
        visitor = Visitor(await context.new_page(), self.site)
        self._visitors.append(visitor)
        return visitor if path is None else await visitor.go(path)

    async def end(self) -> None:
        """Close everything, and make sure that no page has failed unseen."""
        try:
            for visitor in self._visitors:
                visitor.check_faults()
        finally:
            for visitor in self._visitors:
                await visitor.page.context.close()


def _remembering(player: Player, site: str) -> Any:
    """What a browser's storage holds in which a player has registered."""
    account = json.dumps({"player": player.player, "token": player.token})
    kept = [{"name": "canfield.account", "value": account}]
    return {"cookies": [], "origins": [{"origin": site, "localStorage": kept}]}
