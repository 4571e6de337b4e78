import asyncio

import pytest

from server.race.errors import Invalid, NotAPlayer, RoomFull, WrongState
from server.race.settings import RoomWish
from server.store.database import Database
from tests.live.builders import Node, a_node
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
