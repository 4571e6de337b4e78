"""Finished games, rooms and days at a browser: what they show is what was played."""

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from playwright.async_api import Browser, Locator, Page, Route, expect

from server.clock import SystemClock, now
from server.game import Board, GameCode
from server.race.daily import DAY, day_of
from server.store.database import Database
from tests.api.driver import EXAMPLE, WIN, Api, Player, serving
from tests.live.days import plan
from tests.web.browsing import PHONE, Visits
from tests.web.life import Life, PassingTime
from tests.web.places import button, choose, heading, row
from tests.web.play import Hands

LAST = len(WIN)

DEAD_END = "CF1-D3-IMELROK"
"""A deal in which `rf` places a card, and after it no play ever places another."""


async def a_won_race(api: Api) -> tuple[Player, Player, str]:
    """A winner, one who stopped after three moves, and their finished room."""
    ana, bo = await api.register(), await api.register()
    room_id = await ana.race(bo, title="Friday evening")
    await bo.play(room_id, *WIN[:3])
    await bo.resign(room_id)
    await ana.win(room_id)
    return ana, bo, room_id


async def game_of(player: Player, room_id: str) -> str:
    games = await player.get(f"/rooms/{room_id}/games")
    return str(next(game["id"] for game in games["items"] if game["player"] == player.player))


async def a_won_game(api: Api) -> str:
    """The game of somebody who has won."""
    ana, _, room_id = await a_won_race(api)
    return await game_of(ana, room_id)


def slider(page: Page) -> Locator:
    return page.get_by_role("slider", name="Move")


async def stands_at(page: Page, move: int, placed: int) -> None:
    """Wait until the film shows the table after so many moves."""
    cards = "card" if placed == 1 else "cards"
    text = f"Move {move} of {LAST}, {placed} {cards} placed"
    await expect(slider(page)).to_have_attribute("aria-valuetext", text)


def board_after(moves: int) -> Board:
    board = Board.deal(GameCode.parse(EXAMPLE))
    for move in WIN[:moves]:
        board.play(Board.parse_move(move))
    return board


async def test_every_table_that_a_replay_shows_is_the_one_that_was_played(
    api: Api, visit: Visits
) -> None:
    game_id = await a_won_game(api)
    visitor = await visit(f"/games/{game_id}?ply=42", reduced_motion="reduce")
    page = visitor.page
    hands = Hands(page)

    for move in (42, 3, 97, LAST):
        await slider(page).fill(str(move))
        hands.board = board_after(move)
        await hands.see()
        await stands_at(page, move, hands.board.placed)
    await visitor.check_accessibility()


async def test_keys_go_through_a_replay(api: Api, visit: Visits) -> None:
    game_id = await a_won_game(api)
    page = (await visit(f"/games/{game_id}", reduced_motion="reduce")).page
    await stands_at(page, 0, 1)

    for key, move, placed in (
        ("ArrowRight", 1, 1),
        ("ArrowRight", 2, 2),
        ("ArrowLeft", 1, 1),
        ("End", LAST, 52),
        ("Home", 0, 1),
    ):
        await page.keyboard.press(key)
        await stands_at(page, move, placed)
    await button(page, "One move on").focus()
    await page.keyboard.press("Space")
    await stands_at(page, 1, 1)


async def test_a_replay_plays_by_itself_to_the_end_and_again(api: Api, visit: Visits) -> None:
    game_id = await a_won_game(api)
    page = (await visit(f"/games/{game_id}?ply={LAST - 6}", **PHONE)).page
    await choose(page, "16×")  # noqa: RUF001 — as it is printed

    await button(page, "Play").tap()
    await stands_at(page, LAST, 52)
    await expect(button(page, "Play")).to_be_visible()
    await choose(page, "1×")  # noqa: RUF001 — as it is printed
    await button(page, "Play").tap()
    await button(page, "Pause").tap()

    await expect(button(page, "Play")).to_be_visible()
    assert int(await slider(page).input_value()) < LAST


async def test_as_it_was_long_thoughts_are_cut(api: Api, visit: Visits) -> None:
    game_id = await a_won_game(api)
    page = (await visit(f"/games/{game_id}?ply={LAST - 30}")).page

    await choose(page, "As played")
    await button(page, "Play").click()

    await stands_at(page, LAST, 52)  # it was played in a moment


async def test_a_replay_says_how_it_ended_and_leads_on(api: Api, visit: Visits) -> None:
    ana, bo, room_id = await a_won_race(api)
    visitor = await visit(f"/games/{await game_of(bo, room_id)}", **PHONE)
    page = visitor.page

    await expect(heading(page, f"The game of {bo.player['name']}")).to_be_visible()
    await expect(page.get_by_text("2 cards placed. ⚑ stopped")).to_be_visible()
    await expect(page.get_by_text("Rank 2 of 2")).to_be_visible()
    await visitor.check_accessibility()
    await page.get_by_role("link", name="The race").tap()
    await expect(heading(page, "Friday evening")).to_be_visible()
    await page.get_by_role("link", name=f"Watch the game of {ana.player['name']}").tap()

    await expect(heading(page, f"The game of {ana.player['name']}")).to_be_visible()
    await expect(page.get_by_text("in 160 moves")).to_be_visible()


async def test_a_deal_is_checked_against_its_fingerprint(api: Api, visit: Visits) -> None:
    game_id = await a_won_game(api)
    game = await api.get(f"/games/{game_id}")
    page = (await visit(f"/games/{game_id}")).page

    await expect(heading(page, "The deal was not changed")).to_be_visible()
    for shown in (EXAMPLE, game["nonce"], game["commitment"]):
        await expect(page.get_by_text(shown, exact=True)).to_be_visible()


async def test_a_changed_nonce_is_found_out(api: Api, visit: Visits) -> None:
    game_id = await a_won_game(api)
    visitor = await visit(None)

    async def lie(route: Route) -> None:
        answer = await route.fetch()
        await route.fulfill(response=answer, json=await answer.json() | {"nonce": "0" * 32})

    await visitor.page.route(f"**/api/v1/games/{game_id}", lie)
    await visitor.go(f"/games/{game_id}")

    bad = heading(visitor.page, "The deal does not match its fingerprint")
    await expect(bad).to_be_visible()


async def test_a_game_of_a_running_race_is_not_shown(
    api: Api, visit: Visits, sqlite_url: str
) -> None:
    ana, bo = await api.register(), await api.register()
    room_id = await ana.race(bo)
    await bo.play(room_id, *WIN[:3])
    await bo.resign(room_id)
    with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as database:
        [(game_id,)] = database.execute(
            "SELECT id FROM games WHERE room_id = ? AND player_id = ?", (room_id, bo.id)
        )
    database.close()
    visitor = await visit(None)
    visitor.forgive("403")

    await visitor.go(f"/games/{game_id}")

    await expect(heading(visitor.page, "Not yet")).to_be_visible()
    await visitor.check_accessibility()


async def test_without_a_solver_nothing_is_said_about_what_could_have_been(
    api: Api, visit: Visits
) -> None:
    game_id = await a_won_game(api)
    visitor = await visit(f"/games/{game_id}")
    visitor.forgive("422")

    await button(visitor.page, "Could more have been placed from here?").click()

    said = visitor.page.get_by_text("This server has no solver")
    await expect(said).to_be_visible()


@pytest.fixture
async def solving_visit(browser: Browser, sqlite_url: str) -> AsyncIterator[tuple[Api, Visits]]:
    """A server with a solver, and people who visit it."""
    async with serving(sqlite_url, solver_processes=1, winnable_stock=0) as api:
        visits = Visits(browser, str(api.client.base_url).rstrip("/"))
        yield api, visits
        await visits.end()


async def test_what_could_have_been_is_told_and_shown(solving_visit: tuple[Api, Visits]) -> None:
    api, visit = solving_visit
    ana = await api.register()
    room_id = await ana.race(code=DEAD_END)
    await ana.play(room_id, "rf")
    await ana.resign(room_id)
    visitor = await visit(f"/games/{await game_of(ana, room_id)}?ply=1")
    page = visitor.page
    ask = button(page, "Could more have been placed from here?")

    await ask.click()
    await expect(page.get_by_text("From move 1: no.")).to_be_visible()
    await button(page, "To the start").click()
    await ask.click()
    await expect(page.get_by_text("From move 0: yes")).to_be_visible()
    await visitor.check_accessibility()
    await button(page, "Show me how").click()

    there = "Move 1 of 1, 2 cards placed"
    await expect(slider(page)).to_have_attribute("aria-valuetext", there)
    await button(page, "Back to the game").click()
    await expect(slider(page)).to_have_attribute("aria-valuetext", "Move 0 of 1, 1 card placed")


async def test_results_chart_every_player_and_give_all_games(api: Api, visit: Visits) -> None:
    ana, bo, room_id = await a_won_race(api)
    visitor = await visit(f"/rooms/{room_id}", player=bo)
    page = visitor.page

    await expect(heading(page, "Final standings")).to_be_visible()
    mine = row(page, bo.player["name"]).first
    await expect(mine.get_by_role("cell").nth(2)).to_have_text("2")
    await expect(page.get_by_role("img", name="cards placed by 2 players")).to_be_visible()
    await page.get_by_text("The chart as a table").click()
    charted = page.get_by_role("table", name="Cards placed by each player")
    winner = charted.get_by_role("row").filter(has_text=ana.player["name"])
    await expect(winner.get_by_role("cell").last).to_have_text("52")
    await visitor.check_accessibility()
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Download").click()

    path = await (await download.value).path()
    games = [json.loads(line) for line in path.read_text().splitlines()]
    assert [game["player"]["id"] for game in games] == [ana.id, bo.id]


async def test_a_legend_lights_its_line(api: Api, visit: Visits) -> None:
    _, bo, room_id = await a_won_race(api)
    page = (await visit(f"/rooms/{room_id}")).page
    key = button(page, bo.player["name"])
    bright = page.locator(".chart > svg .bright title")
    drawn = await page.locator(".chart > svg").get_attribute("viewBox")

    await key.focus()
    await expect(bright).to_have_text(bo.player["name"])
    await page.keyboard.press("Tab")
    await expect(bright).to_have_count(0)
    await key.click()

    await page.set_viewport_size({"width": 700, "height": 800})
    await expect(page.locator(".chart > svg")).not_to_have_attribute("viewBox", drawn or "")
    await expect(key).to_have_attribute("aria-pressed", "true")
    await expect(bright).to_have_text(bo.player["name"])


@asynccontextmanager
async def yesterday_over(url: str) -> AsyncIterator[tuple[Life, Player]]:
    """Serve a database whose first day is over, with one player who placed two cards in it."""
    real = now(SystemClock())
    today = day_of(real)
    database = Database(url)
    await database.open()
    await plan(database, today - DAY, today, today + DAY)
    await database.close()
    time = PassingTime(DAY)
    async with serving(url, clock=time.clock) as api:
        life = Life(api, time, yesterday=today - DAY)
        player = await api.register()
        daily = await player.post("/daily/join")
        await player.play(daily["id"], *WIN[:3])
        await player.resign(daily["id"])
        time.skip_until(timedelta())
        await life.until_finished(f"/daily/{life.yesterday}")
        yield life, player


async def test_a_day_that_is_over_shows_its_result_and_a_way_to_win(
    browser: Browser, sqlite_url: str
) -> None:
    async with yesterday_over(sqlite_url) as (life, me):
        visits = Visits(browser, str(life.api.client.base_url).rstrip("/"))
        visitor = await visits(f"/daily/{life.yesterday}", player=me)
        page = visitor.page

        await expect(heading(page, "Final standings")).to_be_visible()
        await expect(row(page, me.player["name"]).first).to_have_class("me")
        await expect(heading(page, "The deal was not changed")).to_be_visible()
        await expect(heading(page, "How it went")).to_be_visible()
        await button(page, "To the end").click()
        await stands_at(page, LAST, 52)
        await visitor.check_accessibility()
        await page.get_by_role("link", name="Day after").click()
        await expect(page.get_by_role("link", name="Play this deal")).to_be_visible()
        await expect(heading(page, "Standings")).to_be_visible()
        await visitor.check_accessibility()
        await visits.end()


async def test_long_standings_come_in_pages_and_have_ones_own_row(api: Api, visit: Visits) -> None:
    people = [await api.register() for _ in range(53)]
    for player in people:
        daily = await player.post("/daily/join")
    standings = (await api.get(f"/rooms/{daily['id']}/standings", limit=100))["items"]
    last = next(player for player in people if player.player == standings[-1]["player"])
    page = (await visit(f"/daily/{daily['date']}", player=last)).page
    table = page.get_by_role("table", name="Standings")
    more = button(page, "Show more")

    await expect(table.get_by_role("row")).to_have_count(1 + 50 + 1)
    await expect(table.get_by_role("row").last).to_have_class("me")
    await expect(button(page, last.player["name"])).to_be_visible()  # in the chart's legend
    await more.click()

    await expect(table.get_by_role("row")).to_have_count(1 + 53)
    await expect(more).to_be_hidden()


async def test_a_day_without_a_deal_leads_to_its_neighbours(visit: Visits) -> None:
    visitor = await visit(None)
    visitor.forgive("404")

    await visitor.go("/daily/2020-02-29")

    page = visitor.page
    await expect(page.get_by_text("There is no daily deal for this day.")).to_be_visible()
    await visitor.check_accessibility()
    before = page.get_by_role("link", name="Day before")
    await expect(before).to_have_attribute("href", "/daily/2020-02-28")
    await page.get_by_role("link", name="Day after").click()
    await expect(heading(page, "Daily of March 1, 2020")).to_be_visible()
