from sqlalchemy import select

from server.race.player import Player
from server.store.among import among
from server.store.database import Database
from server.store.tables import players
from tests.race.builders import ANA, BO, CY
from tests.store.builders import register

ODD = Player(id="p_'\"\\{},ä", name="Odd", kind="human")


async def found(database: Database, ids: list[str]) -> set[str]:
    async with database.read() as connection:
        query = select(players.c.id).where(among(connection, players.c.id, ids))
        return set((await connection.execute(query)).scalars())


async def test_those_are_found_whose_ids_are_given_and_no_others(database: Database) -> None:
    await register(database, ANA, BO, CY, ODD)

    assert await found(database, []) == set()
    assert await found(database, ["p_ana"]) == {"p_ana"}
    assert await found(database, ["p_cy", "p_ana", "p_ana", "p_nobody"]) == {"p_ana", "p_cy"}
    assert await found(database, [ODD.id]) == {ODD.id}
    assert await found(database, ["p_%", "p_an", "P_ANA", ""]) == set()


async def test_more_ids_can_be_given_than_a_statement_may_have_parameters(
    database: Database,
) -> None:
    await register(database, ANA, BO)

    assert await found(database, [f"p_{number}" for number in range(70_000)] + [BO.id]) == {BO.id}
