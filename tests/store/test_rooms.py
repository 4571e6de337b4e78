import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError

from server.game import GameCode
from server.race.course import IDLE_AFTER
from server.race.deals import Deal
from server.race.errors import Invalid, NotFound
from server.race.events import RoomEvent
from server.race.player import Player
from server.race.proof import Opening
from server.race.room import Room
from server.store.database import Database
from server.store.games import Games
from server.store.players import Players
from server.store.rooms import Rooms
from tests.race.builders import (
    ANA,
    BO,
    COMPANY,
    CY,
    DI,
    NONCE,
    OPENED,
    SEALED_CODE,
    a_room,
    after,
    everything,
)
from tests.store.builders import a_kept_room, another_room, finish, register, rows

WISHES: list[dict[str, Any]] = [
    {},
    {"sealed": True, "title": "Пятница 🎉", "seats": 100, "visibility": "unlisted"},
    {"ruleset": "CH1", "time_limit_s": 7200, "countdown_s": 0, "ranked": False},
    {"draw": 1, "undo": False, "start": "ready", "time_limit_s": 60},
    {"start": "at", "start_at": after(3600.123), "countdown_s": 60},
]


async def apply(rooms: Rooms, room: Room, events: Sequence[RoomEvent]) -> Room:
    """Save a change, and give the room as it is read back."""
    assert await rooms.save(room, events)
    kept = await rooms.load(room.id)
    assert everything(kept) == everything(room)
    return kept


@pytest.mark.parametrize("wish", WISHES)
async def test_a_new_room_is_read_back_field_by_field(
    database: Database, wish: dict[str, Any]
) -> None:
    room = await a_kept_room(database, players=3, **wish)

    assert everything(await Rooms(database).load(room.id)) == everything(room)


async def test_a_room_with_a_typed_code_and_a_sealed_code_keep_theirs(database: Database) -> None:
    await register(database, ANA)
    room = another_room()
    room.code_is_known, room.deal = True, Deal(code=GameCode.parse(SEALED_CODE), nonce=NONCE)

    kept = await Rooms(database).create(room)

    assert everything(await Rooms(database).load(kept.id)) == everything(room)


async def test_a_rooms_whole_life_is_read_back_after_every_change(database: Database) -> None:
    rooms = Rooms(database)
    await register(database, *COMPANY[:4])
    room = await rooms.create(a_room(sealed=True))

    room = await apply(rooms, room, room.join(BO, game_id="g_bo", at=after(1)))
    room = await apply(rooms, room, room.join(CY, game_id="g_cy", at=after(2)))
    room = await apply(rooms, room, room.join(DI, game_id="g_di", at=after(3)))
    room = await apply(rooms, room, room.set_ready(BO, ready=True, at=after(4)))
    room = await apply(rooms, room, room.set_ready(BO, ready=False, at=after(5)))
    room = await apply(rooms, room, room.kick(ANA, target_id=CY.id, at=after(6)))
    room = await apply(rooms, room, room.leave(ANA, at=after(7)))
    room = await apply(rooms, room, room.join(ANA, game_id="g_ana2", at=after(8)))
    assert [seat.player for seat in room.seats] == [BO, DI, ANA]
    room = await apply(rooms, room, room.start(BO, at=after(9)))
    room = await apply(rooms, room, room.advance(at=after(14)))
    await Games(database).end("g_bo", state="resigned", at=after(20))
    await Games(database).end_all(room.id, at=after(914))
    room = await rooms.load(room.id)
    room = await apply(rooms, room, room.finish())
    room = await apply(rooms, room, room.rename(Player(BO.id, "Bo", "human"), at=after(915)))
    assert (room.state, room.finished_at) == ("finished", after(914))


@pytest.mark.parametrize(
    "change",
    [
        lambda room: room.cancel(ANA, at=after(5)),
        lambda room: room.advance(at=after(1) + IDLE_AFTER),
        lambda room: [*room.leave(ANA, at=after(5)), *room.leave(BO, at=after(6))],
    ],
)
async def test_every_way_of_cancelling_is_read_back(
    database: Database, change: Callable[[Room], list[RoomEvent]]
) -> None:
    room = await a_kept_room(database)

    kept = await apply(Rooms(database), room, change(room))

    assert kept.state == "cancelled"


async def test_a_start_without_countdown_writes_all_its_events_at_once(database: Database) -> None:
    room = await a_kept_room(database, countdown_s=0)

    kept = await apply(Rooms(database), room, room.start(ANA, at=after(5)))

    assert [seat.state for seat in kept.seats] == ["racing", "racing"]


async def test_a_room_that_is_not_there_is_not_found(database: Database) -> None:
    with pytest.raises(NotFound, match="r_none"):
        await Rooms(database).load("r_none")


async def test_an_id_with_a_nul_is_refused_and_no_fault(database: Database) -> None:
    with pytest.raises(Invalid):
        await Rooms(database).load("r\x00")


# Compare-and-set


async def test_who_comes_second_writes_nothing(database: Database) -> None:
    rooms = Rooms(database)
    room = await a_kept_room(database)
    first, second = await rooms.load(room.id), await rooms.load(room.id)
    assert await rooms.save(first, first.set_ready(BO, ready=True, at=after(5)))

    assert not await rooms.save(second, second.kick(ANA, target_id=BO.id, at=after(6)))

    assert everything(await rooms.load(room.id)) == everything(first)


async def test_a_seat_taken_by_who_comes_second_is_not_kept(database: Database) -> None:
    rooms = Rooms(database)
    room = await a_kept_room(database)
    await register(database, CY, DI)
    first, second = await rooms.load(room.id), await rooms.load(room.id)
    assert await rooms.save(first, first.join(CY, game_id="g_cy", at=after(5)))

    assert not await rooms.save(second, second.join(DI, game_id="g_di", at=after(6)))

    assert [s.player for s in (await rooms.load(room.id)).seats] == [ANA, BO, CY]


async def test_of_many_who_change_a_room_at_once_exactly_one_does(database: Database) -> None:
    rooms = Rooms(database)
    room = await a_kept_room(database)
    read = [await rooms.load(room.id) for _ in range(6)]

    written = await asyncio.gather(*(rooms.save(r, r.start(ANA, at=after(5))) for r in read))

    assert sorted(written) == [False] * 5 + [True]
    assert (await rooms.load(room.id)).version == room.version + 1


# Opening


async def test_the_same_key_of_the_same_player_gives_the_same_room(database: Database) -> None:
    rooms = Rooms(database)
    await register(database, ANA)
    first = await rooms.create(another_room(), idempotency_key="k")

    again = await rooms.create(another_room(title="other"), idempotency_key="k")

    assert everything(again) == everything(first)
    assert await rows(database, "SELECT id FROM rooms") == [(first.id,)]


async def test_a_key_of_another_player_is_another_key(database: Database) -> None:
    rooms = Rooms(database)
    await register(database, ANA, BO)
    anas = await rooms.create(another_room(ANA), idempotency_key="k")

    bos = await rooms.create(another_room(BO), idempotency_key="k")

    assert anas.id != bos.id
    assert bos.host == BO


async def test_rooms_without_a_key_are_all_kept(database: Database) -> None:
    rooms = Rooms(database)
    await register(database, ANA)

    made = [(await rooms.create(another_room())).id for _ in range(3)]

    assert sorted(made) == sorted(row[0] for row in await rows(database, "SELECT id FROM rooms"))


async def test_a_key_said_twice_at_once_makes_one_room(database: Database) -> None:
    rooms = Rooms(database)
    await register(database, ANA)

    made = await asyncio.gather(
        *(rooms.create(another_room(), idempotency_key="k") for _ in range(5))
    )

    assert len({room.id for room in made}) == 1
    assert len(await rows(database, "SELECT id FROM rooms")) == 1


async def test_a_room_that_cannot_be_kept_is_not_mistaken_for_another(database: Database) -> None:
    rooms = Rooms(database)
    await register(database, ANA)
    first = await rooms.create(another_room())
    second = another_room()
    second.seats[0].game_id = first.seats[0].game_id

    with pytest.raises(IntegrityError):
        await rooms.create(second)

    assert len(await rows(database, "SELECT id FROM rooms")) == 1


async def test_a_key_with_a_nul_is_refused_and_no_fault(database: Database) -> None:
    await register(database, ANA)

    with pytest.raises(Invalid):
        await Rooms(database).create(another_room(), idempotency_key="k\x00")


async def test_a_rematch_is_kept_together_with_the_change_that_names_it(
    database: Database,
) -> None:
    rooms = Rooms(database)
    room = await a_kept_room(database, racing=True)
    room = await finish(database, room.id)
    following = another_room(BO)
    events = room.open_rematch(BO, room_id=following.id, at=after(1000))

    assert await rooms.save(room, events, opening=Opening(following))

    assert (await rooms.load(room.id)).rematch == following.id
    assert everything(await rooms.load(following.id)) == everything(following)


async def test_a_rematch_that_lost_to_another_leaves_no_room_behind(database: Database) -> None:
    rooms = Rooms(database)
    room = await a_kept_room(database, racing=True)
    await finish(database, room.id)
    first, second = await rooms.load(room.id), await rooms.load(room.id)
    one, other = another_room(ANA), another_room(BO)
    won = first.open_rematch(ANA, room_id=one.id, at=after(1000))
    lost = second.open_rematch(BO, room_id=other.id, at=after(1000))
    assert await rooms.save(first, won, opening=Opening(one))

    assert not await rooms.save(second, lost, opening=Opening(other))

    assert (await rooms.load(room.id)).rematch == one.id
    with pytest.raises(NotFound):
        await rooms.load(other.id)


# What is due, and lists


async def test_a_room_is_due_at_its_instant_and_not_before(database: Database) -> None:
    rooms = Rooms(database)
    room = await a_kept_room(database)
    assert room.due_at is not None

    assert await rooms.due(after(1799)) == []
    assert await rooms.due(room.due_at) == [room.id]


async def test_a_race_that_nobody_runs_any_more_is_due_at_once(database: Database) -> None:
    rooms, games = Rooms(database), Games(database)
    room = await a_kept_room(database, racing=True)
    await games.end("g_ana", state="resigned", at=after(20))
    assert await rooms.due(after(20)) == []

    await games.end("g_bo", state="resigned", at=after(21))

    assert await rooms.due(after(21)) == [room.id]


async def test_what_has_been_due_for_longest_comes_first(database: Database) -> None:
    rooms = Rooms(database)
    await register(database, ANA)
    made = [await rooms.create(another_room(opened_s=second)) for second in (3, 1, 2)]

    due = await rooms.due(after(3) + IDLE_AFTER, limit=2)

    assert due == [made[1].id, made[2].id]


async def test_nothing_is_due_in_a_room_that_is_over(database: Database) -> None:
    rooms = Rooms(database)
    cancelled = await a_kept_room(database, racing=True)
    await finish(database, cancelled.id)
    other = await rooms.create(another_room())
    assert await rooms.save(other, other.cancel(ANA, at=after(1)))

    assert await rooms.due(after(10**6)) == []


async def test_the_lobby_lists_public_rooms_newest_first_page_by_page(database: Database) -> None:
    rooms = Rooms(database)
    await register(database, ANA)
    made = [await rooms.create(another_room(opened_s=second // 2)) for second in range(7)]
    await rooms.create(another_room(opened_s=9, visibility="unlisted"))

    seen: list[Room] = []
    cursor = None
    while page := await rooms.lobby(state=None, kind=None, limit=3, after=cursor):
        seen += page
        cursor = (page[-1].created_at, page[-1].id)

    newest_first = sorted(made, key=lambda room: (room.created_at, room.id), reverse=True)
    assert [everything(room) for room in seen] == [everything(room) for room in newest_first]


async def test_the_lobby_lists_by_state_and_kind(database: Database) -> None:
    rooms = Rooms(database)
    await register(database, ANA)
    waiting, cancelled = [await rooms.create(another_room()) for _ in range(2)]
    assert await rooms.save(cancelled, cancelled.cancel(ANA, at=after(1)))

    async def listed(state: str | None, kind: str | None) -> list[str]:
        return [r.id for r in await rooms.lobby(state=state, kind=kind, limit=9, after=None)]

    assert await listed("open", None) == [waiting.id]
    assert await listed("cancelled", "race") == [cancelled.id]
    assert await listed(None, "daily") == []


async def test_a_lobby_cursor_with_a_nul_is_refused_and_no_fault(database: Database) -> None:
    with pytest.raises(Invalid):
        await Rooms(database).lobby(state=None, kind=None, limit=1, after=(OPENED, "\x00"))


async def test_a_players_rooms_are_those_not_over_yet(database: Database) -> None:
    rooms = Rooms(database)
    await register(database, ANA, BO)
    waiting, cancelled = [await rooms.create(another_room()) for _ in range(2)]
    assert await rooms.save(cancelled, cancelled.cancel(ANA, at=after(1)))

    assert await rooms.of_player(ANA.id) == [waiting.id]
    assert await rooms.of_player(BO.id) == []


async def test_a_room_shows_its_players_under_their_present_names(database: Database) -> None:
    room = await a_kept_room(database)
    await Players(database).rename(ANA, "Anna")

    assert [s.player.name for s in (await Rooms(database).load(room.id)).seats] == ["Anna", "Bo"]
