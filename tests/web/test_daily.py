"""A newcomer plays today's deal: from the address to the table, and on after a reload."""

from __future__ import annotations

from playwright.async_api import Browser, Page, expect

from tests.api.driver import Api, Player
from tests.web.browsing import Visits
from tests.web.life import Life
from tests.web.places import button, field, heading, player_at, row, table
from tests.web.play import Hands, kept

CLOCK_S = """() => {
  const [minutes, seconds] = document.querySelector("[role=timer] .pace").textContent.split(":");
  return 60 * minutes + Number(seconds);
}"""


async def join_daily(page: Page, name: str) -> None:
    """Type a name at the home page, and play."""
    await field(page, "Your name").fill(name)
    await page.keyboard.press("Enter")
    await expect(table(page)).to_be_visible()


async def daily_of(player: Player) -> str:
    daily = await player.get("/daily")
    return str(daily["id"])


async def test_a_newcomer_types_a_name_and_plays_on_after_a_reload(visit: Visits, api: Api) -> None:
    page = (await visit("/")).page
    await join_daily(page, "Mia")
    mia, hands = await player_at(page, api), Hands(page)
    await hands.see()
    await hands.tap("d")
    await kept(mia, await daily_of(mia), hands)
    at_first = await page.evaluate(CLOCK_S)

    await page.reload()
    await hands.see()
    await hands.play("d", "12")
    await kept(mia, await daily_of(mia), hands)
    assert 0 < await page.evaluate(CLOCK_S) <= at_first < 30 * 60
    await expect(row(page, "Mia")).to_be_visible()


async def test_the_home_page_leads_back_to_a_game_under_way_and_to_its_end(
    visit: Visits, api: Api
) -> None:
    page = (await visit("/")).page
    await join_daily(page, "Mia")
    await page.get_by_role("link", name="Canfield Race").click()

    await expect(page.get_by_text("Your clock is running")).to_be_visible()
    await page.get_by_role("link", name="Go on playing").click()
    await Hands(page).see()
    mia = await player_at(page, api)
    await mia.resign(await daily_of(mia))
    await expect(heading(page, "You stopped")).to_be_visible()
    await page.get_by_role("link", name="Canfield Race").click()
    await expect(page.get_by_text("You are number 1 of 1")).to_be_visible()


async def test_a_second_tab_plays_and_the_first_one_says_so_and_can_take_over(
    visit: Visits, api: Api
) -> None:
    first = (await visit("/")).page
    await join_daily(first, "Mia")
    hands = Hands(first)
    await hands.see()
    await hands.play("d")
    second = await first.context.new_page()
    await second.goto(f"{visit.site}/daily")
    await hands.go_to(second)
    await hands.play("12")

    await expect(first.get_by_text("You play on in another window.")).to_be_visible()
    await expect(button(first, "Stop")).to_be_disabled()
    await first.keyboard.press("d")
    await button(first, "Play here").click()
    await expect(second.get_by_text("You play on in another window.")).to_be_visible()
    await hands.go_to(first)
    await expect(button(first, "Stop")).to_be_enabled()
    await hands.play("d")
    mia = await player_at(first, api)
    await kept(mia, await daily_of(mia), hands)


async def test_no_day_beyond_today_is_offered_whatever_the_browsers_clock_says(
    visit: Visits, api: Api
) -> None:
    date = (await api.get("/daily"))["date"]
    visitor = await visit(None, player=await api.register())
    page = visitor.page
    await page.add_init_script("Date.now = ((real) => () => real() + 3 * 864e5)(Date.now);")
    await visitor.go(f"/daily/{date}")

    await expect(page.get_by_role("link", name="Play this deal")).to_be_visible()
    await expect(page.get_by_role("link", name="Day before")).to_be_visible()
    await expect(page.get_by_role("link", name="Day after")).to_have_count(0)


async def test_the_result_of_yesterday_is_offered_where_there_is_one(
    browser: Browser, life: Life, visit: Visits
) -> None:
    first_day = (await visit()).page
    await first_day.wait_for_load_state("networkidle")
    await expect(heading(first_day, "Top ten")).to_be_visible()
    await expect(first_day.get_by_role("link", name="Yesterday")).to_have_count(0)

    visits = Visits(browser, life.site)
    page = (await visits()).page
    await page.get_by_role("link", name="Yesterday’s result").click()  # noqa: RUF001 — as printed
    await expect(page).to_have_url(f"{life.site}/daily/{life.yesterday}")
    await expect(heading(page, "Final standings")).to_be_visible()
    await visits.end()
