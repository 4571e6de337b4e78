import asyncio
from collections import Counter

from sqlalchemy import delete

from server.game import RULESETS, GameCode
from server.race.deals import Chance
from server.race.proof import VARIANTS, Proof, ProvenDeal, Variant
from server.store.database import Database
from server.store.stock import ProvenDeals
from server.store.tables import proven_deals
from tests.race.builders import OPENED, after
from tests.store.builders import ON_POSTGRESQL, rows

OPEN = Variant("CF1", 3, sealed=False)
SEALED = Variant("CF1", 3, sealed=True)


def a_code(variant: Variant) -> GameCode:
    ruleset = RULESETS[variant.ruleset]
    return Chance().deal(ruleset=ruleset, draw=variant.draw, sealed=variant.sealed).code


async def stock_up(stock: ProvenDeals, variant: Variant, *, deals: int = 1) -> list[ProvenDeal]:
    """Put deals in stock, a second after each other."""
    made = [
        ProvenDeal(code=a_code(variant), proof=Proof(line=("12", "rf"), positions=number))
        for number in range(deals)
    ]
    for second, deal in enumerate(made):
        await stock.add(deal, at=after(second))
    return made


async def test_each_kind_of_deal_is_taken_as_it_was_put_in(database: Database) -> None:
    stock = ProvenDeals(database)
    made = {variant: await stock_up(stock, variant) for variant in VARIANTS}

    taken = {variant: [await stock.take(variant)] for variant in VARIANTS}

    assert taken == made


async def test_the_oldest_is_taken_first_and_each_once(database: Database) -> None:
    stock = ProvenDeals(database)
    made = await stock_up(stock, SEALED, deals=3)
    await stock_up(stock, OPEN)

    taken = [await stock.take(SEALED) for _ in range(4)]

    assert taken == [*made, None]
    assert await stock.count() == {OPEN: 1}


async def test_who_takes_at_once_gets_different_deals(database: Database) -> None:
    one, other = ProvenDeals(database), ProvenDeals(database)
    made = await stock_up(one, OPEN, deals=5)

    taken = await asyncio.gather(*(node.take(OPEN) for node in [one, other] * 3))

    assert Counter(map(str, taken)) == Counter(map(str, [*made, None]))


@ON_POSTGRESQL
async def test_a_deal_that_is_being_taken_is_not_waited_for(database: Database) -> None:
    stock = ProvenDeals(database)
    first, second = await stock_up(stock, OPEN, deals=2)
    async with database.write() as connection:
        being_taken = proven_deals.c.code == str(first.code)
        await connection.execute(delete(proven_deals).where(being_taken))

        async with asyncio.timeout(5):
            assert await stock.take(OPEN) == second


async def test_a_deal_put_in_again_is_there_once(database: Database) -> None:
    stock = ProvenDeals(database)
    [deal] = await stock_up(stock, OPEN)

    await stock.add(deal, at=OPENED)

    assert await stock.count() == {OPEN: 1}
    assert await rows(database, "SELECT count(*) FROM proven_deals") == [(1,)]


async def test_an_empty_stock_is_counted_as_nothing(database: Database) -> None:
    assert await ProvenDeals(database).count() == {}
    assert await ProvenDeals(database).take(OPEN) is None
