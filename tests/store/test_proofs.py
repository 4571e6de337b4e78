import pytest
from sqlalchemy.exc import IntegrityError

from server.race.proof import Opening, Proof
from server.store.database import Database
from server.store.proofs import Proofs
from server.store.rooms import Rooms
from tests.race.builders import ANA, after
from tests.store.builders import a_kept_room, another_room, finish, register, rows

PROOF = Proof(line=("12", "rf", "24x2"), positions=1_234)


async def test_a_rooms_proof_is_read_back(database: Database) -> None:
    await register(database, ANA)
    room = await Rooms(database).create(another_room(), proof=PROOF)

    assert await Proofs(database).of_room(room.id) == PROOF


async def test_a_room_opened_without_a_proof_has_none(database: Database) -> None:
    room = await a_kept_room(database)

    assert await Proofs(database).of_room(room.id) is None
    assert await Proofs(database).of_room("r_none") is None


async def test_a_room_opened_by_a_change_is_kept_with_its_proof(database: Database) -> None:
    room = await a_kept_room(database, racing=True)
    room = await finish(database, room.id)
    following = another_room()
    events = room.open_rematch(ANA, room_id=following.id, at=after(1000))

    assert await Rooms(database).save(room, events, opening=Opening(following, PROOF))

    assert await Proofs(database).of_room(following.id) == PROOF


async def test_a_room_that_is_not_kept_leaves_no_proof_behind(database: Database) -> None:
    await register(database, ANA)
    first = await Rooms(database).create(another_room())
    second = another_room()
    second.seats[0].game_id = first.seats[0].game_id

    with pytest.raises(IntegrityError):
        await Rooms(database).create(second, proof=PROOF)

    assert await rows(database, "SELECT * FROM proofs") == []
