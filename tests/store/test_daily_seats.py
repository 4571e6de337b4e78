"""Seats, ranks and pages of dailies, held against ranking everyone in memory."""

from datetime import timedelta
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete

from server.race.daily import SHOWN, Daily
from server.race.player import Player
from server.race.seat import Seat
from server.race.standings import Entry, Standing, rank, rank_key
from server.store import daily_seats
from server.store.attempts import Attempts
from server.store.daily_seats import (
    hold_numbers,
    read_numbers,
    read_seat,
    read_window,
    write_ranks,
)
from server.store.database import Database
from server.store.rooms import Rooms
from server.store.tables import games, players, tokens
from tests.race.builders import ANA, BO, a_daily, an_entry, numbered
from tests.store.builders import a_kept_daily, rows, take_in

SMALL = st.integers(0, 2)
HOWS = st.tuples(st.sampled_from(["racing", "won", "resigned", "out_of_time"]), SMALL, SMALL, SMALL)
"""A state, and what is placed, when, and in how many actions: so few that there are many ties."""

How = tuple[str, int, int, int]


def entries_of(hows: list[How], *, chance: Random) -> list[Entry]:
    """Entries of players whose ids say nothing of the order in which they come."""
    ids = [f"p_{number:04}" for number in range(len(hows))]
    chance.shuffle(ids)
    return [
        an_entry(
            Player(id=player_id, name=player_id, kind=chance.choice(["human", "bot"])),
            state=state,
            placed=placed,
            at_ms=at_ms,
            actions=actions,
            score=5 * placed,
        )
        for player_id, (state, placed, at_ms, actions) in zip(ids, hows, strict=True)
    ]


def a_crowd(count: int) -> list[Entry]:
    """So many entries with many ties, the same each time."""
    chance = Random(count)
    states = ["racing", "won", "resigned", "out_of_time"]
    hows = [
        (chance.choice(states), chance.randrange(5), chance.randrange(3), chance.randrange(3))
        for _ in range(count)
    ]
    return entries_of(hows, chance=chance)


def by_rank(entries: list[Entry]) -> list[Standing]:
    """How everyone stands, equals in the order of their ids, as pages show them."""
    return rank(sorted(entries, key=lambda entry: entry.player.id))


async def load(database: Database, daily: Daily, *asked_for: Player) -> Daily:
    ids = [player.id for player in asked_for]
    room = await Rooms(database).load_shown(daily.id, asked_for=ids)
    assert isinstance(room, Daily)
    return room


def standings_of(seats: list[Seat]) -> list[tuple[Entry, int | None]]:
    return [(seat.entry, seat.rank) for seat in seats]


def ranked(standings: list[Standing]) -> list[tuple[Entry, int | None]]:
    return [(entry_of(standing), standing.rank) for standing in standings]


def entry_of(standing: Standing) -> Entry:
    return Entry(**{name: getattr(standing, name) for name in Entry.__struct_fields__})


async def all_pages(database: Database, daily: Daily, *, limit: int) -> list[Standing]:
    """Every page of a daily's standings, one after the other."""
    found: list[Standing] = []
    while True:
        last = found[-1] if found else None
        after = None if last is None else (*rank_key(last), last.player.id)
        page = await Attempts(database).standings(daily.id, limit=limit, after=after)
        assert page is not None
        standings, more = page
        found += standings
        if not more:
            return found
        assert len(standings) == limit


async def around(
    database: Database, daily: Daily, player: Player, *, limit: int
) -> tuple[list[Standing], bool]:
    page = await Attempts(database).standings(daily.id, limit=limit, around=player.id)
    assert page is not None
    return page


async def empty(database: Database) -> None:
    """Have nobody joined, and nobody registered but the house."""
    async with database.write() as connection:
        await connection.execute(delete(games))
        await connection.execute(delete(tokens))
        await connection.execute(delete(players).where(players.c.left_at.is_(None)))


@settings(
    max_examples=10,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    hows=st.lists(HOWS, min_size=1, max_size=12),
    chance=st.randoms(use_true_random=False),
    limit=st.sampled_from([1, 2, 3, 20]),
)
async def test_the_databases_ranks_are_those_of_the_four_keys(
    database: Database, hows: list[How], chance: Random, limit: int
) -> None:
    if not await rows(database, "SELECT 1 FROM rooms"):
        await a_kept_daily(database, racing=True)
    daily = await load(database, a_daily())
    await empty(database)
    entries = entries_of(hows, chance=chance)
    await take_in(database, daily, entries)
    whole = by_rank(entries)

    shown = await load(database, daily)

    assert standings_of(shown.seats) == ranked(whole)
    assert shown.player_count == len(entries)
    assert shown.racing == sum(entry.state == "racing" for entry in entries)
    assert await all_pages(database, daily, limit=limit) == whole
    for number in {0, len(whole) // 2, len(whole) - 1}:
        standings, more = await around(database, daily, whole[number].player, limit=limit)
        first = max(0, min(number - limit // 2, len(whole) - limit))
        assert standings == whole[first : first + limit]
        assert more == (first + limit < len(whole))
    async with database.write() as connection:
        await write_ranks(connection, daily.id)
    kept = await rows(database, "SELECT player_id, rank FROM games")
    assert dict(kept) == {standing.player.id: standing.rank for standing in whole}


async def test_pages_of_a_crowd_are_the_whole_whatever_their_size(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    entries = a_crowd(230)
    await take_in(database, daily, entries)
    whole = by_rank(entries)

    for limit in (23, 100):
        assert await all_pages(database, daily, limit=limit) == whole
    for number in (0, 49, 50, 51, 179, 180, 181, 229):
        standings, more = await around(database, daily, whole[number].player, limit=100)
        first = max(0, min(number - 50, 130))
        assert standings == whole[first : first + 100]
        assert more == (first < 130)


async def test_a_rank_is_shared_across_the_border_of_two_pages(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    equals = [an_entry(Player(id=name, name=name, kind="human")) for name in ("p_b", "p_c", "p_d")]
    await take_in(database, daily, [*equals, an_entry(ANA, placed=9)])

    standings = await all_pages(database, daily, limit=2)

    assert [(one.player.id, one.rank) for one in standings] == [
        *(("p_ana", 1), ("p_b", 2)),
        *(("p_c", 2), ("p_d", 2)),
    ]


async def test_a_page_goes_on_where_the_one_before_ended_though_others_have_come(
    database: Database,
) -> None:
    daily = await a_kept_daily(database, racing=True)
    entries = [
        an_entry(Player(id=f"p_{n}", name=f"P{n}", kind="human"), placed=9 - n) for n in range(4)
    ]
    await take_in(database, daily, entries)
    page = await Attempts(database).standings(daily.id, limit=2)
    assert page is not None
    last = page[0][-1]
    await take_in(database, daily, [an_entry(ANA, placed=20)])

    page = await Attempts(database).standings(
        daily.id, limit=2, after=(*rank_key(last), last.player.id)
    )

    assert page is not None
    assert [(one.player.id, one.rank) for one in page[0]] == [("p_2", 4), ("p_3", 5)]
    assert page[1] is False


async def test_there_is_no_page_around_someone_who_has_not_joined(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    await take_in(database, daily, a_crowd(3))

    assert await Attempts(database).standings(daily.id, limit=5, around=ANA.id) is None


async def test_the_page_of_a_daily_that_nobody_joined_is_empty(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)

    assert await Attempts(database).standings(daily.id, limit=5) == ([], False)


# The window


@pytest.mark.parametrize("count", [0, SHOWN, SHOWN + 1, 2 * SHOWN + 3])
async def test_the_first_hundred_are_shown_and_everyone_is_counted(
    database: Database, count: int
) -> None:
    daily = await a_kept_daily(database, racing=True)
    entries = a_crowd(count)
    if entries:
        await take_in(database, daily, entries)
    whole = by_rank(entries)

    room = await load(database, daily)

    assert standings_of(room.seats) == ranked(whole[:SHOWN])
    assert room.asked == ()
    assert room.player_count == count
    assert room.racing == sum(entry.state == "racing" for entry in entries)
    assert room.nobody_races is (room.racing == 0)
    assert SHOWN == 100


async def test_players_beyond_are_read_with_their_rank_if_they_are_asked_for(
    database: Database,
) -> None:
    daily = await a_kept_daily(database, racing=True)
    entries = a_crowd(SHOWN + 40)
    await take_in(database, daily, entries)
    whole = by_rank(entries)
    wanted = [whole[n].player for n in (0, SHOWN - 1, SHOWN, SHOWN + 17, SHOWN + 39)]

    room = await load(database, daily, *wanted, ANA)

    assert standings_of(room.seats) == ranked(whole[:SHOWN])
    beyond = [whole[SHOWN], whole[SHOWN + 17], whole[SHOWN + 39]]
    assert standings_of(list(room.asked)) == ranked(beyond)
    assert room.player_count == SHOWN + 40
    assert room.seat_of(ANA.id) is None


async def test_the_last_end_is_that_of_all_games_that_have_ended(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    assert (await load(database, daily)).last_ended_at is None
    early, late = daily.opens_at, daily.closes_at
    ends = zip(numbered("p_"), (early, late, early), strict=False)
    for player_id, ended_at in ends:
        entry = an_entry(Player(id=player_id, name=player_id, kind="human"), state="resigned")
        await take_in(database, daily, [entry], ended_at=ended_at)
    await take_in(database, daily, [an_entry(ANA)])

    room = await load(database, daily)

    assert (room.last_ended_at, room.racing) == (late, 1)


async def test_only_the_daily_itself_is_read(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    other = await a_kept_daily(
        database, racing=True, room_id="r_other", day=a_daily().closes_at.date()
    )
    await take_in(database, daily, a_crowd(3))

    async with database.read() as connection:
        window = await read_window(connection, other.id, asked_for=["p_0001"])
        assert (window.shown, window.asked) == ([], ())
        numbers = await read_numbers(connection, other.id)
        assert numbers == {"entrants": 0, "racing": 0, "last_ended_at": None}
        assert await read_seat(connection, other.id, "p_0001") is None
    assert await Attempts(database).standings(other.id, limit=9) == ([], False)


async def test_a_seat_is_read_with_its_own_clock(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    await take_in(database, daily, [an_entry(ANA, placed=3, score=15, actions=8, at_ms=70)])

    async with database.glance() as connection:
        seat = await read_seat(connection, daily.id, ANA.id)

    assert seat == Seat(
        game_id="gp_ana",
        player=ANA,
        joined_at=daily.opens_at,
        state="racing",
        ply=8,
        placed=3,
        score=15,
        at_ms=70,
        started_at=daily.opens_at,
        ends_at=daily.opens_at + timedelta(minutes=30),
    )


@pytest.mark.parametrize("count", [SHOWN, SHOWN + 40])
async def test_a_finished_day_shows_the_same_by_the_ranks_that_were_written(
    database: Database, count: int
) -> None:
    daily = await a_kept_daily(database, racing=True)
    entries = [
        an_entry(entry.player, state="resigned", placed=entry.placed, at_ms=0)
        for entry in a_crowd(count)
    ]
    await take_in(database, daily, entries)
    whole = by_rank(entries)
    daily = await load(database, daily)
    assert await Rooms(database).save(daily, daily.finish())

    room = await load(database, daily, whole[-1].player)

    assert room.state == "finished"
    assert standings_of(room.seats) == ranked(whole[:SHOWN])
    assert standings_of(list(room.asked)) == ranked(whole[SHOWN:][-1:])
    kept = dict(await rows(database, "SELECT player_id, rank FROM games"))
    assert kept == {one.player.id: one.rank for one in whole}


# The end


async def test_a_daily_s_numbers_are_those_of_its_own_games(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    other = await a_kept_daily(
        database, racing=True, room_id="r_other", day=a_daily().closes_at.date()
    )
    await take_in(database, other, [an_entry(BO)])  # today's players do not hold up yesterday's end

    async def numbers() -> tuple[int, int]:
        async with database.write() as connection:
            held = await hold_numbers(connection, daily.id)
        return held["entrants"], held["racing"]

    assert await numbers() == (0, 0)
    ended = entries_of([("won", 1, 1, 1), ("resigned", 1, 1, 1)], chance=Random(1))
    await take_in(database, daily, ended)
    assert await numbers() == (2, 0)
    await take_in(database, daily, [an_entry(ANA)])
    assert await numbers() == (3, 1)


async def test_ranks_are_written_to_everyone_of_this_daily_and_nobody_else(
    database: Database,
) -> None:
    daily = await a_kept_daily(database, racing=True)
    other = await a_kept_daily(
        database, racing=True, room_id="r_other", day=a_daily().closes_at.date()
    )
    entries = a_crowd(SHOWN + 20)
    await take_in(database, daily, entries)
    await take_in(database, other, [an_entry(ANA)])

    async with database.write() as connection:
        await write_ranks(connection, daily.id)

    kept = dict(await rows(database, "SELECT player_id, rank FROM games"))
    assert kept.pop(ANA.id) is None
    assert kept == {one.player.id: one.rank for one in by_rank(entries)}


def test_the_database_orders_by_as_many_keys_as_standings_do() -> None:
    assert len(daily_seats.BEST_FIRST) == len(rank_key(an_entry()))
