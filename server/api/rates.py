"""How many calls are answered: per player where there is a token, else per address."""

import time

from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter

from server.race.errors import TooManyRequests
from server.settings import Settings


class Rates:
    """Counts calls in moving windows."""

    def __init__(self, settings: Settings) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._rates: dict[str, RateLimitItem] = {
            "calls": RateLimitItemPerMinute(settings.calls_per_minute),
            "players": RateLimitItemPerHour(settings.players_per_hour),
            "rooms": RateLimitItemPerMinute(settings.rooms_per_minute),
        }

    async def count(self, rate: str, who: str) -> None:
        """Count one call of `who` against a rate.

        Raises:
            TooManyRequests: with the seconds until one more is answered.
        """
        item = self._rates[rate]
        if await self._limiter.hit(item, rate, who):
            return
        window = await self._limiter.get_window_stats(item, rate, who)
        raise TooManyRequests(
            f"more than {item.amount} per {item.GRANULARITY.name}; GET /api/v1/limits has them all",
            retry_after_s=max(1, round(window.reset_time - time.time()) + 1),
        )
