"""Attempts as they are kept: taken in once, whatever happens at the same time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime, timedelta

import pytest
from sqlalchemy import Select, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.race.daily import Daily
from server.race.player import Player
from server.race.seat import Seat
from server.store.attempts import Attempts, RunOut
from server.store.database import Database
from server.store.games import Games
from server.store.rooms import Rooms
from server.store.tables import games, players
from server.store.tables import rooms as rooms_table
from tests.race.builders import ANA, BO, COMPANY, CY, STRANGER, a_daily, an_entry
from tests.store.builders import (
    ON_POSTGRESQL,
    a_kept_daily,
    a_kept_room,
    register,
    rows,
    take_in,
)

PATIENCE_S = 30
MS = timedelta(milliseconds=1)
OPENS, CLOSES = a_daily().opens_at, a_daily().closes_at
NOON = OPENS + timedelta(hours=12)
CROWD = [Player(id=f"p_{n}", name=f"Player{n}", kind="human") for n in range(8)]


def a_seat(daily: Daily, player: Player, *, at: datetime = NOON, game_id: str = "") -> Seat:
    return daily.admit(player, game_id=game_id or f"g{player.id}", at=at)


async def enter(database: Database, daily: Daily, player: Player) -> bool:
    return await Attempts(database).enter(daily, a_seat(daily, player))


async def finish(database: Database, daily: Daily) -> bool:
    """Finish a day as somebody does who has just read it, unless someone races."""
    room = await Rooms(database).load_shown(daily.id)
    return room.nobody_races and await Rooms(database).save(room, room.finish())


async def attempts_at(database: Database, daily: Daily) -> dict[str, str]:
    query = "SELECT player_id, state FROM games WHERE room_id = :id"
    return dict(await rows(database, query, id=daily.id))


@asynccontextmanager
async def another(database: Database) -> AsyncIterator[Database]:
    """Another node's way to the same database, or the same where it is for one process."""
    if database.is_sqlite:
        yield database
        return
    other = Database(database.url.render_as_string(hide_password=False))
    await other.open()
    yield other
    await other.close()


@asynccontextmanager
async def holding(database: Database, which: Select[str]) -> AsyncIterator[AsyncExitStack]:
    """Hold rows so that others wait for them, until the stack that is given is closed."""
    async with AsyncExitStack() as stack:
        connection = await stack.enter_async_context(database.write())
        assert (await connection.execute(which.with_for_update())).one()
        yield stack


async def someone_waits(connection: AsyncConnection, *, for_a_lock: int) -> None:
    """Wait until so many others of this database wait for a lock."""
    waiting = text(
        "SELECT count(*) FROM pg_stat_activity "
        "WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    async with asyncio.timeout(PATIENCE_S):
        while (await connection.execute(waiting)).scalar_one() < for_a_lock:  # noqa: ASYNC110 — PostgreSQL tells nobody
            await asyncio.sleep(0.01)


# Entering


@pytest.mark.parametrize("player", [ANA, STRANGER], ids=["human", "bot"])
async def test_who_enters_has_a_seat_with_a_clock_of_its_own(
    database: Database, player: Player
) -> None:
    daily = await a_kept_daily(database, racing=True)
    await register(database, player)
    seat = a_seat(daily, player)

    assert await Attempts(database).enter(daily, seat)

    assert await Attempts(database).seat(daily.id, player.id) == seat


async def test_who_has_not_entered_has_no_seat(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    await register(database, ANA)

    assert await Attempts(database).seat(daily.id, ANA.id) is None
    assert await Attempts(database).seat("r_none", ANA.id) is None


async def test_who_enters_again_keeps_the_first_attempt(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    await register(database, ANA)
    first = a_seat(daily, ANA)
    assert await Attempts(database).enter(daily, first)

    again = a_seat(daily, ANA, at=NOON + MS, game_id="g_again")

    assert not await Attempts(database).enter(daily, again)
    assert await Attempts(database).seat(daily.id, ANA.id) == first


async def test_of_many_who_enter_one_player_at_once_one_does(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    await register(database, ANA)
    async with another(database) as other:
        entered = await asyncio.gather(
            *(
                Attempts(node).enter(daily, a_seat(daily, ANA, game_id=f"g_{number}"))
                for number, node in enumerate([database, other] * 3)
            )
        )

    assert sorted(entered) == [False] * 5 + [True]
    kept = await rows(database, "SELECT id FROM games")
    assert kept == [(f"g_{entered.index(True)}",)]


@pytest.mark.parametrize("state", ["open", "cancelled", "finished"])
async def test_nobody_enters_a_day_that_is_not_on(database: Database, state: str) -> None:
    daily = await a_kept_daily(database, racing=state == "finished")
    await register(database, ANA)
    racing = a_daily(racing=True)
    if state == "finished":
        assert await finish(database, daily)
    if state == "cancelled":
        assert await Rooms(database).save(daily, daily.withdraw(at=OPENS - MS))

    assert not await Attempts(database).enter(racing, a_seat(racing, ANA))
    assert await attempts_at(database, daily) == {}


async def test_nobody_enters_a_day_that_is_not_there(database: Database) -> None:
    await register(database, ANA)
    racing = a_daily(racing=True)

    assert not await Attempts(database).enter(racing, a_seat(racing, ANA))


async def test_entering_one_day_is_not_entering_another(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    other = await a_kept_daily(database, racing=True, room_id="r_other", day=CLOSES.date())
    await register(database, ANA)

    assert await enter(database, daily, ANA)
    tomorrow = a_seat(other, ANA, at=CLOSES, game_id="g_other")
    assert await Attempts(database).enter(other, tomorrow)


async def test_entering_changes_no_row_that_joiners_share(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    await register(database, *COMPANY)
    versions = "" if database.is_sqlite else ", xmin::text AS xmin, ctid::text AS place"
    shared = {
        table: f"SELECT *{versions} FROM {table}"  # noqa: S608 — names of our own
        for table in ("rooms", "dailies", "room_events", "players", "proofs", "epochs")
    }
    before = {table: await rows(database, query) for table, query in shared.items()}
    assert len(before["rooms"]) == 1

    for player in COMPANY:
        assert await enter(database, daily, player)

    assert {table: await rows(database, query) for table, query in shared.items()} == before


@ON_POSTGRESQL
async def test_nobody_waits_for_another_who_enters(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    await register(database, ANA, BO)
    async with (
        holding(database, select(players.c.id).where(players.c.id == ANA.id)) as held,
        database.glance() as watching,
    ):
        slow = asyncio.create_task(enter(database, daily, ANA))
        await someone_waits(watching, for_a_lock=1)

        assert await enter(database, daily, BO)

        assert not slow.done()
        await held.aclose()
        assert await slow


@ON_POSTGRESQL
async def test_nobody_who_enters_waits_for_an_event_that_is_being_written(
    database: Database,
) -> None:
    daily = await a_kept_daily(database, racing=True)
    await register(database, ANA)
    async with database.write() as connection:
        event = update(rooms_table).where(rooms_table.c.id == daily.id)
        await connection.execute(event.values(version=daily.version + 1))

        async with asyncio.timeout(PATIENCE_S):
            assert await enter(database, daily, ANA)


# Entering while the day finishes


@ON_POSTGRESQL
async def test_a_day_does_not_finish_over_somebody_who_is_just_entering(
    database: Database,
) -> None:
    daily = await a_kept_daily(database, racing=True)
    await register(database, ANA)
    async with (
        holding(database, select(players.c.id).where(players.c.id == ANA.id)) as held,
        database.glance() as watching,
    ):
        entering = asyncio.create_task(enter(database, daily, ANA))
        await someone_waits(watching, for_a_lock=1)
        finishing = asyncio.create_task(finish(database, daily))
        await someone_waits(watching, for_a_lock=2)
        await held.aclose()

        assert await entering
        assert not await finishing

    assert (await Rooms(database).load(daily.id)).state == "racing"
    assert await attempts_at(database, daily) == {ANA.id: "racing"}


@ON_POSTGRESQL
async def test_nobody_enters_a_day_that_is_just_finishing(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    await take_in(database, daily, [an_entry(BO, state="resigned")])
    await register(database, ANA)
    async with (
        holding(database, select(games.c.id).where(games.c.player_id == BO.id)) as held,
        database.glance() as watching,
    ):
        finishing = asyncio.create_task(finish(database, daily))
        await someone_waits(watching, for_a_lock=1)
        entering = asyncio.create_task(enter(database, daily, ANA))
        await someone_waits(watching, for_a_lock=2)
        await held.aclose()

        assert await finishing
        assert not await entering

    assert (await Rooms(database).load(daily.id)).state == "finished"
    assert await attempts_at(database, daily) == {BO.id: "resigned"}


async def test_whoever_enters_as_the_day_finishes_is_in_a_day_that_goes_on_or_not_in_it(
    database: Database,
) -> None:
    await register(database, *CROWD)
    async with another(database) as other:
        for number in range(3):
            day = (OPENS + timedelta(days=number)).date()
            daily = await a_kept_daily(database, racing=True, day=day, room_id=f"r_{number}")

            async def enter_this(player: Player, daily: Daily = daily) -> bool:
                seat = daily.admit(
                    player, game_id=f"g{daily.id}{player.id}", at=daily.closes_at - MS
                )
                return await Attempts(other).enter(daily, seat)

            outcomes = await asyncio.gather(
                *(enter_this(player) for player in CROWD[:4]),
                finish(database, daily),
                *(enter_this(player) for player in CROWD[4:]),
            )
            finished = outcomes.pop(4)

            room = await Rooms(database).load(daily.id)
            entered = {one.id for one, did in zip(CROWD, outcomes, strict=True) if did}
            assert room.state == ("finished" if finished else "racing")
            assert set(await attempts_at(database, daily)) == entered
            assert not (finished and entered)


async def test_a_day_finishes_once_though_two_finish_it(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    await take_in(database, daily, [an_entry(ANA, state="won", placed=52)])
    async with another(database) as other:
        outcomes = await asyncio.gather(finish(database, daily), finish(other, daily))

    assert sorted(outcomes) == [False, True]
    kept = await rows(database, "SELECT event FROM room_events WHERE room_id = :id", id=daily.id)
    assert sum('"finished"' in event for (event,) in kept) == 1


# Running out


async def test_those_have_run_out_whose_own_clock_has_the_longest_first(
    database: Database,
) -> None:
    daily = await a_kept_daily(database, racing=True)
    await register(database, ANA, BO, CY)
    for player, at in ((ANA, NOON + MS), (BO, NOON), (CY, NOON + 2 * MS)):
        assert await Attempts(database).enter(daily, a_seat(daily, player, at=at))
    end = NOON + timedelta(minutes=30)
    attempts = Attempts(database)

    assert await attempts.run_out(end - MS) == []
    bo = RunOut(game_id="gp_bo", room_id=daily.id, player_id=BO.id, ends_at=end)
    assert await attempts.run_out(end) == [bo]
    assert [one.player_id for one in await attempts.run_out(end + MS)] == [BO.id, ANA.id]
    assert len(await attempts.run_out(end + timedelta(days=9))) == 3
    assert await attempts.run_out(end + MS, limit=1) == [bo]


async def test_games_that_have_ended_run_out_no_more(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    await register(database, ANA)
    assert await enter(database, daily, ANA)
    assert await Games(database).end("gp_ana", state="resigned", at=NOON + MS)

    assert await Attempts(database).run_out(CLOSES) == []


async def test_a_race_has_no_clocks_that_run_out(database: Database) -> None:
    await a_kept_room(database, racing=True)

    assert await Attempts(database).run_out(CLOSES) == []


async def test_everyone_is_out_of_time_by_the_own_clock_however_late(
    database: Database,
) -> None:
    daily = await a_kept_daily(database, racing=True)
    await register(database, ANA, BO, CY)
    for player, at in ((ANA, OPENS), (BO, NOON), (CY, CLOSES - MS)):
        assert await Attempts(database).enter(daily, a_seat(daily, player, at=at))
    assert await Games(database).end("gp_bo", state="resigned", at=NOON + MS)

    assert await Games(database).end_all(daily.id, at=daily.last_end) == 2

    ends = {}
    for player in (ANA, BO, CY):
        seat = await Attempts(database).seat(daily.id, player.id)
        assert seat is not None
        ends[player.name] = (seat.state, seat.ended_at)
    half_an_hour = timedelta(minutes=30)
    assert ends == {
        "Ana": ("out_of_time", OPENS + half_an_hour),
        "Bo": ("resigned", NOON + MS),
        "Cy": ("out_of_time", CLOSES - MS + half_an_hour),
    }


# Players who have left


async def test_a_nameless_player_keeps_the_place(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    await take_in(
        database,
        daily,
        [an_entry(ANA, state="resigned", placed=5), an_entry(BO, state="resigned", placed=3)],
    )
    async with database.write() as connection:
        nameless = update(players).where(players.c.id == ANA.id)
        await connection.execute(nameless.values(name="", name_key=None, left_at=NOON))

    page = await Attempts(database).standings(daily.id, limit=10)

    assert page is not None
    assert [(one.player.name, one.rank) for one in page[0]] == [("", 1), ("Bo", 2)]
    assert await finish(database, daily)
    room = await Rooms(database).load_shown(daily.id)
    assert [(seat.player.name, seat.rank) for seat in room.seats] == [("", 1), ("Bo", 2)]
