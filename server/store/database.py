"""Opening the database, and the two ways to use it: to read, and to write in a transaction."""

import asyncio
import fcntl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import IO, Any

import structlog
from sqlalchemy import event, make_url, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from server.race.errors import Unavailable

log = structlog.get_logger()

READERS = 4  # connections that read; a call that finds none free waits for one
ANSWER_WITHIN_S = 10  # a database that takes longer is treated as away


class BadDatabase(Exception):
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


class Database:
    """The one database of a server, open between `open` and `close`."""

    def __init__(self, url: str) -> None:
        self.url = parse_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.write_lock = asyncio.Lock()  # SQLite has one writer at a time
        self._lock_file: IO[str] | None = None
        self._writer: AsyncEngine | None = None
        self._reader: AsyncEngine | None = None

    async def open(self) -> None:
        """Connect and check that the database is fit to keep what it is given.

        Raises:
            BadDatabase: no such server, another server on the same SQLite file, or a PostgreSQL
                that does not flush its commits.
        """
        if self.is_sqlite:
            self._lock_file = _lock(Path(str(self.url.database)))
            self._writer = create_async_engine(self.url, pool_size=1, max_overflow=0)
            self._reader = create_async_engine(self.url, pool_size=READERS, max_overflow=0)
            _prepare_sqlite(self._writer, begin="BEGIN IMMEDIATE")
            _prepare_sqlite(self._reader, begin="BEGIN")
        else:
            self._writer = self._reader = create_async_engine(
                self.url,
                pool_size=READERS * 2,
                max_overflow=0,
                pool_pre_ping=True,
                pool_timeout=ANSWER_WITHIN_S,
                connect_args={"timeout": ANSWER_WITHIN_S, "command_timeout": ANSWER_WITHIN_S},
            )
        await self._check()

    async def close(self) -> None:
        """Give every connection back."""
        for engine in (self._writer, self._reader):
            if engine is not None:
                await engine.dispose()
        self._writer = self._reader = None
        if self._lock_file is not None:
            self._lock_file.close()
            self._lock_file = None

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """Lend a connection for reading, in one snapshot.

        Raises:
            Unavailable: the database did not answer.
        """
        with _unavailable_when_away():
            async with _opened(self._reader).connect() as connection:
                yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """Lend a connection for one transaction: committed at the end, rolled back on an error.

        Raises:
            Unavailable: the database did not answer; perhaps committed, perhaps not.
        """
        with _unavailable_when_away():
            if self.is_sqlite:
                async with self.write_lock, _opened(self._writer).begin() as connection:
                    yield connection
            else:
                async with _opened(self._writer).begin() as connection:
                    yield connection

    async def _check(self) -> None:
        try:
            async with _opened(self._reader).connect() as connection:
                if self.is_sqlite:
                    return
                for setting in ("fsync", "synchronous_commit"):
                    value = (await connection.execute(text(f"SHOW {setting}"))).scalar_one()
                    if value == "off":
                        raise BadDatabase(
                            f"PostgreSQL runs with {setting} = off: what it acknowledges can be "
                            f"lost. Set {setting} = on and reload it."
                        )
        except (DBAPIError, OSError) as error:
            raise BadDatabase(f"cannot open {self.url!r}: {_first_line(error)}") from error


def _opened(engine: AsyncEngine | None) -> AsyncEngine:
    if engine is None:
        raise Unavailable("the database is not open")
    return engine


@contextmanager
def _unavailable_when_away() -> Iterator[None]:
    """Turn what a driver raises when the database is away into `Unavailable`."""
    try:
        yield
    except (OSError, PoolTimeout, TimeoutError, DBAPIError) as error:
        if isinstance(error, DBAPIError) and not _means_away(error):
            raise
        log.warning("database.away", error=_first_line(error))
        raise Unavailable("the database did not answer; ask again in a moment") from error


def _means_away(error: DBAPIError) -> bool:
    return error.connection_invalidated or type(error).__name__ in (
        "OperationalError",
        "InterfaceError",
    )


def _first_line(error: BaseException | None) -> str:
    return str(getattr(error, "orig", error)).splitlines()[0]


def _lock(path: Path) -> IO[str]:
    lock_path = path.with_name(path.name + ".lock")
    try:
        lock_file = lock_path.open("w")
    except OSError as error:
        raise BadDatabase(f"cannot write beside the database: {error}") from error
    try:
        fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        lock_file.close()
        raise BadDatabase(
            f"another server uses {path}. SQLite serves one process; stop the other one, or use "
            "PostgreSQL for several"
        ) from error
    return lock_file


def _prepare_sqlite(engine: AsyncEngine, *, begin: str) -> None:
    """Keep every commit on disk, and begin transactions as this engine means to use them."""

    @event.listens_for(engine.sync_engine, "connect")
    def on_connect(connection: Any, record: object) -> None:  # noqa: ARG001 — SQLAlchemy's signature
        connection.isolation_level = None  # the driver begins nothing by itself
        cursor = connection.cursor()
        for pragma in SQLITE_PRAGMAS:
            cursor.execute(pragma)
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def on_begin(connection: Any) -> None:
        connection.exec_driver_sql(begin)


SQLITE_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA busy_timeout = 10000",  # milliseconds
)
