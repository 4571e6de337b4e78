"""Every language: by the browser's and by choice, and nothing left in English."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.api.driver import Api
from tests.web.browsing import Visits
from tests.web.life import Life
from tests.web.places import heading
from tests.web.shots import shots

LOCALES = {"vi": "vi-VN", "hr": "hr-HR", "sv": "sv-SE"}

NOT_IN_A_LANGUAGE = {"replay.raw", "app.name"}

WORDS = """async () => {
  const at = (path) => new URL(path, document.querySelector("script[type=module]").src);
  const {LANGUAGES} = await import(at("words/words.js"));
  const all = Object.keys(LANGUAGES).map(async (code) =>
    [code, {name: LANGUAGES[code], words: (await import(at(`words/${code}.js`)))[code]}]);
  return Object.fromEntries(await Promise.all(all));
}"""
"""Gives each language's own name and its words, from the modules that the page is made of."""

SAID = """() => {
  const attributes = ["aria-label", "title", "alt", "placeholder"];
  const labels = attributes.flatMap((name) =>
    [...document.querySelectorAll(`[${name}]`)].map((element) => element.getAttribute(name)));
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    if (!walker.currentNode.parentElement.closest("noscript, option")) {
      texts.push(walker.currentNode.data);
    }
  }
  return [document.title, ...labels, ...texts];
}"""
"""Gives everything that a page says, to the eye or to the ear."""

Words = dict[str, Any]


@pytest.fixture(scope="module")
async def languages(browser: Browser, life: Life) -> dict[str, Words]:
    """All languages, as the page has them."""
    visits = Visits(browser, life.site)
    visitor = await visits("/help")
    found: dict[str, Words] = await visitor.page.evaluate(WORDS)
    await visits.end()
    return found


def test_every_language_of_the_page_is_looked_at(languages: dict[str, Words]) -> None:
    assert set(languages) == {"en", *LOCALES}


@pytest.mark.timeout(300)  # every page
async def test_no_page_says_anything_in_english_or_by_its_key(
    browser: Browser, life: Life, languages: dict[str, Words]
) -> None:
    visits = Visits(browser, life.site)

    async with asyncio.TaskGroup() as readers:
        reading = {
            code: readers.create_task(read_all(visits, life, languages, code)) for code in LOCALES
        }

    found = {code: reader.result() for code, reader in reading.items()}
    assert not any(found.values()), found
    await visits.end()


async def read_all(
    visits: Visits, life: Life, languages: dict[str, Words], code: str
) -> dict[str, list[str]]:
    """Read every page in a language; gives what was said otherwise, by pages."""
    english, words = languages["en"]["words"], languages[code]["words"]
    foreign = list(foreign_texts(english, words))
    visitor = await visits(None, player=life.me, locale=LOCALES[code])
    visitor.forgive("/nothing/here")
    found = {}
    for shot in shots(life):
        await visitor.go(shot.path)
        await visitor.page.wait_for_load_state("networkidle")
        await expect(visitor.page.get_by_role("main")).not_to_have_attribute("aria-busy", "true")
        assert await visitor.page.locator("html").get_attribute("lang") == code
        said = await visitor.page.evaluate(SAID)
        wrong = [one for one in said if one in english or any(text in one for text in foreign)]
        if wrong:
            found[shot.name] = wrong
    return found


def foreign_texts(english: Words, words: Words) -> Iterator[str]:
    """Give the English that must not be seen: what another language says in other words.

    Of a text with values in it, its longest part between them.
    """
    own = {text for entry in words.values() for text in forms(entry)}
    for key, entry in english.items():
        if key in NOT_IN_A_LANGUAGE:
            continue
        for text in forms(entry):
            part = max(re.split(r"\{\w+\}", text), key=len).strip()
            is_telling = len(part.split()) > 1 and len(part) > 8
            if is_telling and not any(part in one for one in own):
                yield part


def forms(entry: str | dict[str, str]) -> list[str]:
    """Give a text's plural forms, or the one it has."""
    return [entry] if isinstance(entry, str) else list(entry.values())


async def test_a_language_is_chosen_in_the_settings_at_once_and_for_good(
    visit: Visits, languages: dict[str, Words]
) -> None:
    page = (await visit("/settings")).page

    for code in LOCALES:
        await page.get_by_role("combobox").select_option(label=languages[code]["name"])
        title = languages[code]["words"]["settings.title"]
        await expect(heading(page, title)).to_be_visible()
        assert await page.locator("html").get_attribute("lang") == code

    await page.goto(f"{visit.site}/help")
    await expect(heading(page, languages[code]["words"]["help.title"])).to_be_visible()


async def test_cards_carry_the_letters_of_a_language_or_the_international_ones(
    visit: Visits, api: Api, languages: dict[str, Words]
) -> None:
    ana = await api.register()
    path = f"/rooms/{await ana.race()}"
    english = (await visit(path, player=ana)).page
    jack = await corner(english)
    swedish = (await visit(path, player=ana, locale=LOCALES["sv"])).page
    assert await corner(swedish) != jack

    await swedish.goto(f"{visit.site}/settings")
    international = languages["sv"]["words"]["settings.letters"]
    await swedish.get_by_role("checkbox", name=international).check()
    await swedish.goto(visit.site + path)
    assert await corner(swedish) == jack


async def corner(page: Page) -> str:
    """Give what is drawn in the corner of the card in the first column."""
    drawing: str = await page.locator(".card[data-pile='1'] .index").inner_html()
    return drawing
