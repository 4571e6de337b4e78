import msgspec
import pytest
from sqlalchemy import update

from server.race.errors import NotFound
from server.race.instants import instant
from server.race.replays import Replay
from server.race.room import Room
from server.store.batches import batches_for
from server.store.database import Database
from server.store.games import Games
from server.store.results import Place, list_results, place_of, read_replay, read_replays
from server.store.rooms import Rooms
from server.store.tables import games
from tests.race.builders import NONCE, OPEN_CODE
from tests.store.builders import a_kept_room, a_play, finish, rows, within
from tests.store.crowds import a_crowd, asked

MANY = 130


async def a_finished_race(database: Database) -> Room:
    """Ana played three moves of which the second placed a card, Bo none."""
    room = await a_kept_room(database, racing=True)
    writer = batches_for(database)
    moves = [("12", 1), ("rf", 2), ("d", 2)]
    plays = [
        a_play(room.seats[0], ply, move=move, placed=placed, at_ms=2000, score=5)
        for ply, (move, placed) in enumerate(moves)
    ]
    assert await writer.write(plays) == {"g_ana"}
    await writer.close()
    return await finish(database, room.id)


async def all_pages(database: Database, room: Room, *, limit: int) -> list[Replay]:
    """Every game of a room, read page by page."""
    found: list[Replay] = []
    while page := await read_replays(
        database, room, limit=limit, after=place_of(found[-1]) if found else None
    ):
        assert len(page) <= limit
        found += page
    return found


async def test_a_game_of_a_race_is_read_complete(database: Database) -> None:
    room = await a_finished_race(database)

    replay = await read_replay(database, room, "g_ana")

    assert room.started_at is not None
    assert room.ends_at is not None
    assert replay == Replay(
        id="g_ana",
        room="r_1",
        players=2,
        player=room.seats[0].player,
        code=OPEN_CODE,
        nonce=NONCE,
        commitment=room.deal.commitment,
        ruleset="CF1",
        draw=3,
        undo=True,
        time_limit_s=900,
        started_at=instant(room.started_at),
        ended_at=instant(room.ends_at),
        moves=["12", "rf", "d"],
        times_ms=[1000, 2000, 3000],
        result=room.standings()[0],
    )


async def test_a_game_in_which_nothing_was_played_is_complete_too(database: Database) -> None:
    room = await a_finished_race(database)

    replay = await read_replay(database, room, "g_bo")

    assert (replay.moves, replay.times_ms, replay.result.rank) == ([], [], 2)


async def test_a_game_that_was_not_packed_before_its_room_finished_is_complete_too(
    database: Database,
) -> None:
    room = await a_kept_room(database, racing=True)
    ana, bo = room.seats
    writer = batches_for(database)
    await writer.write([a_play(ana, 0), a_play(bo, 0), a_play(bo, 1, move="r1")])
    await writer.close()
    await Games(database).end_all(room.id, at=within(room, 900))
    room = await Rooms(database).load(room.id)
    assert await Rooms(database).save(room, room.finish())
    assert await rows(database, "SELECT count(*) FROM actions") == [(3,)]

    replays = await read_replays(database, room, limit=10)

    assert {replay.id: replay.moves for replay in replays} == {"g_ana": ["d"], "g_bo": ["d", "r1"]}


async def test_a_game_of_another_room_is_not_found(database: Database) -> None:
    room = await a_finished_race(database)
    daily = (await a_crowd(database, count=3, finished=True)).room

    for other, game_id in ((daily, "g_ana"), (room, "g_000001"), (room, "g_none")):
        with pytest.raises(NotFound):
            await read_replay(database, other, game_id)


async def test_a_player_who_has_left_is_nameless_in_results(database: Database) -> None:
    room = await a_finished_race(database)
    async with database.write() as connection:
        await connection.exec_driver_sql("UPDATE players SET name = '' WHERE id = 'p_ana'")

    assert (await read_replay(database, room, "g_ana")).player.name == ""
    assert (await list_results(database, room, limit=1, after=None))[0].player.name == ""


async def test_every_game_of_a_crowd_comes_once_and_best_first(database: Database) -> None:
    crowd = await a_crowd(database, count=MANY, finished=True)

    found = await all_pages(database, crowd.room, limit=50)

    expected = {attempt.game_id: attempt for attempt in crowd.attempts}
    assert [place_of(one) for one in found] == sorted(place_of(one) for one in found)
    assert {one.id for one in found} == expected.keys()
    assert len(found) == MANY
    for one in found:
        attempt = expected[one.id]
        assert one.result == crowd.result(attempt)
        assert one.moves == [action.move for action in attempt.actions]
        assert one.times_ms == [action.elapsed_ms for action in attempt.actions]
        assert one.players == MANY


async def test_a_page_may_end_within_a_shared_rank(database: Database) -> None:
    crowd = await a_crowd(database, count=20, finished=True)
    async with database.write() as connection:
        await connection.execute(update(games).values(rank=1))

    found = await all_pages(database, crowd.room, limit=3)

    assert [one.id for one in found] == [f"g_{number:06}" for number in range(20)]


async def test_a_games_own_clock_counts_in_a_daily(database: Database) -> None:
    crowd = await a_crowd(database, count=101, finished=True)

    replay = await read_replay(database, crowd.room, "g_000100")

    assert (len(replay.moves), replay.times_ms[-1]) == (120, 122_400)
    assert replay.started_at == "2026-11-29T00:01:40.000Z"
    assert replay.ended_at == "2026-11-29T00:03:42.400Z"
    assert replay.time_limit_s == 1800


async def test_lists_are_the_same_games_without_their_moves(database: Database) -> None:
    crowd = await a_crowd(database, count=MANY, finished=True)
    replays = await read_replays(database, crowd.room, limit=100)

    listed = await list_results(database, crowd.room, limit=100, after=None)
    further = await list_results(database, crowd.room, limit=1, after=Place(1, "g_zzz"))

    assert [(one.id, one.player, one.result) for one in listed] == [
        (one.id, one.player, one.result) for one in replays
    ]
    assert further[0].result.rank > 1


async def test_a_page_is_one_statement_however_many_games_it_has(database: Database) -> None:
    crowd = await a_crowd(database, count=60, finished=True)

    for limit in (1, 60):
        async with asked(database) as statements:
            await read_replays(database, crowd.room, limit=limit)
        assert len(statements) == 1


def test_a_place_is_one_that_the_database_can_be_asked_for() -> None:
    for text in ('[0, "g"]', '[2147483648, "g"]', '[1.5, "g"]', "[1]"):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(text, type=Place)
    assert msgspec.json.decode('[2147483647, "g"]', type=Place) == Place(2**31 - 1, "g")
