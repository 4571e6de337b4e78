from typing import Any

import pytest

from server.race.errors import NotAPlayer
from server.race.replays import Curve
from server.race.room import Room
from server.store import progress as reading
from server.store.batches import batches_for
from server.store.database import Database
from server.store.games import Games
from server.store.progress import read_curves
from tests.race.builders import after
from tests.store.builders import a_kept_room, a_play, rows
from tests.store.crowds import Attempt, a_crowd, asked

MANY = 130


def curves_of(attempts: list[Attempt]) -> list[Curve]:
    return [attempt.curve for attempt in attempts]


@pytest.mark.parametrize("finished", [True, False])
async def test_the_best_of_a_crowd_come_first(database: Database, *, finished: bool) -> None:
    crowd = await a_crowd(database, count=MANY, finished=finished)

    found = await read_curves(database, crowd.room, limit=100)

    assert found == curves_of(crowd.attempts[:100])


@pytest.mark.parametrize("finished", [True, False])
async def test_half_are_the_best_and_half_those_around_a_player(
    database: Database, *, finished: bool
) -> None:
    crowd = await a_crowd(database, count=MANY, finished=finished)
    me = crowd.attempts[90].player

    found = await read_curves(database, crowd.room, limit=40, around=me.id)

    assert found == curves_of([*crowd.attempts[:20], *crowd.attempts[80:100]])


@pytest.mark.parametrize(
    ("place", "limit", "first"),
    [
        (0, 10, 5),  # among the best: nobody twice, and as many as asked for
        (7, 10, 5),
        (8, 10, 6),
        (58, 10, 55),  # among the last
        (59, 10, 55),
        (30, 1, 30),  # only oneself
        (0, 1, 0),
        (30, 3, 29),
        (30, 100, 50),  # everyone
    ],
)
async def test_nobody_comes_twice_and_as_many_come_as_can(
    database: Database, place: int, limit: int, first: int
) -> None:
    crowd = await a_crowd(database, count=60, finished=True)
    people = [attempt.player for attempt in crowd.attempts]

    found = await read_curves(database, crowd.room, limit=limit, around=people[place].id)

    best, rest = limit // 2, limit - limit // 2
    assert [curve.player for curve in found] == people[:best] + people[first : first + rest]
    assert people[place] in [curve.player for curve in found]


async def test_many_games_take_no_more_statements_than_a_few(database: Database) -> None:
    crowd = await a_crowd(database, count=60, finished=False)
    me = crowd.attempts[30].player.id

    for limit in (4, 60):
        async with asked(database) as statements:
            await read_curves(database, crowd.room, limit=limit, around=me)
        assert len(statements) == 2


async def test_nobody_can_ask_for_those_around_who_has_no_game(database: Database) -> None:
    crowd = await a_crowd(database, count=3, finished=True)

    with pytest.raises(NotAPlayer):
        await read_curves(database, crowd.room, limit=10, around="p_none")


async def test_a_game_has_the_same_curve_while_it_races_once_ended_and_once_packed(
    database: Database,
) -> None:
    room = await a_played_race(database)
    racing = await read_curves(database, room, limit=10)

    await Games(database).end_all(room.id, at=after(910))
    ended = await read_curves(database, room, limit=10)
    await Games(database).pack_ended(room.id)
    packed = await read_curves(database, room, limit=10)

    assert racing == ended == packed
    assert [curve.points for curve in racing] == [[(0, 1), (2000, 2)], [(0, 1)]]
    assert await rows(database, "SELECT count(*) FROM actions") == [(0,)]


async def test_a_game_that_is_packed_meanwhile_has_its_curve_all_the_same(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await a_played_race(database)
    await Games(database).end_all(room.id, at=after(910))
    read_live = reading._live_points

    async def packed_before(*about: Any) -> Any:
        await Games(database).pack_ended(room.id)
        return await read_live(*about)

    monkeypatch.setattr(reading, "_live_points", packed_before)

    curves = await read_curves(database, room, limit=10)

    assert [curve.points for curve in curves] == [[(0, 1), (2000, 2)], [(0, 1)]]
    assert await rows(database, "SELECT count(*) FROM actions") == [(0,)]


async def test_actions_of_old_servers_are_left_out_while_the_game_races(
    database: Database,
) -> None:
    room = await a_played_race(database)
    async with database.write() as connection:
        await connection.exec_driver_sql("UPDATE actions SET placed = NULL WHERE ply = 1")

    curves = await read_curves(database, room, limit=10)

    assert [curve.points for curve in curves] == [[(0, 1), (3000, 2)], [(0, 1)]]


async def test_a_game_packed_by_an_old_server_is_played_again_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd = await a_crowd(database, count=5, finished=True)
    async with database.write() as connection:
        await connection.exec_driver_sql("UPDATE games SET curve = NULL WHERE id <> 'g_000003'")

    assert await read_curves(database, crowd.room, limit=3) == curves_of(crowd.attempts[:3])

    assert await read_curves(database, crowd.room, limit=5) == curves_of(crowd.attempts)
    assert await rows(database, "SELECT count(*) FROM games WHERE curve IS NULL") == [(0,)]
    monkeypatch.setattr("server.store.progress.trace", None)
    assert await read_curves(database, crowd.room, limit=5) == curves_of(crowd.attempts)


async def test_those_who_have_just_joined_a_daily_have_a_start(database: Database) -> None:
    crowd = await a_crowd(database, count=2, finished=False)
    async with database.write() as connection:
        await connection.exec_driver_sql("DELETE FROM actions")

    curves = await read_curves(database, crowd.room, limit=5)

    assert [curve.points[0] for curve in curves] == [(0, 1), (0, 1)]


async def a_played_race(database: Database) -> Room:
    """Ana played three moves of which the second placed a card, Bo none."""
    room = await a_kept_room(database, racing=True)
    writer = batches_for(database)
    plays = [
        a_play(room.seats[0], ply, move=move, placed=placed, at_ms=2000)
        for ply, (move, placed) in enumerate([("12", 1), ("rf", 2), ("d", 2)])
    ]
    assert await writer.write(plays) == {"g_ana"}
    await writer.close()
    return room
