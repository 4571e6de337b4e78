"""Hands at the card table of the page: taps, drags and keys, each seen to have done what it means.

The table is read by what it tells a screen reader, and compared with the rules of the server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from playwright.async_api import CDPSession, Page

from server.game import RANKS, SUITS, Board, GameCode
from server.game.errors import IllegalMove
from server.game.move import TAPS
from tests.api.driver import EXAMPLE, Player
from tests.web.browsing import PATIENCE_MS

PATIENCE_S = PATIENCE_MS / 1000

SOURCES = {"d": "stock", "w": "waste", "r": "reserve"}
"""The piles that moves call by a letter; the others have the same name here and there."""

RANK_NAMES = dict(
    zip(
        RANKS,
        [
            "ace",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "jack",
            "queen",
            "king",
        ],
        strict=True,
    )
)
SUIT_NAMES = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))

LOOK = """async ([expected, patienceMs]) => {
  const table = () => document.querySelector(".table");
  const words = () => Object.fromEntries([...table()?.querySelectorAll(".pile") ?? []]
    .map((pile) => [pile.dataset.pile, pile.getAttribute("aria-label")]));
  const differ = (shown) => Object.keys(expected).some((pile) => shown[pile] !== expected[pile]);
  const until = performance.now() + patienceMs;
  while (differ(words()) && performance.now() < until) await new Promise(requestAnimationFrame);
  if (differ(words())) return {words: words(), boxes: {}};

  await Promise.allSettled(table().getAnimations({subtree: true}).map(({finished}) => finished));
  const box = (element) => {
    const {x, y, width, height} = element.getBoundingClientRect();
    return {x, y, width, height};
  };
  const layer = (card) => Number(card.style.getPropertyValue("--z"));
  const cards = (pile) => [...table().querySelectorAll(`.card[data-pile="${pile}"]`)]
    .sort((one, other) => layer(one) - layer(other)).map(box);
  const boxes = [...table().querySelectorAll(".slot")]
    .map((slot) => [slot.dataset.pile, [box(slot), ...cards(slot.dataset.pile)]]);
  return {words: words(), boxes: Object.fromEntries(boxes)};
}"""
"""Waits for the table to tell what is expected and to lie still; gives what it tells, and for each
pile the box of its place and of its cards, the top one last."""


class Point(NamedTuple):
    """A place on the screen, in CSS pixels."""

    x: float
    y: float


@dataclass
class Finger:
    """A mouse, or a finger on a touch screen."""

    page: Page
    touches: CDPSession | None = None

    @classmethod
    async def on_touch_screen(cls, page: Page) -> Self:
        """Take a finger, whose drags are real touches."""
        return cls(page, await page.context.new_cdp_session(page))

    async def tap(self, at: Point) -> None:
        if self.touches:
            await self.page.touchscreen.tap(*at)
        else:
            await self.page.mouse.click(*at)

    async def drag(self, start: Point, end: Point) -> None:
        """Carry something, by a way with a point in its middle."""
        middle = Point((start.x + end.x) / 2, (start.y + end.y) / 2)
        if self.touches is None:
            await self.page.mouse.move(*start)
            await self.page.mouse.down()
            await self.page.mouse.move(*middle)
            await self.page.mouse.move(*end)
            await self.page.mouse.up()
            return
        for kind, points in (
            ("touchStart", [start]),
            ("touchMove", [middle]),
            ("touchMove", [end]),
            ("touchEnd", []),
        ):
            touch = {"type": kind, "touchPoints": [point._asdict() for point in points]}
            await self.touches.send("Input.dispatchTouchEvent", touch)


class Hands:
    """A player's hands on the table of a page, and the board as the rules have it.

    Attributes:
        page: where they play.
        board: how the table must be by now.
        ply: how many moves were made.
    """

    def __init__(self, page: Page, code: str = EXAMPLE, *, finger: Finger | None = None) -> None:
        self.board = Board.deal(GameCode.parse(code))
        self.ply = 0
        self.page = page
        self._boxes: dict[str, list[dict[str, float]]] = {}
        self._finger = finger or Finger(page)

    async def go_to(self, page: Page) -> None:
        """Go on at another page."""
        self.page, self._finger = page, Finger(page)
        await self.see()

    async def see(self) -> None:
        """Wait until the table tells a screen reader what the board is, and where everything is."""
        expected = pile_words(self.board)
        shown = await self.page.evaluate(LOOK, [expected, PATIENCE_MS])
        told = shown["words"]
        wrong = {pile: told.get(pile) for pile in expected if told.get(pile) != expected[pile]}
        assert not wrong, f"after {self.ply} moves the table tells {wrong}"
        self._boxes = shown["boxes"]

    async def follow(self, *moves: str) -> None:
        """See that moves have been made."""
        for text in moves:
            self.board.play(Board.parse_move(text))
        self.ply += len(moves)
        await self.see()

    async def play(self, *moves: str) -> None:
        """Make moves: by a tap where that means the same, else by a drag."""
        for text in moves:
            await (self.tap(text) if self.means_tap(text) else self.drag(text))

    def means_tap(self, text: str) -> bool:
        """Say whether a tap on a move's cards makes that move (rule A1)."""
        source, _, count = split(text)
        if text == "d":
            return True
        try:
            tap = TAPS[source if count == 1 else f"{source}x{count}"]
            return self.board.tap(tap).text == text
        except IllegalMove:
            return False

    async def tap(self, text: str) -> None:
        """Make a move by tapping the cards that it takes."""
        source, _, count = split(text)
        await self._finger.tap(grip(self._boxes[source_pile(source)], count))
        await self.follow(text)

    async def drag(self, text: str) -> None:
        """Make a move by carrying the cards that it takes to where it lays them."""
        source, target, count = split(text)
        pile = source_pile(source)
        start = grip(self._boxes[pile], count)
        carried, under = (
            self._boxes[pile][-count],
            self._boxes[self._target_pile(source, target)][-1],
        )
        end = Point(start.x + under["x"] - carried["x"], start.y + under["y"] - carried["y"])
        await self._finger.drag(start, end)
        await self.follow(text)

    async def key(self, keys: Iterable[str], text: str) -> None:
        """Make a move by keys."""
        for key in keys:
            await self.page.keyboard.press(key)
        await self.follow(text)

    def _target_pile(self, source: str, target: str) -> str:
        if target != "f":
            return target
        return self._top(source)[1]

    def _top(self, source: str) -> str:
        board = self.board
        if source == "w":
            return board.waste[-1]
        if source == "r":
            return str(board.reserve_top)
        return board.columns[int(source) - 1][-1]


def split(text: str) -> tuple[str, str, int]:
    """Read a move: the letters of its piles, and how many cards it takes."""
    piles, _, count = text.partition("x")
    return piles[0], piles[1:], int(count or 1)


def source_pile(source: str) -> str:
    return SOURCES.get(source, source)


def grip(boxes: list[dict[str, float]], count: int) -> Point:
    """Find where to touch a pile to take so many cards: near the top of the lowest of them.

    `boxes` are those of the pile's place and of its cards.
    """
    box = boxes[-count]
    strip = boxes[1 - count]["y"] - box["y"] if count > 1 else box["height"]
    return Point(box["x"] + box["width"] / 2, box["y"] + strip / 2)


def pile_words(board: Board) -> dict[str, str]:
    """Say what the table must tell of each pile, in English."""
    waste, stock = board.waste, board.stock_count
    empty = "Stock, empty: turn the waste over" if waste else "Stock, empty, and so is the waste"
    words = {
        "stock": f"Stock, {counted(stock)}" if stock else empty,
        "waste": pile_text("Waste", len(waste), waste[:-4:-1]),
        "reserve": pile_text("Reserve", board.reserve_count, [board.reserve_top or ""]),
    }
    for suit, count in board.foundations.items():
        name = f"Foundation of {SUIT_NAMES[suit]}"
        top = RANKS[(RANKS.index(board.base) + count - 1) % len(RANKS)] + suit
        first = f"{name}, empty: starts with the {RANK_NAMES[board.base]}"
        words[suit] = pile_text(name, count, [top]) if count else first
    for number, column in enumerate(board.columns, start=1):
        words[str(number)] = pile_text(f"Column {number}", len(column), column[::-1])
    return words


def pile_text(name: str, count: int, cards: Iterable[str]) -> str:
    named = ", ".join(card_words(card) for card in cards if card)
    if count == 0:
        return f"{name}, empty"
    return f"{name}: {named}" if count == 1 else f"{name}, {counted(count)}: {named}"


def counted(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def card_words(card: str) -> str:
    """Give a card's name: "seven of hearts"."""
    return f"{RANK_NAMES[card[0]]} of {SUIT_NAMES[card[1]]}"


async def kept(player: Player, room_id: str, hands: Hands) -> None:
    """Wait until the server has kept the moves that were made, each once, and no others."""

    async def told() -> bool:
        return bool((await game_of(player, room_id))["ply"] >= hands.ply)

    await until(told)
    game = await game_of(player, room_id)
    assert (game["ply"], game["hash"]) == (hands.ply, hands.board.hash)


async def game_of(player: Player, room_id: str) -> Any:
    """Read a player's game as it is on disk."""
    return await player.get(f"/rooms/{room_id}/game")


async def until(fact: Callable[[], Awaitable[bool]]) -> None:
    """Wait for a fact outside the page."""
    async with asyncio.timeout(PATIENCE_S):
        while not await fact():  # noqa: ASYNC110 — the fact is in another process
            await asyncio.sleep(0.05)
