"""A sealed race: what a browser is told before the end gives nothing away."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing

from playwright.async_api import Page, Response, WebSocket, expect

from tests.api.driver import Api
from tests.web.browsing import Visits
from tests.web.places import heading, stop_playing
from tests.web.play import Hands, kept

CARD = re.compile(r'"([A2-9TJQK][CDHS])"')
DRAWS = 4


class Recorder:
    """Everything a page is told by the server, but for the page's own files."""

    def __init__(self, page: Page) -> None:
        self._told: list[str] = []
        self._answers: list[Response] = []
        page.on("response", self._take)
        page.on("websocket", self._listen)

    async def everything(self) -> str:
        """Give all that has been told so far."""
        bodies = [await answer.text() for answer in self._answers if "/api/" in answer.url]
        headers = [str(await answer.all_headers()) for answer in self._answers]
        return "\n".join([*bodies, *headers, *self._told])

    def _take(self, answer: Response) -> None:
        self._answers.append(answer)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self._told.append(str(frame)))


async def test_nothing_that_a_browser_gets_before_the_end_tells_a_card_not_turned_up(
    visit: Visits, api: Api, sqlite_url: str
) -> None:
    ana, bo = await api.register(), await api.register()
    room = await ana.race(bo, sealed=True, code=None)
    code, nonce = secret(sqlite_url, room)
    visitor = await visit(None, player=ana)
    recorder = Recorder(visitor.page)
    await visitor.go(f"/rooms/{room}")
    hands = Hands(visitor.page, code)
    await hands.see()
    turned_up = visible(hands)
    for _ in range(DRAWS):
        await hands.play("d")
        turned_up |= visible(hands)
    await kept(ana, room, hands)

    before = await recorder.everything()
    assert code not in before
    assert nonce not in before
    assert set(CARD.findall(before)) == turned_up

    await bo.resign(room)
    await stop_playing(visitor.page)
    await expect(heading(visitor.page, "The deal was not changed")).to_be_visible()
    after = await recorder.everything()
    assert code in after
    assert nonce in after


def secret(url: str, room: str) -> tuple[str, str]:
    """Look into the database for what nobody may know: a room's code and nonce."""
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as database:
        found: tuple[str, str] = database.execute(
            "SELECT code, nonce FROM rooms WHERE id = ?", [room]
        ).fetchone()
    return found


def visible(hands: Hands) -> set[str]:
    """Give the cards that lie face up."""
    board = hands.board
    up = {card for column in board.columns for card in column} | set(board.waste)
    return up | {board.reserve_top or ""}
