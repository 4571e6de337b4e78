"""Deals proven winnable, kept ready for rooms that ask for one."""

import asyncio

from server.clock import Clock, now
from server.game import RULESETS
from server.live.ports import ProvenDeals, Prover
from server.live.rounds import go_on
from server.live.winnable.proving import prove
from server.race.deals import Chance
from server.race.errors import Unavailable
from server.race.proof import VARIANTS, ProvenDeal, Variant

EVERY_S = 5.0

DEAL_POSITIONS = 40_000
"""What the solver may look at before another random deal is tried: enough for nearly all that it
can win at all, so that those in stock are hardly easier than others."""

ON_DEMAND_POSITIONS = 8_000
"""The same while somebody waits: another deal is won sooner than a hard one."""

ON_DEMAND_S = 5.0
"""How long a call waits for a deal to be proven when none is in stock."""

RETRY_AFTER_S = 10


class Stock:
    """Gives proven deals, and has new ones proven in place of those that were taken."""

    def __init__(
        self, deals: ProvenDeals, prover: Prover, *, size: int, clock: Clock, chance: Chance
    ) -> None:
        """Keep `size` deals of each kind."""
        self._deals = deals
        self._prover = prover
        self._size = size
        self._clock = clock
        self._chance = chance

    async def run(self) -> None:
        """Fill up what is missing now and every few seconds, for as long as it runs."""
        await go_on(self.refill, name="stock", every_s=EVERY_S)

    async def refill(self) -> None:
        """Fill up what is missing, a deal of each kind at a time.

        Raises:
            Unavailable: storage did not answer.
        """
        while missing := await self._missing():
            for variant in missing:
                deal = await self._try_one(variant, positions=DEAL_POSITIONS)
                if deal is not None:
                    await self._deals.add(deal, at=now(self._clock))

    async def take(self, variant: Variant) -> ProvenDeal:
        """Give a random deal proven winnable, which nobody else is given.

        Raises:
            Unavailable: storage did not answer, or none is in stock and none could be proven now.
        """
        deal = await self._deals.take(variant)
        return await self._prove_now(variant) if deal is None else deal

    async def _missing(self) -> list[Variant]:
        """List the kinds of which there are too few."""
        count = await self._deals.count()
        return [variant for variant in VARIANTS if count.get(variant, 0) < self._size]

    async def _prove_now(self, variant: Variant) -> ProvenDeal:
        try:
            async with asyncio.timeout(ON_DEMAND_S):
                while True:
                    deal = await self._try_one(variant, positions=ON_DEMAND_POSITIONS)
                    if deal is not None:
                        return deal
        except TimeoutError as error:
            raise Unavailable(
                "no deal proven winnable is ready: ask again in a moment, or leave winnable out",
                retry_after_s=RETRY_AFTER_S,
            ) from error

    async def _try_one(self, variant: Variant, *, positions: int) -> ProvenDeal | None:
        """Try a random deal; most can be won."""
        code = self._chance.deal(
            ruleset=RULESETS[variant.ruleset], draw=variant.draw, sealed=variant.sealed
        ).code
        proof = await prove(self._prover, code, positions=positions, short=False)
        return None if proof is None else ProvenDeal(code=code, proof=proof)
