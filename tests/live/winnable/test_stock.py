import asyncio

import pytest

from server.live.winnable import stock as stock_module
from server.live.winnable.stock import RETRY_AFTER_S
from server.race.errors import Unavailable
from server.race.proof import VARIANTS, Proof, ProvenDeal, Variant
from server.store.database import Database
from server.store.stock import ProvenDeals
from tests.live.builders import a_stock, until
from tests.live.provers import Hopeless, Lying, Solving
from tests.store.builders import rows

OPEN = Variant("CF1", 3, sealed=False)


def variant_of(deal: ProvenDeal) -> tuple[object, ...]:
    code = deal.code
    return (code.ruleset.name, code.draw, code.is_sealable)


async def test_a_refilled_stock_has_so_many_of_each_kind(database: Database) -> None:
    stock = a_stock(database, Solving(), size=2)

    await stock.refill()

    assert await ProvenDeals(database).count() == dict.fromkeys(VARIANTS, 2)
    taken = [await stock.take(variant) for variant in VARIANTS for _ in range(2)]
    assert list(map(variant_of, taken)) == [tuple(one) for one in VARIANTS for _ in range(2)]
    assert all(deal.proof.holds_for(deal.code) for deal in taken)
    assert len({str(deal.code) for deal in taken}) == len(taken)


async def test_what_was_taken_is_filled_up_and_nothing_else(lite: Database) -> None:
    prover = Solving()
    stock = a_stock(lite, prover)
    await stock.refill()
    before = {row[0] for row in await rows(lite, "SELECT code FROM proven_deals")}
    taken = await stock.take(OPEN)

    await stock.refill()

    after = {row[0] for row in await rows(lite, "SELECT code FROM proven_deals")}
    assert before - after == {str(taken.code)}
    assert len(after - before) == 1
    asked = len(prover.asked)
    await stock.refill()
    assert len(prover.asked) == asked
    assert not any(prover.short)


async def test_a_deal_in_stock_is_given_without_asking_the_solver(lite: Database) -> None:
    await a_stock(lite, Solving()).refill()
    prover = Hopeless()

    deal = await a_stock(lite, prover).take(OPEN)

    assert deal.proof.holds_for(deal.code)
    assert prover.asked == []


@pytest.mark.parametrize("variant", VARIANTS)
async def test_without_any_in_stock_a_deal_is_proven_on_demand(
    lite: Database, variant: Variant
) -> None:
    deal = await a_stock(lite, Solving(), size=0).take(variant)

    assert variant_of(deal) == tuple(variant)
    assert deal.proof.holds_for(deal.code)


async def test_who_takes_at_once_on_two_nodes_gets_different_deals(database: Database) -> None:
    one, other = a_stock(database, Solving(), size=2), a_stock(database, Solving())
    await one.refill()

    taken = await asyncio.gather(*(node.take(OPEN) for node in (one, other, one, other)))

    assert len({str(deal.code) for deal in taken}) == 4


async def test_a_deal_that_was_not_really_won_is_never_given(lite: Database) -> None:
    deal = await a_stock(lite, Lying(2), size=0).take(OPEN)

    assert deal.proof.holds_for(deal.code)


class Slow:
    """Comes to no end."""

    async def prove(self, code: object, *, positions: int, short: bool) -> Proof | None:  # noqa: ARG002 — the protocol's
        await asyncio.Event().wait()
        raise AssertionError


async def test_who_cannot_be_given_a_deal_in_time_is_told_to_come_back(
    lite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stock_module, "ON_DEMAND_S", 0.05)

    with pytest.raises(Unavailable) as refused:
        await a_stock(lite, Slow()).take(OPEN)

    assert refused.value.retry_after_s == RETRY_AFTER_S


async def test_a_running_stock_fills_up_at_once(lite: Database) -> None:
    stock = a_stock(lite, Solving())
    running = asyncio.create_task(stock.run())

    while await ProvenDeals(lite).count() != dict.fromkeys(VARIANTS, 1):
        assert not running.done()
    running.cancel()

    await until(running.done)
