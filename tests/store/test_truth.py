import pytest

from server.race.marks import Claim, RoomMark, SeatMark
from server.store.batches import batches_for
from server.store.database import Database
from server.store.games import Games
from server.store.players import Players
from server.store.rooms import Rooms
from server.store.truth import Truth
from tests.race.builders import ANA, BO, CY, after
from tests.store.builders import a_kept_room, a_play, another_room, finish, register, rows

FRESH = SeatMark(actions=0, ended=False, claim=None)
CLAIMS = "SELECT player_id, claim FROM games WHERE room_id = 'r_1' ORDER BY player_id"


async def test_a_database_begins_with_an_epoch_of_its_own(database: Database) -> None:
    truth = Truth(database)

    first = await truth.epoch()
    assert len(first) >= 8
    await truth.begin_epoch("e_2", at=after(1))
    await truth.begin_epoch("e_1", at=after(0))  # what counts is the order of beginning

    assert await truth.epoch() == "e_1"
    assert (await truth.look([], [])).epoch == "e_1"


async def test_of_a_room_it_is_told_how_far_it_and_everyone_in_it_has_come(
    database: Database,
) -> None:
    truth, games = Truth(database), Games(database)
    room = await a_kept_room(database, players=3, racing=True)
    writer = batches_for(database)
    await writer.write([a_play(room.seats[0], ply) for ply in range(3)])
    await writer.close()
    await games.end("g_bo", state="resigned", at=after(30))
    await truth.claim([Claim("r_1", CY.id, "c_1")])

    look = await truth.look([room.id], [])

    assert look.rooms == {
        room.id: RoomMark(
            version=room.version,
            seats={
                ANA.id: SeatMark(actions=3, ended=False, claim=None),
                BO.id: SeatMark(actions=0, ended=True, claim=None),
                CY.id: SeatMark(actions=0, ended=False, claim="c_1"),
            },
        )
    }


async def test_what_was_not_asked_about_is_not_told(database: Database) -> None:
    truth = Truth(database)
    room = await a_kept_room(database, players=2)
    await Rooms(database).create(another_room())

    look = await truth.look([room.id, "r_none"], [f"t_{ANA.id}", "t_none"])

    assert look.rooms == {room.id: RoomMark(version=2, seats={ANA.id: FRESH, BO.id: FRESH})}
    assert look.tokens == {f"t_{ANA.id}"}


async def test_a_revoked_token_is_not_valid_any_more(database: Database) -> None:
    await register(database, ANA, BO)
    both = [f"t_{ANA.id}", f"t_{BO.id}"]
    await Players(database).revoke_token(ANA, f"t_{ANA.id}")

    assert (await Truth(database).look([], both)).tokens == {f"t_{BO.id}"}


@pytest.mark.parametrize("how", ["finished", "cancelled"])
async def test_of_a_room_that_is_over_its_version_is_enough(database: Database, how: str) -> None:
    rooms = Rooms(database)
    room = await a_kept_room(database, players=2, racing=how == "finished")
    if how == "finished":
        room = await finish(database, room.id)
    else:
        assert await rooms.save(room, room.cancel(ANA, at=after(5)))

    look = await Truth(database).look([room.id], [])

    assert look.rooms == {room.id: RoomMark(version=room.version, seats={})}


async def test_all_that_were_asked_about_are_told(database: Database) -> None:
    rooms = Rooms(database)
    await register(database, ANA, BO, CY)
    made = [(await rooms.create(another_room())).id for _ in range(5)]
    held = [f"t_{player.id}" for player in (ANA, BO, CY)]

    look = await Truth(database).look(made, held)

    assert (set(look.rooms), look.tokens) == (set(made), set(held))


async def test_many_thousand_ids_can_be_asked_about(database: Database) -> None:
    many = [f"x_{number}" for number in range(40_000)]

    look = await Truth(database).look(many, many)

    assert (look.rooms, look.tokens) == ({}, set())


async def test_of_claims_the_newest_stays(database: Database) -> None:
    truth = Truth(database)
    await a_kept_room(database, players=2)

    await truth.claim([Claim("r_1", BO.id, "2"), Claim("r_1", ANA.id, "2")])
    assert await rows(database, CLAIMS) == [(ANA.id, "2"), (BO.id, "2")]

    await truth.claim([Claim("r_1", ANA.id, "1"), Claim("r_1", BO.id, "3")])
    assert await rows(database, CLAIMS) == [(ANA.id, "2"), (BO.id, "3")]


async def test_claims_of_nobody_here_change_nothing(database: Database) -> None:
    await a_kept_room(database, players=1)
    await Rooms(database).create(another_room())

    await Truth(database).claim([Claim("r_none", ANA.id, "1"), Claim("r_1", BO.id, "1")])

    assert await rows(database, "SELECT claim FROM games") == [(None,), (None,)]


async def test_a_claim_is_of_one_room(database: Database) -> None:
    room = await a_kept_room(database, players=1)
    other = await Rooms(database).create(another_room())

    await Truth(database).claim([Claim(other.id, ANA.id, "1")])

    claims = dict(await rows(database, "SELECT room_id, claim FROM games"))
    assert claims == {room.id: None, other.id: "1"}
