"""The pages around the game: home, new race, leaderboards, players, settings, help."""

from __future__ import annotations

from datetime import UTC, timedelta

from playwright.async_api import APIResponse, Page, Route, expect

from server.clock import SystemClock, now
from server.race.instants import instant
from tests.api.driver import EXAMPLE, WIN, Api, Player
from tests.web.browsing import PHONE, Visits
from tests.web.places import (
    button,
    choose,
    dialog,
    field,
    give_name,
    heading,
    placed,
    player_at,
    room_of,
    row,
)

MARKUP = "<img src=x onerror=alert(1)>"
RANDOM_DEAL = None
SEEN_AT_ONCE = 25


async def test_the_home_page_follows_those_who_play_the_daily(visit: Visits, api: Api) -> None:
    page = (await visit()).page
    await expect(page.get_by_text("Nobody has played it yet")).to_be_visible()
    ana = await api.register("Ana")

    room_id = (await ana.post("/daily/join"))["id"]
    await ana.play(room_id, *WIN[:2])

    await expect(placed(page, "Ana")).to_have_text("2")
    await ana.win(room_id)
    await expect(row(page, "Ana")).to_contain_text("won")


async def test_who_has_played_sees_the_own_result_and_where_it_stands(
    visit: Visits, api: Api
) -> None:
    ana, bo = await api.register("Ana"), await api.register("Bo")
    for player in (ana, bo):
        room_id = (await player.post("/daily/join"))["id"]
    await ana.win(room_id)
    await bo.resign(room_id)

    hers, his = (await visit(player=ana)).page, (await visit(player=bo)).page

    await expect(hers.get_by_text("You are number 1 of 2")).to_be_visible()
    await expect(hers.get_by_text("Won in")).to_be_visible()
    await expect(his.get_by_text("You are number 2 of 2")).to_be_visible()
    await expect(his.get_by_text("1 card placed")).to_be_visible()


async def test_open_races_come_up_by_themselves_and_are_joined_by_name(
    visit: Visits, api: Api
) -> None:
    page = (await visit()).page
    await expect(page.get_by_text("No race is waiting")).to_be_visible()
    host = await api.register("Ana")

    room_id = await host.open(title=MARKUP, seats=2)
    await button(page, f"Join {MARKUP}").click()
    await give_name(page, "Bo")

    await expect(page).to_have_url(f"{visit.site}/rooms/{room_id}")
    room = await api.get(f"/rooms/{room_id}")
    assert {entry["player"]["name"] for entry in room["standings"]} == {"Ana", "Bo"}
    await page.go_back()
    await page.get_by_role("link", name=f"Go in: {MARKUP}").click()
    await expect(page).to_have_url(f"{visit.site}/rooms/{room_id}")
    other = (await visit()).page
    await expect(button(other, f"Join {MARKUP}")).to_be_disabled()
    await expect(other.get_by_text("Full")).to_be_visible()


async def test_the_own_races_come_first_and_are_gone_on_with(visit: Visits, api: Api) -> None:
    ana, bo = await api.register("Ana"), await api.register("Bo")
    racing = await ana.race(title="Mine")
    waiting = await bo.open(title="Waits")
    await ana.post(f"/rooms/{waiting}/join")
    for title in ("Newer", "Newest"):
        await bo.race(title=title)
        await bo.open(title=f"{title}, open")
    page = (await visit(player=ana)).page

    rows = page.get_by_role("listitem")
    await expect(rows).to_have_count(6)
    actions = [await row.get_by_role("link").last.inner_text() for row in await rows.all()]
    titles = [await row.get_by_role("link").first.inner_text() for row in await rows.all()]
    assert titles == ["Waits", "Newest, open", "Newer, open", "Mine", "Newest", "Newer"]
    assert [actions[0], *actions[3:]] == ["Go in", "Go on playing", "Watch", "Watch"]

    await ana.resign(racing)
    await page.reload()
    await expect(page.get_by_role("link", name="Go in: Waits")).to_be_visible()
    await expect(page.get_by_role("link", name="Go on playing")).to_have_count(0)


async def test_letters_links_and_codes_lead_to_their_places_and_nothing_else_does(
    visit: Visits, api: Api
) -> None:
    room_id = await (await api.register()).open(visibility="unlisted")
    visitor = await visit()
    page = visitor.page
    visitor.forgive("404")  # the one that does not exist
    for text, fault in (
        ("two words", "That is neither a room’s code nor a deal’s."),  # noqa: RUF001 — as printed
        ("zzzzzzzz", "There is no race with this code."),
    ):
        await follow(page, text)
        await expect(page.get_by_role("alert").filter(has_text=fault)).to_be_visible()
        await expect(field(page, "Join by code or link")).to_be_focused()

    await follow(page, f"{visit.site}/rooms/{room_id}?from=qr")
    await expect(page).to_have_url(f"{visit.site}/rooms/{room_id}")

    await page.go_back()
    await follow(page, EXAMPLE.lower())
    await expect(field(page, "The deal’s code")).to_have_value(EXAMPLE)  # noqa: RUF001 — as printed


async def follow(page: Page, text: str) -> None:
    """Type where one wants to go."""
    await field(page, "Join by code or link").fill(text)
    await button(page, "Go").click()


async def test_a_lost_answer_and_a_double_click_open_one_race(visit: Visits, api: Api) -> None:
    ana = await api.register("Ana")
    visitor = await visit("/new", player=ana)
    page = visitor.page
    lost: list[APIResponse] = []
    visitor.forgive("ERR_FAILED")

    async def lose_the_first(route: Route) -> None:
        if lost:
            await route.continue_()
        else:
            lost.append(await route.fetch())
            await route.abort()

    await page.route("**/api/v1/rooms", lose_the_first)
    await field(page, "What is it called?").fill("Friday")
    await button(page, "Open the race").dblclick()

    assert await opened(page) == (await lost[0].json())["id"]
    assert len((await api.get("/rooms", state="open"))["items"]) == 1


async def opened(page: Page) -> str:
    """Wait until a race is open; gives its id."""
    await page.wait_for_url("**/rooms/*")
    return room_of(page)


async def test_hoyles_rules_take_away_what_they_do_not_have(visit: Visits, api: Api) -> None:
    ana = await api.register("Ana")
    page = (await visit("/new", player=ana)).page
    easy, undo = page.get_by_role("radio", name="1 card"), page.get_by_role("checkbox", name="Undo")
    await choose(page, "1 card")
    await page.get_by_text("More settings").click()
    await expect(undo).to_be_checked()

    await choose(page, "Canfield, Hoyle")

    await expect(easy).to_be_disabled()
    await expect(page.get_by_role("radio", name="3 cards")).to_be_checked()
    await expect(undo).to_be_disabled()
    await choose(page, "Sealed")
    await button(page, "Open the race").click()
    room = await api.get(f"/rooms/{await opened(page)}")
    assert (room["ruleset"], room["draw"], room["undo"], room["sealed"]) == ("CH1", 3, False, True)

    await page.go_back()
    await expect(page.get_by_role("radio", name="Canfield, Hoyle")).to_be_checked()


async def test_a_start_is_typed_in_local_time(visit: Visits, api: Api) -> None:
    ana = await api.register("Ana")
    page = (await visit("/new", player=ana, timezone_id="America/New_York")).page
    start = now(SystemClock()).replace(minute=0, second=0, microsecond=0) + timedelta(days=2)
    local = await page.evaluate(
        "(ms) => new Date(ms - new Date(ms).getTimezoneOffset() * 6e4).toISOString().slice(0, 16)",
        start.timestamp() * 1000,
    )
    assert local != start.astimezone(UTC).isoformat()[:16]

    await choose(page, "at a time")
    await field(page, "Start").fill(local)
    await button(page, "Open the race").click()

    assert (await api.get(f"/rooms/{await opened(page)}"))["start_at"] == instant(start)


async def test_what_cannot_be_is_said_at_its_field(visit: Visits, api: Api) -> None:
    visitor = await visit("/new", player=await api.register("Ana"))
    page = visitor.page
    await page.get_by_text("More settings").click()
    await field(page, "Seats").fill("101")
    await page.get_by_text("More settings").click()

    await button(page, "Open the race").click()
    seats = field(page, "Seats")
    await expect(seats).to_be_focused()
    await expect(seats).to_have_accessible_description("A whole number from 1 to 100.")
    await visitor.check_accessibility()

    visitor.forgive("422")
    await seats.fill("100")
    await field(page, "What is it called?").fill("turned\u202eround")
    await button(page, "Open the race").click()
    await expect(field(page, "What is it called?")).to_have_accessible_description(
        "You may leave it empty. a title is one line without control characters or formatting"
    )
    await expect(seats).to_have_accessible_description("")
    assert (await api.get("/rooms"))["items"][0]["kind"] == "daily"


async def test_the_own_row_of_a_board_is_always_seen_and_the_path_says_which_board_it_is(
    visit: Visits, api: Api
) -> None:
    people = await many_who_have_played(api, SEEN_AT_ONCE + 2)
    board = await api.get("/leaderboards/placed", limit=100)
    last = next(one for one in people if one.id == board["items"][-1]["player"]["id"])
    first = board["items"][0]["player"]["name"]
    page = (await visit("/boards/placed", player=last)).page
    await expect(row(page, first)).to_be_visible()
    await expect(page.locator("tfoot").get_by_text(last.player["name"])).to_be_visible()

    await button(page, "Show more").click()
    await expect(page.locator("tbody").get_by_text(last.player["name"])).to_be_visible()
    await expect(page.locator("tfoot tr")).to_have_count(0)
    await expect(page.locator("tbody tr")).to_have_count(len(people))

    await choose(page, "Week")
    await expect(button(page, "The period after")).to_be_disabled()
    await button(page, "The period before").click()
    await expect(page.get_by_text("Nobody is on this list yet")).to_be_visible()
    await page.reload()
    await expect(page.get_by_role("radio", name="Week")).to_be_checked()
    await expect(page.get_by_text("Nobody is on this list yet")).to_be_visible()
    await button(page, "The period after").click()
    await expect(row(page, first)).to_be_visible()


async def many_who_have_played(api: Api, count: int) -> list[Player]:
    """People with equal results in one race that counts."""
    host, *others = people = [await api.register() for _ in range(count)]
    room_id = await host.race(*others, seats=count, code=RANDOM_DEAL)
    for one in people:
        await one.resign(room_id)
    return people


async def test_a_player_is_found_by_name_and_one_who_has_left_has_none(
    visit: Visits, api: Api
) -> None:
    ana, bo = await api.register("Ana"), await api.register("Bo")
    room_id = await ana.race(bo, sealed=True, code=RANDOM_DEAL)
    await ana.resign(room_id)
    await bo.resign(room_id)
    visitor = await visit("/boards")
    page = visitor.page
    visitor.forgive("404")
    await field(page, "Find a player by name").fill("Nobody-else")
    await button(page, "Find").click()
    await expect(page.get_by_text("Nobody here has this name.")).to_be_visible()

    await field(page, "Find a player by name").fill("ana")
    await button(page, "Find").click()
    await expect(heading(page, "Ana")).to_be_visible()
    await expect(page.get_by_text("Rank 1 · 1 card placed")).to_be_visible()
    await page.get_by_role("link", name="Watch the game").click()
    await expect(heading(page, "The game of Ana")).to_be_visible()

    response = await ana.send("DELETE", "/players/me")
    assert response.is_success
    await page.goto(f"{visit.site}/players/{ana.id}")
    await expect(heading(page, "A player who has left")).to_be_visible()


async def test_a_key_takes_a_player_to_another_device_until_it_is_revoked(
    visit: Visits, api: Api
) -> None:
    ana = await api.register("Ana")
    old_device, new_device = await visit("/settings", player=ana), await visit("/settings", **PHONE)
    old, new = old_device.page, new_device.page
    await field(old, "What is the new key for?").fill("my phone")
    await button(old, "Make a key").click()
    shown = dialog(old, "Key for my phone")
    await expect(shown.get_by_role("img", name="QR code with the text of the key")).to_be_visible()
    key = await shown.get_by_label("Key", exact=True).input_value()
    await old_device.check_accessibility()
    await shown.get_by_role("button", name="Close").click()
    await expect(old.get_by_text(key)).to_have_count(0)

    await field(new, "Your key").fill(key)
    await button(new, "Use this key").click()
    await expect(field(new, "Your name")).to_have_value("Ana")
    assert (await player_at(new, api)).player == ana.player
    assert key not in new.url

    await button(old, "Revoke the key for my phone").click()
    await dialog(old, "Revoke the key for my phone?").get_by_role("button", name="Revoke").click()
    await expect(button(old, "Revoke the key for my phone")).to_have_count(0)
    new_device.forgive("401")
    await field(new, "Your name").fill("Anna")
    await button(new, "Change").click()
    await expect(button(new, "Choose a name")).to_be_visible()


async def test_a_key_is_copied_without_a_secure_context(visit: Visits, api: Api) -> None:
    page = (await visit("/settings", player=await api.register("Ana"))).page
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    await field(page, "What is the new key for?").fill("tablet")
    await button(page, "Make a key").click()
    shown = dialog(page, "Key for tablet")
    await page.evaluate(
        "addEventListener('copy', () => { window.copied = getSelection().toString(); })"
    )

    await shown.get_by_role("button", name="Copy").click()

    await expect(page.get_by_text("Copied")).to_be_visible()
    key = await shown.get_by_label("Key", exact=True).input_value()
    assert await page.evaluate("window.copied") == key


async def test_a_name_is_changed_and_the_browser_and_the_game_are_left(
    visit: Visits, api: Api
) -> None:
    ana = await api.register("Ana")
    visitor = await visit("/settings", player=ana)
    page = visitor.page
    visitor.forgive("409")
    await api.register("Bo")
    await field(page, "Your name").fill("Bo")
    await button(page, "Change").click()
    await expect(
        page.get_by_text("That name, or one that looks like it, is taken.")
    ).to_be_visible()
    await field(page, "Your name").fill("Maja")
    await button(page, "Change").click()
    await expect(page.get_by_role("link", name="Settings, Maja")).to_be_visible()
    assert (await ana.get("/players/me"))["name"] == "Maja"

    await button(page, "Sign out").click()
    asked = dialog(page, "Sign out of this browser?")
    await expect(asked.get_by_text("There is no other key.")).to_be_visible()
    await asked.get_by_role("button", name="Cancel").click()
    await button(page, "Leave for good").click()
    leaving = dialog(page, "Leave for good, Maja?")
    await leaving.get_by_role("button", name="Leave for good").click()

    await expect(page).to_have_url(f"{visit.site}/")
    await expect(field(page, "Your name")).to_be_visible()
    await ana.refused("unauthorized", "GET", "/players/me")


async def test_another_language_is_spoken_at_once_and_the_keyboard_stays_where_it_was(
    visit: Visits,
) -> None:
    page = (await visit("/settings")).page

    await field(page, "Language").focus()
    await field(page, "Language").select_option("Svenska")

    await expect(page.locator(":root")).to_have_attribute("lang", "sv")
    await expect(field(page, "Language")).to_have_count(0)
    await expect(page.locator("select")).to_be_focused()
    await expect(page.locator("select")).to_have_value("sv")


async def test_how_the_page_looks_is_chosen_at_once_and_kept(visit: Visits) -> None:
    page = (await visit("/settings")).page
    root = page.locator(":root")

    await choose(page, "Dark")
    await page.get_by_label("Animations").uncheck()
    await page.get_by_label("A tap may send a card to a column").uncheck()
    await expect(root).to_have_attribute("data-theme", "dark")
    await expect(root).to_have_attribute("data-moves", "false")
    await page.reload()

    await expect(root).to_have_attribute("data-theme", "dark")
    await expect(page.get_by_role("radio", name="Dark")).to_be_checked()
    await expect(page.get_by_label("A tap may send a card to a column")).not_to_be_checked()
    await choose(page, "Same as the system")
    await expect(root).not_to_have_attribute("data-theme", "dark")


async def test_nothing_is_wider_than_the_smallest_phone(visit: Visits, api: Api) -> None:
    ana = await api.register("W" * 20)
    await ana.open(title="W" * 80)
    room_id = (await ana.post("/daily/join"))["id"]
    await ana.play(room_id, *WIN[:2])
    visitor = await visit(player=ana, viewport={"width": 320, "height": 640})
    page = visitor.page
    await expect(page.get_by_role("link", name="Go in: " + "W" * 80)).to_be_visible()
    await expect(row(page, "W" * 20)).to_be_visible()

    for path in ("/", "/new", "/boards/wins", f"/players/{ana.id}", "/settings", "/help"):
        await visitor.go(path)
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth") == 320, path
