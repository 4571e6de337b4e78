"""Streaks, ratings and own times of public pages; the rest is tested with `Players.profile`."""

from datetime import date, datetime, timedelta

import pytest
from sqlalchemy import update

from server.race.daily import start_of
from server.race.profile import Profile, Rating
from server.race.rating import Belief, Entrant, rate
from server.store.counting import Counting
from server.store.database import Database
from server.store.players import Players
from server.store.tables import rooms
from tests.store.finished import NOON, Finished, Result, a_daily, keep, somebody

A, B = somebody(0), somebody(1)
LEAP_DAY = date(2028, 2, 29)


def days_after(days: float) -> datetime:
    """An instant, counted from the beginning of the leap day."""
    return start_of(LEAP_DAY) + timedelta(days=days)


async def settle_all(database: Database) -> None:
    kept = Counting(database)
    for room_id in await kept.unsettled():
        assert await kept.settle(room_id)


async def profile(database: Database, *, at: datetime = NOON) -> Profile:
    return await Players(database).profile(A, at=at)


def a_win(days: int, *, won: bool = True, joined_s: float = 0) -> Finished:
    """The daily so many days after the leap day."""
    return a_daily(LEAP_DAY + timedelta(days=days), Result(A, won=won, joined_s=joined_s))


@pytest.mark.parametrize(
    ("days", "streak"), [(0.5, 3), (1, 3), (1.5, 3), (1.99999, 3), (2, 0), (30, 0)]
)
async def test_a_streak_lasts_until_a_day_has_been_missed(
    database: Database, days: float, streak: int
) -> None:
    await keep(database, a_win(-2), a_win(-1), a_win(0), a_win(1, won=False))
    await settle_all(database)

    assert (await profile(database, at=days_after(days))).streak == streak


async def test_a_win_in_a_daily_that_still_runs_shows_at_once(database: Database) -> None:
    await keep(database, a_win(-1))
    await settle_all(database)
    assert (await profile(database, at=days_after(0.2))).streak == 1
    today = a_win(0, joined_s=3600)
    await keep(database, today)
    async with database.write() as connection:
        still = update(rooms).where(rooms.c.id == today.id).values(state="racing")
        await connection.execute(still)

    assert (await profile(database, at=days_after(0.2))).streak == 2
    assert (await profile(database, at=days_after(1.01))).streak == 2, "not counted yet"


async def test_a_win_of_yesterday_that_ended_today_goes_on(database: Database) -> None:
    await keep(database, a_win(-2), a_win(-1))
    await settle_all(database)
    await keep(database, a_win(0, joined_s=86_399))

    before, after = days_after(1.01), days_after(1.02)
    assert (await profile(database, at=before)).streak == 3
    await settle_all(database)
    assert (await profile(database, at=after)).streak == 3


async def test_the_best_time_is_by_the_players_own_clock(database: Database) -> None:
    late = Result(A, won=True, joined_s=50_000, took_s=77)
    await keep(database, a_daily(LEAP_DAY, late, Result(B, won=True, took_s=10)))

    assert (await profile(database)).best_ms == 77_000


async def test_ratings_are_shown_for_each_variant_with_their_uncertainty(
    database: Database,
) -> None:
    results = [Result(A, rank=1), Result(B, rank=2)]
    await keep(
        database,
        Finished("r_1", results, draw=1),
        Finished("r_2", results),
        Finished("r_3", results, ruleset="CH1"),
    )
    await settle_all(database)

    winner, _ = rate([Entrant(who.id, rank, Belief()) for rank, who in enumerate((A, B), 1)])
    assert (await profile(database)).ratings == [
        Rating("CF1", 3, winner.rating, winner.uncertainty),
        Rating("CF1", 1, winner.rating, winner.uncertainty),
        Rating("CH1", 3, winner.rating, winner.uncertainty),
    ]
    assert 0 < winner.uncertainty < 8.33
