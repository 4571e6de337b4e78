import pytest

from server.race.proof import Opening, Proof
from server.store.attempts import Attempts
from server.store.database import Database
from server.store.games import Games
from server.store.proofs import Proofs
from server.store.room_changes import Overtaken, go_on_if, insert_room, write_change
from server.store.rooms import Rooms
from tests.race.builders import ANA, BO, after
from tests.store.builders import a_kept_daily, a_kept_room, another_room, register, rows


def test_what_is_not_so_any_more_ends_the_transaction() -> None:
    go_on_if(so=1)
    with pytest.raises(Overtaken):
        go_on_if(so=0)


async def test_a_room_is_written_with_its_proof(database: Database) -> None:
    await register(database, ANA)
    room, proof = another_room(), Proof(line=("d", "wf"), positions=7)

    async with database.write() as connection:
        await insert_room(connection, Opening(room, proof))

    assert (await Rooms(database).load(room.id)).seats == room.seats
    assert await Proofs(database).of_room(room.id) == proof


async def test_who_comes_second_writes_nothing(database: Database) -> None:
    room = await a_kept_room(database, players=2)
    rival = await Rooms(database).load(room.id)
    events = room.set_ready(ANA, ready=True, at=after(5))
    lost = rival.set_ready(BO, ready=True, at=after(5))
    async with database.write() as connection:
        await write_change(connection, room, events)

    with pytest.raises(Overtaken):
        async with database.write() as connection:
            await write_change(connection, rival, lost)

    states = await rows(database, "SELECT player_id, state FROM games ORDER BY 1")
    assert states == [(ANA.id, "ready"), (BO.id, "joined")]


async def test_a_daily_does_not_finish_while_somebody_plays(database: Database) -> None:
    daily = await a_kept_daily(database, racing=True)
    await register(database, ANA)
    stale = await Rooms(database).load(daily.id)
    seat = daily.admit(ANA, game_id="g_ana", at=daily.opens_at)
    assert await Attempts(database).enter(daily, seat)
    events = stale.finish()

    with pytest.raises(Overtaken):
        async with database.write() as connection:
            await write_change(connection, stale, events)

    assert (await Rooms(database).load(daily.id)).state == "racing"


async def test_a_daily_does_not_finish_without_somebody_who_has_come_and_gone(
    database: Database,
) -> None:
    daily = await a_kept_daily(database, racing=True)
    await register(database, ANA)
    stale = await Rooms(database).load(daily.id)
    seat = daily.admit(ANA, game_id="g_ana", at=daily.opens_at)
    assert await Attempts(database).enter(daily, seat)
    assert await Games(database).end("g_ana", state="resigned", at=after(5))
    events = stale.finish()

    with pytest.raises(Overtaken):
        async with database.write() as connection:
            await write_change(connection, stale, events)
