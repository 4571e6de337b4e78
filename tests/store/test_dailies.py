import asyncio
from copy import deepcopy
from datetime import date, timedelta

import pytest

from server.race.daily import DAY, Daily, open_daily
from server.race.daily_deals import candidate
from server.race.errors import NotFound
from server.race.events import Cancelled
from server.race.proof import Proof
from server.store.dailies import Dailies
from server.store.database import Database
from server.store.proofs import Proofs
from server.store.rooms import Rooms
from server.store.tables import HOUSE
from tests.race.builders import OPENED, after
from tests.store.builders import CHANCE, rows

TODAY = date(2026, 11, 30)
PROOF = Proof(line=("12", "rf"), positions=77)
SECRET = "5" * 64


def a_daily(day: date = TODAY, *, number: int = 0) -> Daily:
    """The room of a day, with an id of its own."""
    deal = candidate(SECRET, day, number)
    return open_daily(CHANCE.identifier(), deal, day=day, at=OPENED)


async def a_planned_daily(database: Database, day: date = TODAY) -> Daily:
    room = a_daily(day)
    assert await Dailies(database).plan(room, PROOF, number=0, at=OPENED) == room.id
    return room


async def test_a_planned_day_has_its_room_and_other_days_have_none(database: Database) -> None:
    dailies = Dailies(database)

    room = await a_planned_daily(database)

    assert await dailies.room_of(TODAY) == room.id
    assert await dailies.room_of(TODAY + DAY) is None
    kept = await Rooms(database).load(room.id)
    assert (kept.kind, kept.state, kept.host_id, kept.seats) == ("daily", "open", None, [])
    assert (kept.settings, kept.deal, kept.due_at) == (room.settings, room.deal, room.opens_at)
    assert await Proofs(database).of_room(room.id) == PROOF


async def test_the_house_opens_every_daily_and_is_nobody(database: Database) -> None:
    for ahead in range(2):
        await a_planned_daily(database, TODAY + ahead * DAY)

    assert await rows(database, "SELECT DISTINCT created_by FROM rooms") == [(HOUSE,)]
    house = await rows(database, "SELECT name, name_key, left_at IS NULL FROM players")
    assert [tuple(map(bool, row)) for row in house] == [(False, False, False)]


async def test_of_two_nodes_that_plan_a_day_one_does(database: Database) -> None:
    first = await a_planned_daily(database)
    second = a_daily()

    assert await Dailies(database).plan(second, PROOF, number=0, at=after(1)) == first.id

    with pytest.raises(NotFound):
        await Rooms(database).load(second.id)
    assert await rows(database, "SELECT room_id FROM proofs") == [(first.id,)]


async def test_many_who_plan_a_day_at_once_all_give_the_same_room(database: Database) -> None:
    planned = await asyncio.gather(
        *(Dailies(database).plan(a_daily(), PROOF, number=0, at=OPENED) for _ in range(6))
    )

    assert await rows(database, "SELECT id FROM rooms") == [(planned[0],)]
    assert set(planned) == {planned[0]}


async def test_the_secret_is_made_once_for_all(database: Database) -> None:
    secrets = await asyncio.gather(
        *(Dailies(database).secret(fresh=str(number)) for number in range(6))
    )

    assert len(set(secrets)) == 1
    assert await Dailies(database).secret(fresh="another") == secrets[0]


# Replacing


async def replace(database: Database, room: Daily, *, by: Daily) -> bool:
    """Withdraw a day's room as it was read, and put another in its place."""
    events = room.withdraw(at=after(60))
    return await Dailies(database).replace(room, events, by=by, proof=PROOF, number=1, at=after(60))


async def test_a_replaced_room_stays_withdrawn_and_the_day_has_another(
    database: Database,
) -> None:
    old, new = await a_planned_daily(database), a_daily(number=1)

    assert await replace(database, old, by=new)

    assert await Dailies(database).room_of(TODAY) == new.id
    [planned] = await Dailies(database).planned(since=TODAY, limit=9)
    assert (planned.room_id, planned.number, planned.planned_at) == (new.id, 1, after(60))
    change = await Rooms(database).change_since(old.id, 0)
    assert (change.room.state, change.room.deal.commitment) == ("cancelled", old.deal.commitment)
    assert change.events == [Cancelled(reason="replaced")]
    assert await Proofs(database).of_room(new.id) == PROOF


async def test_a_room_that_has_changed_meanwhile_is_not_replaced(database: Database) -> None:
    room = await a_planned_daily(database)
    read_before = deepcopy(room)
    begun = room.advance(at=room.opens_at)
    assert await Rooms(database).save(room, begun)
    new = a_daily(number=1)

    assert not await replace(database, read_before, by=new)

    assert await Dailies(database).room_of(TODAY) == room.id
    assert (await Rooms(database).load(room.id)).state == "racing"
    with pytest.raises(NotFound):
        await Rooms(database).load(new.id)


async def test_a_room_that_is_not_the_days_any_more_is_not_replaced(database: Database) -> None:
    room = await a_planned_daily(database)
    of_tomorrow = await a_planned_daily(database, TODAY + DAY)

    assert not await replace(database, of_tomorrow, by=a_daily(number=1))

    assert await Dailies(database).room_of(TODAY) == room.id
    assert (await Rooms(database).load(of_tomorrow.id)).state == "open"


async def test_of_two_who_replace_a_day_at_once_one_does(database: Database) -> None:
    room = await a_planned_daily(database)
    read = [room, deepcopy(room)]

    replaced = await asyncio.gather(
        *(replace(database, one, by=a_daily(number=number)) for number, one in enumerate(read, 1))
    )

    assert sorted(replaced) == [False, True]
    assert await rows(database, "SELECT count(*) FROM rooms") == [(2,)]


# Showing


async def test_planned_days_are_listed_in_order_from_one_on(database: Database) -> None:
    for ahead in (3, 0, 1):
        await a_planned_daily(database, TODAY + timedelta(days=ahead))

    async def days(since: date, limit: int) -> list[int]:
        listed = await Dailies(database).planned(since=since, limit=limit)
        return [(one.day - TODAY).days for one in listed]

    assert await days(TODAY - DAY, 9) == [0, 1, 3]
    assert await days(TODAY - DAY, 2) == [0, 1]
    assert await days(TODAY + DAY, 9) == [1, 3]


async def test_a_listed_day_tells_everything_that_is_kept_of_it(database: Database) -> None:
    room = await a_planned_daily(database)

    [planned] = await Dailies(database).planned(since=TODAY, limit=1)

    assert (planned.day, planned.room_id, planned.number) == (TODAY, room.id, 0)
    assert (planned.state, planned.deal, planned.proof) == ("open", room.deal, PROOF)
    assert (planned.players, planned.planned_at) == (0, OPENED)
