"""Reading a database's URL, and connecting to it."""

import asyncpg
from sqlalchemy import make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError

from server.settings import CannotRun

ANSWER_WITHIN_S = 10  # a database that takes longer is treated as away
IDLE_WITHIN_S = 5  # in the middle of a transaction; the database ends one that is left for longer


class BadDatabase(CannotRun):
    """The database cannot be used as it is; the message says how to mend it."""


def parse_url(text_url: str) -> URL:
    """Read a database URL, and give it the driver that this server uses.

    Raises:
        BadDatabase: not a URL, or not of SQLite or PostgreSQL.
    """
    try:
        url = make_url(text_url)
    except ArgumentError as error:
        raise BadDatabase(
            "DATABASE_URL is not a database URL; write sqlite+aiosqlite:///./race.db or "
            "postgresql://user:password@host/name"
        ) from error
    drivers = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
    name = url.get_backend_name()
    if name not in drivers:
        raise BadDatabase(f"DATABASE_URL names {name}; this server uses sqlite or postgresql")
    if name == "sqlite" and url.database in (None, "", ":memory:"):
        raise BadDatabase("DATABASE_URL names no file; write sqlite+aiosqlite:///./race.db")
    return url.set(drivername=drivers[name])


async def connect_postgres(url: URL) -> "asyncpg.Connection[asyncpg.Record]":
    """Connect by the driver itself, which takes a URL as libpq does: `?sslmode=require` and all.

    A node that is stopped in the middle of a transaction loses it before it can hold up others.
    """
    return await asyncpg.connect(
        url.set(drivername="postgresql").render_as_string(hide_password=False),
        timeout=ANSWER_WITHIN_S,
        command_timeout=ANSWER_WITHIN_S,
        server_settings={"idle_in_transaction_session_timeout": f"{IDLE_WITHIN_S}s"},
    )
