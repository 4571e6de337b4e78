"""Reading the URL of a Redis."""

import re
from typing import Any
from urllib.parse import urlsplit

from redis.asyncio.connection import ConnectionPool, parse_url
from redis.exceptions import RedisError

from server.settings import CannotRun


class BadRedis(CannotRun):
    """Redis cannot be used as it is; the message says how to mend it."""


def read_url(text: str) -> dict[str, Any]:
    """Give what a URL says about how to connect, as the driver takes it.

    Raises:
        BadRedis: not the URL of a Redis. It does not repeat the URL, which may hold a password.
    """
    try:
        url = urlsplit(text)
        options: dict[str, Any] = dict(parse_url(text))
        # The driver checks what stands behind the question mark no earlier than here.
        ConnectionPool(**options).make_connection()  # type: ignore[no-untyped-call]
    except (ValueError, TypeError, RedisError):
        raise _bad_redis() from None
    if url.scheme == "unix":
        well_formed = bool(url.path)
    else:
        well_formed = bool(url.hostname) and re.fullmatch(r"(/\d*)?", url.path) is not None
    if not well_formed or url.fragment:
        raise _bad_redis()
    return options


def _bad_redis() -> BadRedis:
    return BadRedis(
        "REDIS_URL is not the URL of a Redis; write redis://:password@host:6379/0 (rediss:// for "
        "TLS) or unix:///path, and special characters of the password as in any URL: %23 for #"
    )
