import asyncio

import pytest

from server.race.errors import Invalid, NotAPlayer, NotAvailable, RoomFull, WrongState
from server.race.proof import VARIANTS, Variant
from server.race.room import Room
from server.race.settings import RoomWish
from server.store.database import Database
from server.store.proofs import Proofs
from tests.live.builders import Node, a_node
from tests.live.provers import Solving
from tests.race.builders import ANA, BO, COMPANY, CY, OPEN_CODE, STRANGER
from tests.store.builders import a_kept_room, finish, register, rows


async def a_lobby(node: Node) -> None:
    await register(node.database, *COMPANY)


async def test_whoever_opens_a_room_is_its_host_and_has_joined(lite: Database) -> None:
    async with a_node(lite) as node:
        await a_lobby(node)

        room = await node.lobby.open(RoomWish(title="Friday"), host=ANA)

        kept = await node.rooms.load(room.id)
        assert (kept.host, [seat.player for seat in kept.seats]) == (ANA, [ANA])
        assert (kept.settings.title, kept.code_is_known) == ("Friday", False)


@pytest.mark.parametrize(("sealed", "letters"), [(False, 7), (True, 28)])
async def test_a_deal_is_random_and_longer_when_sealed(
    lite: Database, sealed: bool, letters: int
) -> None:
    async with a_node(lite) as node:
        await a_lobby(node)

        deals = {(await node.lobby.open(RoomWish(sealed=sealed), host=ANA)).deal for _ in range(5)}

        assert len({str(deal.code) for deal in deals}) == 5
        assert len({deal.nonce for deal in deals}) == 5
        assert {len(deal.code.letters) for deal in deals} == {letters}


async def test_a_code_that_was_typed_is_dealt_and_known(lite: Database) -> None:
    async with a_node(lite) as node:
        await a_lobby(node)

        room = await node.lobby.open(RoomWish(code=OPEN_CODE), host=ANA)

        assert (str(room.deal.code), room.code_is_known) == (OPEN_CODE, True)


async def test_a_wish_that_cannot_be_opens_nothing(lite: Database) -> None:
    async with a_node(lite) as node:
        await a_lobby(node)

        with pytest.raises(Invalid):
            await node.lobby.open(RoomWish(code=OPEN_CODE, sealed=True), host=ANA)

        assert await rows(lite, "SELECT id FROM rooms") == []


async def test_the_same_key_gives_the_same_room(database: Database) -> None:
    async with a_node(database) as node:
        await a_lobby(node)

        opened = await asyncio.gather(
            *(node.lobby.open(RoomWish(), host=ANA, idempotency_key="k") for _ in range(4))
        )
        bos = await node.lobby.open(RoomWish(), host=BO, idempotency_key="k")

        assert len({room.id for room in opened}) == 1
        assert bos.id != opened[0].id


async def test_joining_takes_a_seat_once(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=1)
        await register(lite, BO)

        await asyncio.gather(*(node.join(room.id, BO) for _ in range(3)))

        seats = (await node.rooms.load(room.id)).seats
        assert [seat.player for seat in seats] == [ANA, BO]


async def test_seats_are_not_given_twice_however_many_ask_at_once(database: Database) -> None:
    async with a_node(database) as node, a_node(database) as other:
        room = await a_kept_room(database, players=1, seats=3)
        await register(database, *COMPANY[1:])

        joined = await asyncio.gather(
            *(
                one.join(room.id, player)
                for one, player in zip((node, other, node, other), COMPANY[1:], strict=True)
            ),
            return_exceptions=True,
        )

        assert sum(isinstance(one, RoomFull) for one in joined) == 2
        assert len((await node.rooms.load(room.id)).seats) == 3


async def test_a_rematch_is_one_room_for_all_who_ask(database: Database) -> None:
    async with a_node(database) as node, a_node(database) as other:
        room = await a_kept_room(database, players=3, racing=True, title="Friday", sealed=True)
        await finish(database, room.id)

        rematches = await asyncio.gather(
            *(
                one.rematch(room.id, player)
                for one, player in zip((node, other, node), (ANA, BO, CY), strict=True)
            )
        )
        again = await node.rematch(room.id, BO)

        assert len({one.id for one in [*rematches, again]}) == 1
        kept = await node.rooms.load(again.id)
        assert {seat.player.id for seat in kept.seats} == {ANA.id, BO.id, CY.id}
        assert (kept.settings, kept.state) == (room.settings, "open")
        assert kept.deal.commitment != room.deal.commitment
        assert await rows(database, "SELECT count(*) FROM rooms") == [(2,)]


async def test_everyone_hears_of_the_rematch_once(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)
        await finish(lite, room.id)
        with node.socket(room.id) as socket:
            await socket.hello()
            rematch = await node.rematch(room.id, BO)
            await node.rematch(room.id, ANA)

            [_, told] = socket.listen()
            assert (told["type"], told["room"]) == ("rematch", rematch.id)


async def test_a_rematch_is_for_those_who_raced_once_the_race_is_over(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, players=2, racing=True)
        await register(lite, STRANGER)

        with pytest.raises(WrongState):
            await node.rematch(room.id, ANA)
        await finish(lite, room.id)
        with pytest.raises(NotAPlayer):
            await node.rematch(room.id, STRANGER)

        assert await rows(lite, "SELECT count(*) FROM rooms") == [(1,)]


# Winnable rooms


def a_wish(variant: Variant) -> RoomWish:
    return RoomWish(
        ruleset=variant.ruleset, draw=variant.draw, sealed=variant.sealed, winnable=True
    )


async def is_proven(database: Database, room: Room) -> bool:
    """Whether a proof is kept with a room, and wins its deal."""
    proof = await Proofs(database).of_room(room.id)
    return proof is not None and proof.holds_for(room.deal.code)


@pytest.mark.parametrize("variant", VARIANTS)
async def test_a_winnable_room_has_a_random_deal_of_its_kind_and_its_proof(
    lite: Database, variant: Variant
) -> None:
    async with a_node(lite, prover=Solving()) as node:
        await a_lobby(node)

        rooms = [await node.lobby.open(a_wish(variant), host=ANA) for _ in range(2)]

        assert [await is_proven(lite, room) for room in rooms] == [True, True]
        for code in (room.deal.code for room in rooms):
            assert (code.ruleset.name, code.draw, code.is_sealable) == variant
        assert len({str(room.deal.code) for room in rooms}) == 2
        assert not any(room.code_is_known for room in rooms)


async def test_a_winnable_deal_comes_from_the_stock(database: Database) -> None:
    async with a_node(database, prover=Solving()) as node:
        await a_lobby(node)
        assert node.stock is not None
        await node.stock.refill()
        in_stock = await rows(database, "SELECT code FROM proven_deals")

        room = await node.lobby.open(RoomWish(winnable=True), host=ANA)

        assert (str(room.deal.code),) in in_stock
        assert len(await rows(database, "SELECT code FROM proven_deals")) == len(in_stock) - 1
        assert await is_proven(database, await node.rooms.load(room.id))


async def test_the_same_key_gives_the_same_winnable_room_and_takes_one_deal(
    database: Database,
) -> None:
    async with a_node(database, prover=Solving()) as node:
        await a_lobby(node)
        assert node.stock is not None
        await node.stock.refill()
        wish = RoomWish(winnable=True)
        room = await node.lobby.open(wish, host=ANA, idempotency_key="k")
        left = await rows(database, "SELECT code FROM proven_deals")

        again = await node.lobby.open(wish, host=ANA, idempotency_key="k")

        assert again.id == room.id
        assert await rows(database, "SELECT code FROM proven_deals") == left


async def test_other_rooms_take_no_proven_deal_and_have_no_proof(lite: Database) -> None:
    prover = Solving()
    async with a_node(lite, prover=prover) as node:
        await a_lobby(node)

        room = await node.lobby.open(RoomWish(), host=ANA)

        assert await Proofs(lite).of_room(room.id) is None
        assert prover.asked == []


async def test_without_a_solver_no_room_is_winnable(lite: Database) -> None:
    async with a_node(lite) as node:
        await a_lobby(node)

        with pytest.raises(NotAvailable) as refused:
            await node.lobby.open(RoomWish(winnable=True), host=ANA)

        assert refused.value.pointer == "/winnable"
        assert await rows(lite, "SELECT id FROM rooms") == []


async def a_finished_winnable_room(node: Node) -> Room:
    await a_lobby(node)
    room = await node.lobby.open(RoomWish(winnable=True, countdown_s=0), host=ANA)
    await node.join(room.id, BO)
    await node.change(room.id, "start", ANA)
    return await finish(node.database, room.id)


async def test_a_rematch_of_a_winnable_room_is_winnable_too(database: Database) -> None:
    async with a_node(database, prover=Solving()) as node:
        room = await a_finished_winnable_room(node)

        rematches = await asyncio.gather(*(node.rematch(room.id, player) for player in (ANA, BO)))

        assert rematches[0].id == rematches[1].id
        rematch = await node.rooms.load(rematches[0].id)
        assert await is_proven(database, rematch)
        assert rematch.deal.commitment != room.deal.commitment


async def test_a_rematch_that_is_refused_takes_no_proven_deal(lite: Database) -> None:
    prover = Solving()
    async with a_node(lite, prover=prover) as node:
        await a_lobby(node)
        room = await node.lobby.open(RoomWish(winnable=True), host=ANA)
        asked = len(prover.asked)

        with pytest.raises(WrongState):
            await node.rematch(room.id, ANA)

        assert len(prover.asked) == asked


async def test_a_rematch_that_cannot_be_proven_here_is_refused(lite: Database) -> None:
    async with a_node(lite, prover=Solving()) as node, a_node(lite) as without:
        room = await a_finished_winnable_room(node)

        with pytest.raises(NotAvailable):
            await without.rematch(room.id, ANA)

        assert (await node.rooms.load(room.id)).rematch is None
