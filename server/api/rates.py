"""How many calls are answered: per player where there is a token, else per address."""

import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Never

from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter

from server.race.errors import TooManyRequests
from server.settings import Settings

PER_ADDRESS = frozenset({"players"})
"""What is counted per address even with a token: a new player would bring a fresh allowance."""


class Rates:
    """Counts calls in moving windows."""

    def __init__(self, settings: Settings) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._under_way: Counter[tuple[str, str]] = Counter()
        self._rates: dict[str, tuple[RateLimitItem, str]] = {
            "calls": (RateLimitItemPerMinute(settings.calls_per_minute), "calls a minute"),
            "players": (
                RateLimitItemPerHour(settings.players_per_hour),
                "new players an hour from one address",
            ),
            "rooms": (
                RateLimitItemPerMinute(settings.rooms_per_minute),
                "new rooms and tokens a minute",
            ),
            "analyses": (RateLimitItemPerMinute(settings.analyses_per_minute), "outlooks a minute"),
        }

    async def count(self, rate: str, *, player_id: str | None, address: str) -> None:
        """Count one call of a player, or of an address, against a rate.

        Raises:
            TooManyRequests: with the seconds until one more is answered.
        """
        who = _who(rate, player_id, address)
        if not await self._limiter.hit(self._rates[rate][0], rate, who):
            await self._refuse(rate, who)

    @asynccontextmanager
    async def spending(
        self, rate: str, *, player_id: str | None, address: str
    ) -> AsyncIterator[None]:
        """Count what the block does against a rate, unless it raises: a refusal costs nothing.

        Raises:
            TooManyRequests: with the seconds until one more is answered.
        """
        item, who = self._rates[rate][0], _who(rate, player_id, address)
        window = await self._limiter.get_window_stats(item, rate, who)
        if window.remaining <= self._under_way[rate, who]:
            await self._refuse(rate, who)
        self._under_way[rate, who] += 1
        try:
            yield
            await self._limiter.hit(item, rate, who)
        finally:
            self._under_way[rate, who] -= 1
            if not self._under_way[rate, who]:
                del self._under_way[rate, who]

    async def _refuse(self, rate: str, who: str) -> Never:
        item, of_what = self._rates[rate]
        window = await self._limiter.get_window_stats(item, rate, who)
        retry_after_s = max(1, round(window.reset_time - time.time()) + 1)
        raise TooManyRequests(
            f"more than {item.amount} {of_what}; wait {retry_after_s} s. "
            "GET /api/v1/limits states every limit",
            retry_after_s=retry_after_s,
        )


def _who(rate: str, player_id: str | None, address: str) -> str:
    return address if player_id is None or rate in PER_ADDRESS else player_id
