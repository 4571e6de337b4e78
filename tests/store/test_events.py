from collections.abc import Callable

import msgspec
import pytest
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from server.race.events import Cancelled, Joined, ReadyChanged, RoomEvent
from server.store import events as kept_events
from server.store.database import Database
from server.store.rooms import Rooms
from tests.race.builders import ANA, BO, CY, after, everything
from tests.store.builders import a_kept_room, another_room, finish, register, rows


async def events_since(database: Database, room_id: str, version: int) -> list[RoomEvent]:
    async with database.read() as connection:
        return await kept_events.read_since(connection, room_id, version)


async def test_events_are_read_in_the_order_of_their_versions(database: Database) -> None:
    room = await a_kept_room(database, players=1)
    told = [Joined(player=BO), ReadyChanged(player=BO, ready=True), Cancelled(reason="host")]
    async with database.write() as connection:
        for version in (4, 2, 3):
            await kept_events.keep(connection, room, told[version - 2], version=version)

    assert await events_since(database, room.id, 1) == told
    assert await events_since(database, room.id, 2) == told[1:]
    assert await events_since(database, room.id, 4) == []
    assert await events_since(database, "r_other", 1) == []


async def test_of_one_version_there_is_one_event(database: Database) -> None:
    room = await a_kept_room(database, players=1)
    async with database.write() as connection:
        await kept_events.keep(connection, room, Joined(player=BO), version=2)

    with pytest.raises(IntegrityError):
        async with database.write() as connection:
            await kept_events.keep(connection, room, Joined(player=CY), version=2)

    assert await events_since(database, room.id, 1) == [Joined(player=BO)]


async def test_what_happened_before_an_instant_is_forgotten_and_counted(
    database: Database,
) -> None:
    room = await a_kept_room(database, players=1)
    async with database.write() as connection:
        for version in (2, 3, 4):
            room.last_event_at = after(version)
            await kept_events.keep(connection, room, Joined(player=BO), version=version)

    async with database.write() as connection:
        assert await kept_events.forget(connection, before=after(4)) == 2
    async with database.write() as connection:
        assert await kept_events.forget(connection, before=after(4)) == 0

    assert await rows(database, "SELECT version FROM room_events") == [(4,)]


async def test_a_whole_life_is_kept_as_it_was_told(database: Database) -> None:
    rooms = Rooms(database)
    await register(database, ANA, BO, CY)
    room = await rooms.create(another_room(countdown_s=0))
    told: list[RoomEvent] = []
    changes: list[Callable[[], list[RoomEvent]]] = [
        lambda: room.join(BO, game_id="g_bo", at=after(1)),
        lambda: room.join(CY, game_id="g_cy", at=after(2)),
        lambda: room.set_ready(BO, ready=True, at=after(3)),
        lambda: room.kick(ANA, target_id=CY.id, at=after(4)),
        lambda: room.start(ANA, at=after(5)),
    ]
    for make in changes:
        events = make()
        assert await rooms.save(room, events)
        told += events
    finished = await finish(database, room.id)
    renamed = finished.rename(BO, at=after(2000))
    assert await rooms.save(finished, renamed)

    kept = await events_since(database, room.id, 1)

    assert kept[:-2] == told
    assert (type(kept[-2]).__name__, kept[-1:]) == ("Finished", renamed)
    change = await rooms.change_since(room.id, 1)
    assert change.events == kept
    assert everything(change.room) == everything(finished)
    assert change.before == 1
    assert all(event.offset == 0 for event in kept), "its place is given to it when it is told"


async def test_what_was_not_written_leaves_no_event(database: Database) -> None:
    rooms = Rooms(database)
    room = await a_kept_room(database, players=2)
    first, second = await rooms.load(room.id), await rooms.load(room.id)
    assert await rooms.save(first, first.set_ready(BO, ready=True, at=after(5)))

    assert not await rooms.save(second, second.kick(ANA, target_id=BO.id, at=after(6)))

    assert await events_since(database, room.id, 0) == [ReadyChanged(player=BO, ready=True)]


async def test_a_change_whose_events_cannot_be_kept_is_not_written(database: Database) -> None:
    rooms = Rooms(database)
    room = await a_kept_room(database, players=2)
    async with database.write() as connection:
        await kept_events.keep(connection, room, Joined(player=CY), version=3)

    with pytest.raises(IntegrityError):
        await rooms.save(room, room.set_ready(BO, ready=True, at=after(5)))

    kept = await rooms.load(room.id)
    assert (kept.version, [seat.state for seat in kept.seats]) == (2, ["joined", "joined"])


async def test_a_room_and_its_events_are_of_one_moment(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms = Rooms(database)
    room = await a_kept_room(database, players=2)
    read_since = kept_events.read_since

    async def change_meanwhile(
        connection: AsyncConnection, room_id: str, version: int
    ) -> list[RoomEvent]:
        assert await rooms.save(room, room.set_ready(BO, ready=True, at=after(5)))
        return await read_since(connection, room_id, version)

    monkeypatch.setattr(kept_events, "read_since", change_meanwhile)
    change = await rooms.change_since(room.id, 2)

    assert (change.room.version, change.events) == (2, [])


async def test_text_of_any_language_is_kept(database: Database) -> None:
    room = await a_kept_room(database, players=1)
    zoe = msgspec.structs.replace(BO, name="Zoë 🎉 “x”")
    async with database.write() as connection:
        await kept_events.keep(connection, room, Joined(player=zoe), version=2)

    assert await events_since(database, room.id, 1) == [Joined(player=zoe)]
