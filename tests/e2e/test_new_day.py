"""A new day as callers see it, to the millisecond, on a server whose clock is advanced by hand."""

import asyncio
import time
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest

from server.clock import ManualClock
from server.live.winnable.planner import Planner
from server.race.daily import DAY, LATECOMERS, start_of
from server.race.deals import Chance
from server.race.instants import MILLISECOND, instant
from server.store.dailies import Dailies
from server.store.database import Database
from tests.api.driver import Api, Player, serving
from tests.live.days import SECRET, go_to, plan
from tests.live.provers import Solving
from tests.race.builders import TODAY
from tests.store.builders import ON_POSTGRESQL

NEXT = TODAY + DAY
MIDNIGHT = start_of(NEXT)
PATIENCE_S = 60

pytestmark = ON_POSTGRESQL


@pytest.fixture(params=["Pacific/Kiritimati", "America/Los_Angeles"])
def elsewhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine that is set to where another day is for half of the day or more."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", request.param)
        time.tzset()
        yield
    time.tzset()


async def win_the_daily(player: Player) -> None:
    """Join today's daily and win it in no time."""
    daily = await player.post("/daily/join")
    await player.win(daily["id"])


async def streak_of(anybody: Api, player: Player) -> int:
    page = await anybody.get(f"/players/{player.id}")
    return int(page["streak"])


async def on_board(anybody: Api, name: str, **which: Any) -> list[tuple[str, int]]:
    page = await anybody.get(f"/leaderboards/{name}", **which)
    return [(item["player"]["id"], item["value"]) for item in page["items"]]


async def counted(anybody: Api, day: date) -> None:
    """Wait until a day that is over is on its boards."""
    async with asyncio.timeout(PATIENCE_S):
        while not await on_board(anybody, "wins", period="day", at=day):  # noqa: ASYNC110 — the server's affair
            await asyncio.sleep(0.1)


@pytest.mark.usefixtures("elsewhere")
async def test_days_are_those_of_utc_wherever_the_machine_is(
    database: Database, database_url: str
) -> None:
    await plan(database, TODAY, NEXT)
    clock = ManualClock(MIDNIGHT - MILLISECOND)
    async with serving(database_url, clock=clock) as anybody:
        ana = await anybody.register()
        tomorrow = await anybody.get(f"/daily/{NEXT}")
        assert (tomorrow["state"], tomorrow["starts_at"]) == ("open", None)
        assert (await anybody.get("/daily"))["date"] == str(TODAY)
        await win_the_daily(ana)
        clock.advance(ms=1)

        today = await anybody.get("/daily")

        assert (today["date"], today["state"]) == (str(NEXT), "racing")
        assert (today["started_at"], today["closes_at"]) == (
            instant(MIDNIGHT),
            instant(MIDNIGHT + DAY),
        )
        assert today["commitment"] == tomorrow["commitment"]
        await win_the_daily(ana)
        go_to(clock, MIDNIGHT + DAY + LATECOMERS)
        await counted(anybody, TODAY)
        await counted(anybody, NEXT)
        assert await on_board(anybody, "streak", period="day", at=TODAY) == [(ana.id, 1)]
        assert await on_board(anybody, "streak", period="day", at=NEXT) == [(ana.id, 2)]
        assert await on_board(anybody, "wins", period="day", at=NEXT) == [(ana.id, 1)]
        assert await on_board(anybody, "wins", period="day", at=NEXT + DAY) == []


async def test_a_run_ends_with_a_missed_day_and_not_before_that_day_is_over(
    database: Database, database_url: str
) -> None:
    await plan(database, TODAY, NEXT, NEXT + DAY)
    clock = ManualClock(MIDNIGHT - timedelta(minutes=1))
    async with serving(database_url, clock=clock) as anybody:
        ana, bo = await anybody.register(), await anybody.register()
        await win_the_daily(ana)
        await win_the_daily(bo)
        assert await streak_of(anybody, ana) == 1, "the win of today counts at once"
        go_to(clock, MIDNIGHT)
        await win_the_daily(bo)
        assert (await streak_of(anybody, ana), await streak_of(anybody, bo)) == (1, 2)
        go_to(clock, MIDNIGHT + DAY - MILLISECOND)
        await counted(anybody, TODAY)
        assert (await streak_of(anybody, ana), await streak_of(anybody, bo)) == (1, 2)
        clock.advance(ms=1)

        assert (await streak_of(anybody, ana), await streak_of(anybody, bo)) == (0, 2)
        await win_the_daily(ana)
        assert await streak_of(anybody, ana) == 1


async def test_a_day_without_a_deal_says_when_to_ask_again_and_has_begun_at_midnight(
    database: Database, database_url: str
) -> None:
    clock = ManualClock(MIDNIGHT + timedelta(hours=2))
    async with serving(database_url, clock=clock) as anybody:
        ana = await anybody.register()
        for caller, method, path in (
            (anybody, "GET", "/daily"),
            (anybody, "GET", f"/daily/{NEXT}"),
            (ana, "POST", "/daily/join"),
        ):
            answer = await caller.send(method, path)
            assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
            assert int(answer.headers["Retry-After"]) > 0
        await anybody.refused("not_found", "GET", f"/daily/{NEXT + DAY}")

        dailies = Dailies(database)
        await dailies.secret(fresh=SECRET)
        await Planner(dailies, Solving(), clock=clock, chance=Chance()).plan_ahead()

        today = await anybody.get("/daily")
        assert (today["state"], today["started_at"]) == ("racing", instant(MIDNIGHT))
        assert (await ana.post("/daily/join"))["id"] == today["id"]
        game = await ana.get(f"/rooms/{today['id']}/game")
        assert game["ends_at"] == instant(MIDNIGHT + timedelta(hours=2, minutes=30))
        assert (await anybody.get(f"/daily/{NEXT + DAY}"))["state"] == "open"
