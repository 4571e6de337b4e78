from datetime import timedelta

from server.live.bookkeeping import Bookkeeping
from server.store.counting import Counting
from server.store.database import Database
from server.store.games import Games
from server.store.rooms import Rooms
from tests.live.builders import a_node
from tests.race.builders import ANA, BO, a_daily
from tests.store.builders import a_kept_daily, a_kept_room, finish, register, rows

DAY = a_daily()


async def test_a_daily_is_counted_after_it_has_finished_and_once(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    await register(database, ANA, BO)
    async with a_node(database) as node:
        for player in (ANA, BO):
            seat = daily.admit(player, game_id=f"g_{player.name}", at=DAY.opens_at)
            assert await node.attempts_kept.enter(daily, seat)
    bookkeeping = Bookkeeping(Counting(database))
    counted = "SELECT player_id, games, placed FROM player_totals WHERE period = 'all' ORDER BY 1"
    await bookkeeping.settle()
    assert await rows(database, counted) == [], "the day goes on"
    await Games(database).end_all(daily.id, at=DAY.opens_at + timedelta(hours=1))
    room = await Rooms(database).load(daily.id)
    assert await Rooms(database).save(room, room.finish())

    for _ in range(2):
        await bookkeeping.settle()

        assert await rows(database, counted) == [(ANA.id, 1, 1), (BO.id, 1, 1)]
    assert await Counting(database).unsettled() == []


async def test_a_race_is_counted_as_it_finishes(database: Database) -> None:
    room = await a_kept_room(database, players=2, sealed=True, racing=True)

    await finish(database, room.id)

    assert await Counting(database).unsettled() == []
    query = "SELECT player_id, games FROM player_totals WHERE period = 'all' ORDER BY 1"
    assert await rows(database, query) == [(ANA.id, 1), (BO.id, 1)]
