import asyncio

import pytest

from server.race.errors import Invalid, NotFound
from server.race.plays import Action, Log
from server.store.batches import batches_for
from server.store.database import Database
from server.store.games import Games
from server.store.rooms import Rooms
from tests.race.builders import after
from tests.store.builders import a_kept_room, a_play, rows

LOG = [Action("12", 900), Action("rf", 1500), Action("u", 1500), Action("24x2", 90_000)]
PLACED = [1, 2, 1, 3]  # after each of them


async def a_played_game(database: Database) -> Games:
    """Two games that race; Ana's has the actions of `LOG`."""
    room = await a_kept_room(database, racing=True)
    writer = batches_for(database)
    plays = [
        a_play(room.seats[0], ply, move=action.move, elapsed_ms=action.elapsed_ms, placed=placed)
        for ply, (action, placed) in enumerate(zip(LOG, PLACED, strict=True))
    ]
    assert await writer.write(plays) == {"g_ana"}
    await writer.close()
    return Games(database)


async def test_a_log_has_every_action_in_order(database: Database) -> None:
    games = await a_played_game(database)

    assert await games.log("g_ana") == Log(state="racing", ended_at=None, actions=LOG)
    assert await games.log("g_bo") == Log(state="racing", ended_at=None, actions=[])


async def test_a_packed_log_is_the_same_log(database: Database) -> None:
    games = await a_played_game(database)
    await games.end("g_ana", state="resigned", at=after(200))
    live = await games.log("g_ana")

    await games.pack_ended("r_1")

    assert await games.log("g_ana") == live == Log("resigned", after(200), LOG)
    assert await rows(database, "SELECT count(*) FROM actions") == [(0,)]


async def test_a_packed_game_keeps_its_curve(database: Database) -> None:
    games = await a_played_game(database)
    await games.end_all("r_1", at=after(910))

    await games.pack_ended("r_1")

    kept = await rows(database, "SELECT id, curve FROM games ORDER BY id")
    assert kept == [("g_ana", "1@0 2@1500 1@0 3@88500"), ("g_bo", "1@0")]


async def test_a_log_without_what_was_placed_is_packed_without_a_curve(database: Database) -> None:
    games = await a_played_game(database)
    await games.end_all("r_1", at=after(910))
    async with database.write() as connection:  # as a server before curves has logged it
        await connection.exec_driver_sql("UPDATE actions SET placed = NULL WHERE ply = 0")

    await games.pack_ended("r_1")

    kept = await rows(database, "SELECT id, curve FROM games ORDER BY id")
    assert kept == [("g_ana", None), ("g_bo", "1@0")]
    assert (await games.log("g_ana")).actions == LOG


async def test_packing_again_changes_nothing(database: Database) -> None:
    games = await a_played_game(database)
    await games.end_all("r_1", at=after(910))
    await games.pack_ended("r_1")
    packed = await rows(database, "SELECT * FROM games ORDER BY id")

    await games.pack_ended("r_1")

    assert await rows(database, "SELECT * FROM games ORDER BY id") == packed


async def test_packing_twice_at_once_loses_nothing(database: Database) -> None:
    games = await a_played_game(database)
    await games.end_all("r_1", at=after(910))

    await asyncio.gather(*(games.pack_ended("r_1") for _ in range(4)))

    assert (await games.log("g_ana")).actions == LOG


async def test_a_game_that_races_is_not_packed(database: Database) -> None:
    games = await a_played_game(database)
    await games.end("g_bo", state="resigned", at=after(200))

    await games.pack_ended("r_1")

    query = "SELECT transcript IS NULL FROM games ORDER BY id"
    assert [bool(row[0]) for row in await rows(database, query)] == [True, False]
    assert (await games.log("g_bo")).actions == []


async def test_a_game_ends_once(database: Database) -> None:
    games = await a_played_game(database)

    assert await games.end("g_ana", state="resigned", at=after(200))
    assert not await games.end("g_ana", state="out_of_time", at=after(910))

    assert (await games.log("g_ana")).ended_at == after(200)


async def test_of_many_who_end_a_game_at_once_exactly_one_does(database: Database) -> None:
    games = await a_played_game(database)

    ended = await asyncio.gather(
        *(games.end("g_ana", state="resigned", at=after(200 + n)) for n in range(5))
    )

    assert sorted(ended) == [False] * 4 + [True]


async def test_time_runs_out_for_those_who_still_race_only(database: Database) -> None:
    games = await a_played_game(database)
    await games.end("g_ana", state="resigned", at=after(200))

    assert await games.end_all("r_1", at=after(910)) == 1
    assert await games.end_all("r_1", at=after(911)) == 0

    seats = (await Rooms(database).load("r_1")).seats
    assert [(seat.state, seat.ended_at) for seat in seats] == [
        ("resigned", after(200)),
        ("out_of_time", after(910)),
    ]


async def test_a_game_that_has_not_begun_does_not_end(database: Database) -> None:
    await a_kept_room(database)

    assert not await Games(database).end("g_ana", state="resigned", at=after(5))
    assert await Games(database).end_all("r_1", at=after(5)) == 0


async def test_a_game_knows_its_room(database: Database) -> None:
    games = await a_played_game(database)

    assert await games.room_of("g_ana") == "r_1"


async def test_a_game_that_is_not_there_is_not_found(database: Database) -> None:
    games = Games(database)

    with pytest.raises(NotFound):
        await games.log("g_none")
    with pytest.raises(NotFound):
        await games.room_of("g_none")
    assert not await games.end("g_none", state="resigned", at=after(5))


async def test_an_id_with_a_nul_is_refused_and_no_fault(database: Database) -> None:
    with pytest.raises(Invalid):
        await Games(database).room_of("g\x00")
