"""The tests' own browser: what it finds wrong with a page, and what is said where there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from tests.web import browsing
from tests.web.browsing import Visits, chromium


@pytest.mark.parametrize(
    ("event", "script", "fault"),
    [
        ("console", "console.error('said quietly')", "said quietly"),
        ("pageerror", "setTimeout(() => { throw new Error('not caught'); })", "not caught"),
        ("pageerror", "void Promise.reject(new Error('not awaited'))", "not awaited"),
        ("console", "document.body.setAttribute('style', 'color: red')", "Content Security Policy"),
        ("request", "new Image().src = 'http://127.0.0.2:9/'", "asked another host"),
    ],
)
async def test_a_page_that_fails_unseen_fails_its_test(
    visit: Visits, event: Literal["console", "pageerror", "request"], script: str, fault: str
) -> None:
    visitor = await visit("/new")
    visitor.check_faults()

    async with visitor.page.expect_event(event):
        await visitor.page.evaluate(f"() => {{ {script} }}")

    with pytest.raises(AssertionError, match=fault):
        visitor.check_faults()
    visitor.forgive(fault, "127.0.0.2")


def test_without_chromium_it_is_said_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(browsing, "CHROMIUM", tmp_path / "chromium")

    with pytest.raises(pytest.skip.Exception, match="apt-get install chromium"):
        chromium()


def test_a_chromium_that_is_named_and_not_there_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CHROMIUM", str(tmp_path / "chromium"))

    with pytest.raises(pytest.fail.Exception, match="not there"):
        chromium()
