"""Making sure that one server at a time uses a database: this server is one process."""

import fcntl
from pathlib import Path
from typing import Protocol

import asyncpg
from sqlalchemy.engine import URL

from server.store.connecting import BadDatabase, connect_postgres

WAIT_S = 5  # for the connection of a server that has just been killed to be given up

POSTGRES_KEY = 454787518  # ours among the advisory locks of a database; any number would do


class Hold(Protocol):
    """A database held for one server."""

    async def release(self) -> None:
        """Let another server have it."""


class FileHold:
    """A SQLite file held through a lock file beside it, which the system frees with the process."""

    def __init__(self, path: Path) -> None:
        lock_path = path.with_name(path.name + ".lock")
        try:
            self._file = lock_path.open("w")
        except OSError as error:
            raise BadDatabase(
                f"cannot write beside the database: {error}. DATABASE_URL must name a file in a "
                "folder that is there and can be written to"
            ) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self._file.close()
            raise _held(str(path)) from error

    async def release(self) -> None:
        """Let another server have the file."""
        self._file.close()


class ServerHold:
    """A PostgreSQL database held by an advisory lock, which goes with its connection."""

    def __init__(self, connection: "asyncpg.Connection[asyncpg.Record]") -> None:
        self._connection = connection

    async def release(self) -> None:
        """Let another server have the database."""
        await self._connection.close()


async def hold_file(path: Path) -> Hold:
    """Hold a SQLite file.

    Raises:
        BadDatabase: another server holds it, or its folder cannot be written to.
    """
    return FileHold(path)


async def hold_server(url: URL) -> Hold:
    """Hold a PostgreSQL database.

    Raises:
        BadDatabase: another server holds it.
    """
    connection = await connect_postgres(url)
    try:
        await connection.execute(f"SET lock_timeout = '{WAIT_S * 1000:.0f}ms'")
        await connection.execute(f"SELECT pg_advisory_lock({POSTGRES_KEY})")
    except asyncpg.LockNotAvailableError as error:
        await connection.close()
        raise _held(str(url.database)) from error
    return ServerHold(connection)


def _held(what: str) -> BadDatabase:
    return BadDatabase(f"another server uses {what}. This server is one process; stop the other")
