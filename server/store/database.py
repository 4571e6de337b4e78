"""Opening the database, and the two ways to use it: to read, and to write in a transaction."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import event, text
from sqlalchemy.exc import (
    DBAPIError,
    DisconnectionError,
    InterfaceError,
    InternalError,
    OperationalError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from server.clock import Reading, Ticks
from server.race.errors import Invalid, Unavailable
from server.store.connecting import (
    ANSWER_WITHIN_S,
    BadDatabase,
    connect_postgres,
    parse_url,
)
from server.store.sole import Hold

log = structlog.get_logger()

READERS = 4  # connections that read; a call that finds none free waits for one

CLOSE_WITHIN_S = 2  # for all connections together

READINGS = 5  # of the database's clock at a time; the quickest answer counts

THE_TIME = text("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8")

AWAY = ("08", "25006", "40", "53", "55P03", "57", "58")
"""Beginnings of the SQLSTATEs that asking again can mend: connection lost, server read-only, lost
to another transaction, out of resources, lock not to be had, shut down or cancelled, I/O failed."""


class Database:
    """The database of a server, open between `open` and `close`."""

    def __init__(self, url: str) -> None:
        self.url = parse_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.write_lock = asyncio.Lock()  # SQLite has one writer at a time
        self._hold: Hold | None = None
        self._writer: AsyncEngine | None = None
        self._reader: AsyncEngine | None = None
        self._glancer: AsyncEngine | None = None

    async def open(self) -> None:
        """Connect and check that the database is fit to keep what it is given.

        Raises:
            BadDatabase: no such database, a SQLite file that another process uses, or a
                PostgreSQL that does not flush its commits.
        """
        try:
            if self.is_sqlite:
                self._hold = Hold(Path(str(self.url.database)))
                self._make_sqlite_engines()
            else:
                self._make_postgres_engines()
            await self._check()
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Give every connection back; one that the database does not let go of is left alone."""
        for engine in (self._writer, self._reader):
            if engine is not None:
                with suppress(TimeoutError):
                    async with asyncio.timeout(CLOSE_WITHIN_S):
                        await engine.dispose()
        self._writer = self._reader = self._glancer = None
        if self._hold is not None:
            self._hold.release()
            self._hold = None

    def read(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """Lend a connection for reading, in one snapshot.

        Raises:
            Unavailable: the database did not answer.
        """
        return _lend(self._reader)

    def glance(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """Lend a connection for reading by one statement, which is a snapshot by itself.

        Raises:
            Unavailable: the database did not answer.
        """
        return _lend(self._glancer)

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

    async def read_time(self, ticks: Ticks) -> Reading | None:
        """Read the database's clock; None for SQLite, whose time is the machine's.

        Raises:
            Unavailable: the database did not answer.
        """
        if self.is_sqlite:
            return None
        readings = []
        async with self.read() as connection:
            for _ in range(READINGS):
                sent = ticks()
                database_ms = (await connection.execute(THE_TIME)).scalar_one()
                readings.append(Reading(database_ms, sent=sent, received=ticks()))
        return min(readings, key=lambda reading: reading.took_ms)

    def _make_sqlite_engines(self) -> None:
        self._writer = create_async_engine(self.url, pool_size=1, max_overflow=0)
        self._reader = create_async_engine(
            self.url, pool_size=READERS, max_overflow=0, pool_timeout=ANSWER_WITHIN_S
        )
        _prepare_sqlite(self._writer, SQLITE_PRAGMAS, begin="BEGIN IMMEDIATE")
        _prepare_sqlite(self._reader, (*SQLITE_PRAGMAS, "PRAGMA query_only = ON"), begin="BEGIN")
        _refuse_nul(self._writer)
        _refuse_nul(self._reader)
        self._glancer = self._reader

    def _make_postgres_engines(self) -> None:
        engine = create_async_engine(
            self.url,
            async_creator=lambda: connect_postgres(self.url),
            pool_size=READERS * 2,
            max_overflow=0,
            pool_timeout=ANSWER_WITHIN_S,
        )
        _leave_broken_connections(engine)
        _refuse_nul(engine)
        # A compare-and-set must see what has been committed meanwhile; reads are one snapshot.
        self._writer = engine.execution_options(isolation_level="READ COMMITTED")
        self._reader = engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        # One trip instead of three: nothing begins, and nothing is committed.
        self._glancer = engine.execution_options(isolation_level="AUTOCOMMIT")

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
            raise BadDatabase(
                f"cannot open {self.url!r}: {_first_line(error)}. Check DATABASE_URL, and that "
                "what it names is there and lets this user in"
            ) from error


@asynccontextmanager
async def _lend(engine: AsyncEngine | None) -> AsyncIterator[AsyncConnection]:
    with _unavailable_when_away():
        async with _opened(engine).connect() as connection:
            yield connection


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
    driver_gave_up = isinstance(error, OperationalError | InterfaceError | InternalError)
    if error.connection_invalidated or driver_gave_up:
        return True
    return str(getattr(error.orig, "pgcode", None)).startswith(AWAY)


def _first_line(error: BaseException | None) -> str:
    """Say in one line what went wrong; some drivers' timeouts have no words of their own."""
    cause = getattr(error, "orig", error)
    return next(iter(str(cause).splitlines()), type(cause).__name__)


def _refuse_nul(engine: AsyncEngine) -> None:
    """Refuse text with the one character that PostgreSQL cannot keep, on SQLite as well."""

    @event.listens_for(engine.sync_engine, "before_cursor_execute")
    def on_execute(*about: Any) -> None:
        parameters, executemany = about[3], about[5]
        for row in parameters if executemany else [parameters]:
            if any(isinstance(value, str) and "\0" in value for value in row):
                raise Invalid("text may not contain the character U+0000; leave it out")


def _leave_broken_connections(engine: AsyncEngine) -> None:
    """Have the pool connect anew in place of a connection that the server has closed."""

    @event.listens_for(engine.sync_engine, "checkout")
    def on_checkout(connection: Any, record: object, proxy: object) -> None:  # noqa: ARG001 — SQLAlchemy's signature
        if connection.driver_connection.is_closed():
            raise DisconnectionError


def _prepare_sqlite(engine: AsyncEngine, pragmas: Sequence[str], *, begin: str) -> None:
    """Keep every commit on disk, and begin transactions as this engine means to use them."""

    @event.listens_for(engine.sync_engine, "connect")
    def on_connect(connection: Any, record: object) -> None:  # noqa: ARG001 — SQLAlchemy's signature
        connection.isolation_level = None  # the driver begins nothing by itself
        cursor = connection.cursor()
        for pragma in pragmas:
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
    "PRAGMA wal_autocheckpoint = 4000",  # pages: a log's pages change often before they are moved
)
