import asyncio
import sqlite3
import threading

import asyncpg
import pytest
from sqlalchemy import update

from server.race.plays import Play
from server.race.room import Room
from server.store import connecting
from server.store.batches import DRIVER_ERRORS, PostgresBatches, SqliteBatches, batches_for
from server.store.database import Database
from server.store.games import Games
from server.store.journal import BatchWriter
from server.store.rooms import Rooms
from server.store.tables import games
from tests.race.builders import after
from tests.store.builders import (
    ON_POSTGRESQL,
    ON_SQLITE,
    a_kept_room,
    a_play,
    plies_of,
    rows,
    within,
)

TOO_BIG = 2**63  # fits no column of either database


@pytest.fixture
async def writer(database: Database) -> BatchWriter:
    return batches_for(database)


async def a_race(database: Database, *, players: int = 2) -> Room:
    return await a_kept_room(database, players=players, racing=True)


async def test_each_kind_of_database_has_its_writer(database: Database) -> None:
    kind = SqliteBatches if database.is_sqlite else PostgresBatches

    assert type(batches_for(database)) is kind


async def test_a_batch_writes_the_log_and_the_progress_of_every_game(
    database: Database, writer: BatchWriter
) -> None:
    room = await a_race(database)
    ana, bo = room.seats
    plays = [
        a_play(ana, 0, placed=2, at_ms=1000, score=5),
        a_play(bo, 0),
        a_play(ana, 1, placed=3, at_ms=2000, score=10),
    ]

    assert await writer.write(plays) == {"g_ana", "g_bo"}

    kept = (await Rooms(database).load(room.id)).seats
    assert [(s.ply, s.placed, s.score, s.at_ms) for s in kept] == [(2, 3, 10, 2000), (1, 1, 0, 0)]
    assert (await plies_of(database, ana), await plies_of(database, bo)) == ([0, 1], [0])
    await writer.close()


async def test_a_batch_goes_on_where_the_one_before_ended(
    database: Database, writer: BatchWriter
) -> None:
    [ana] = (await a_race(database, players=1)).seats

    for first in range(0, 9, 3):
        assert await writer.write([a_play(ana, first + n) for n in range(3)]) == {"g_ana"}

    assert await plies_of(database, ana) == list(range(9))
    await writer.close()


@pytest.mark.parametrize("first", [0, 2, 7])
async def test_a_game_that_stands_elsewhere_is_refused_alone(
    database: Database, writer: BatchWriter, first: int
) -> None:
    ana, bo = (await a_race(database)).seats
    await writer.write([a_play(ana, 0)])

    assert await writer.write([a_play(ana, first), a_play(bo, 0)]) == {"g_bo"}

    assert (await plies_of(database, ana), await plies_of(database, bo)) == ([0], [0])
    await writer.close()


@pytest.mark.parametrize("plies", [[0, 2], [0, 0], [0, 1, 1], [0, 1, 3]])
async def test_a_game_whose_plays_do_not_follow_one_another_is_refused_alone(
    database: Database, writer: BatchWriter, plies: list[int]
) -> None:
    ana, bo = (await a_race(database)).seats

    written = await writer.write([*(a_play(ana, ply) for ply in plies), a_play(bo, 0)])

    assert written == {"g_bo"}
    assert (await plies_of(database, ana), await plies_of(database, bo)) == ([], [0])
    assert await writer.write([a_play(ana, ply) for ply in plies]) == set()
    await writer.close()


async def test_a_game_that_is_not_there_is_refused_alone(
    database: Database, writer: BatchWriter
) -> None:
    [ana] = (await a_race(database, players=1)).seats
    nobodys = Play("g_none", 0, "d", 1, 1, 0, 0, "racing")

    assert await writer.write([nobodys, a_play(ana, 0)]) == {"g_ana"}
    await writer.close()


async def test_a_game_that_has_ended_or_not_begun_takes_nothing(
    database: Database, writer: BatchWriter
) -> None:
    room = await a_kept_room(database)
    ana, bo = room.seats
    assert await writer.write([a_play(ana, 0)]) == set()
    assert await Rooms(database).save(room, room.start(room.seats[0].player, at=after(5)))
    assert await Rooms(database).save(room, room.advance(at=after(10)))
    await Games(database).end("g_ana", state="resigned", at=after(20))

    assert await writer.write([a_play(ana, 0), a_play(bo, 0)]) == {"g_bo"}

    assert await plies_of(database, ana) == []
    await writer.close()


async def test_a_win_ends_the_game_at_its_own_time(database: Database, writer: BatchWriter) -> None:
    room = await a_race(database)
    ana = room.seats[0]
    win = a_play(ana, 1, state="won", placed=52, score=260, elapsed_ms=91_234, at_ms=91_234)

    assert await writer.write([a_play(ana, 0), win]) == {"g_ana"}

    kept, other = (await Rooms(database).load(room.id)).seats
    assert (kept.state, kept.ended_at, kept.placed) == ("won", within(room, 91.234), 52)
    assert (other.state, other.ended_at) == ("racing", None)
    assert await writer.write([a_play(ana, 2)]) == set()
    await writer.close()


async def test_a_win_on_a_clock_of_its_own_ends_by_that_clock(
    database: Database, writer: BatchWriter
) -> None:
    room = await a_race(database)
    async with database.write() as connection:
        began = update(games).where(games.c.id == "g_ana").values(started_at=after(5000))
        await connection.execute(began)

    wins = [
        a_play(seat, 0, state="won", placed=52, elapsed_ms=91_234, at_ms=91_234)
        for seat in room.seats
    ]
    assert await writer.write(wins) == {"g_ana", "g_bo"}

    kept = (await Rooms(database).load(room.id)).seats
    assert [seat.ended_at for seat in kept] == [after(5000 + 91.234), within(room, 91.234)]
    await writer.close()


async def test_each_action_is_logged_with_what_was_placed_after_it(
    database: Database, writer: BatchWriter
) -> None:
    ana, bo = (await a_race(database)).seats

    await writer.write(
        [a_play(ana, 0, placed=2), a_play(bo, 0, placed=1), a_play(ana, 1, placed=3)]
    )
    await writer.write([a_play(ana, 2, placed=2)])

    logged = await rows(database, "SELECT game_id, ply, placed FROM actions ORDER BY game_id, ply")
    assert logged == [("g_ana", 0, 2), ("g_ana", 1, 3), ("g_ana", 2, 2), ("g_bo", 0, 1)]
    await writer.close()


async def test_of_two_writers_with_the_same_ply_exactly_one_writes(database: Database) -> None:
    [ana] = (await a_race(database, players=1)).seats
    one, other = batches_for(database), batches_for(database)

    for ply in range(20):
        written = await asyncio.gather(*(w.write([a_play(ana, ply)]) for w in (one, other)))
        assert sorted(written, key=len) == [set(), {"g_ana"}]

    assert await plies_of(database, ana) == list(range(20))
    await one.close()
    await other.close()


async def test_two_writers_with_the_same_games_never_hang(database: Database) -> None:
    seats = (await a_race(database, players=5)).seats
    one, other = batches_for(database), batches_for(database)

    for ply in range(10):
        forth = [a_play(seat, ply) for seat in seats]
        async with asyncio.timeout(20):
            first, second = await asyncio.gather(one.write(forth), other.write(forth[::-1]))
        assert not first & second
        assert first | second == {seat.game_id for seat in seats}
    await one.close()
    await other.close()


async def test_a_batch_that_fails_half_way_writes_nothing_and_the_next_one_works(
    database: Database, writer: BatchWriter
) -> None:
    ana, bo = (await a_race(database)).seats
    poison = a_play(bo, 0, placed=99)

    with pytest.raises((sqlite3.IntegrityError, asyncpg.CheckViolationError)):
        await writer.write([a_play(ana, 0), poison])

    assert (await plies_of(database, ana), await plies_of(database, bo)) == ([], [])
    assert await writer.write([a_play(ana, 0), a_play(bo, 0)]) == {"g_ana", "g_bo"}
    await writer.close()


async def test_a_log_that_cannot_be_written_takes_the_progress_back(
    database: Database, writer: BatchWriter
) -> None:
    room = await a_race(database)
    ana = room.seats[0]

    with pytest.raises((OverflowError, asyncpg.DataError)):
        await writer.write([a_play(ana, 0, elapsed_ms=TOO_BIG), a_play(ana, 1)])

    assert (await Rooms(database).load(room.id)).seats[0].ply == 0
    assert await writer.write([a_play(ana, 0)]) == {"g_ana"}
    await writer.close()


async def test_a_writer_that_never_wrote_closes(database: Database) -> None:
    await batches_for(database).close()


@ON_POSTGRESQL
async def test_a_connection_that_the_server_ends_is_made_anew(
    database: Database, writer: BatchWriter
) -> None:
    [ana] = (await a_race(database, players=1)).seats
    assert await writer.write([a_play(ana, 0)]) == {"g_ana"}
    assert isinstance(writer, PostgresBatches)
    await end_connections(database)

    outcomes = [await _try(writer, a_play(ana, 1)) for _ in range(2)]

    assert outcomes in ([None, {"g_ana"}], [{"g_ana"}, set()])
    assert await plies_of(database, ana) == [0, 1]
    await writer.close()


async def test_a_batch_waits_for_a_room_that_is_being_written(
    database: Database, writer: BatchWriter
) -> None:
    room = await a_race(database)
    ana = room.seats[0]

    async with database.write() as connection:
        await connection.exec_driver_sql("UPDATE games SET state = 'resigned' WHERE id = 'g_ana'")
        waiting = asyncio.create_task(writer.write([a_play(ana, 0)]))
        await asyncio.wait([waiting], timeout=0.05)
        assert not waiting.done()

    assert await waiting == set()
    await writer.close()


@ON_POSTGRESQL
async def test_a_batch_that_waits_too_long_is_given_up_and_the_next_one_works(
    database: Database, writer: BatchWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connecting, "ANSWER_WITHIN_S", 2)
    [ana] = (await a_race(database, players=1)).seats

    async with database.write() as connection:
        await connection.exec_driver_sql("SELECT id FROM games FOR UPDATE")
        with pytest.raises(TimeoutError):
            await writer.write([a_play(ana, 0)])

    assert await plies_of(database, ana) == []
    assert await writer.write([a_play(ana, 0)]) == {"g_ana"}
    await writer.close()


@ON_SQLITE
async def test_a_batch_is_written_off_the_event_loops_thread(
    database: Database, writer: BatchWriter
) -> None:
    [ana] = (await a_race(database, players=1)).seats
    before = set(threading.enumerate())

    await writer.write([a_play(ana, 0)])

    [its_own] = [one for one in set(threading.enumerate()) - before if one.name == "journal_0"]
    await writer.close()
    assert not its_own.is_alive()


async def end_connections(database: Database) -> None:
    """Have PostgreSQL end every connection to this database but the one that says so."""
    async with database.read() as connection:
        await connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


async def _try(writer: BatchWriter, play: Play) -> set[str] | None:
    try:
        return await writer.write([play])
    except DRIVER_ERRORS:
        return None
