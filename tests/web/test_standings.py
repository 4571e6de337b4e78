"""The standings beside a race: everyone is in them, and the own row is always in sight."""

from __future__ import annotations

from playwright.async_api import expect

from tests.api.driver import WIN, Api
from tests.web.browsing import Visits
from tests.web.places import row

MANY = 26

GLIDING = """(name) => new Promise((resolve) => {
  const row = [...document.querySelectorAll("tr")].find((one) => one.textContent.includes(name));
  const animate = row.animate.bind(row);
  row.animate = (frames, options) => {
    resolve(frames.map(({ backgroundColor, zIndex }) => [backgroundColor, zIndex]));
    return animate(frames, options);
  };
})"""
"""Waits until a player's row glides, and gives what it wears then."""


async def test_all_who_race_are_listed_and_the_own_row_stays_in_sight(
    visit: Visits, api: Api
) -> None:
    host, *others = people = [await api.register() for _ in range(MANY)]
    room_id = await host.race(*others, seats=MANY)
    for one in people[:-1]:
        await one.play(room_id, *WIN[:2])
    last = people[-1]
    playing, watching = await visit(f"/rooms/{room_id}", player=last), await visit()
    await watching.go(f"/rooms/{room_id}")

    panel = playing.page.get_by_role("complementary", name="Standings")
    await expect(panel.locator("tbody tr")).to_have_count(MANY)
    await expect(panel.get_by_text(f"{MANY} players")).to_be_visible()
    await expect(watching.page.locator("tbody tr")).to_have_count(MANY)

    own = row(playing.page, last.player["name"])
    first = panel.locator("tbody tr").first
    await expect(own).to_have_css("position", "sticky")
    await expect(own).to_be_in_viewport(ratio=1)
    await expect(first).to_be_in_viewport(ratio=1)
    await panel.evaluate("(element) => element.scrollTo(0, element.scrollHeight)")
    await expect(first).not_to_be_in_viewport()
    await expect(own).to_be_in_viewport(ratio=1)
    await playing.check_accessibility()


async def test_a_row_that_overtakes_hides_what_it_glides_over(visit: Visits, api: Api) -> None:
    ana, bo = await api.register("Ana"), await api.register("Bo")
    room_id = await ana.race(bo)
    await ana.play(room_id, *WIN[:2])
    page = (await visit(f"/rooms/{room_id}")).page
    await expect(page.locator("tbody tr").first).to_contain_text("Ana")

    gliding = await page.evaluate_handle(f"(name) => ({{done: ({GLIDING})(name)}})", "Bo")
    await bo.win(room_id)

    assert await gliding.evaluate("({done}) => done") == [["var(--row)", 2]] * 2
    assert await row(page, "Bo").evaluate(
        """(row) => {
          row.style.backgroundColor = "var(--row)";
          return getComputedStyle(row).backgroundColor;
        }"""
    ) not in ("rgba(0, 0, 0, 0)", "transparent")
