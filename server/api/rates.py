"""How many calls are answered: per player where there is a token, else per address."""

import time

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
        }

    async def count(self, rate: str, *, player_id: str | None, address: str) -> None:
        """Count one call of a player, or of an address, against a rate.

        Raises:
            TooManyRequests: with the seconds until one more is answered.
        """
        item, of_what = self._rates[rate]
        who = address if player_id is None or rate in PER_ADDRESS else player_id
        if await self._limiter.hit(item, rate, who):
            return
        window = await self._limiter.get_window_stats(item, rate, who)
        retry_after_s = max(1, round(window.reset_time - time.time()) + 1)
        raise TooManyRequests(
            f"more than {item.amount} {of_what}; wait {retry_after_s} s. "
            "GET /api/v1/limits states every limit",
            retry_after_s=retry_after_s,
        )
