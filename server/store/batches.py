"""Writing a batch of plays, by the driver's own statements: this is the road every move takes.

Both kinds keep the fence of the design: a game's row moves from the batch's first ply to the ply
after its last, only while it stands there and is racing; only then are its actions logged.
"""

import asyncio
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import asyncpg
import msgspec
import structlog

from server.race.plays import Play
from server.store.connecting import connect_postgres
from server.store.database import SQLITE_PRAGMAS, Database
from server.store.journal import BatchWriter, last_plays

log = structlog.get_logger()


def batches_for(database: Database) -> BatchWriter:
    """Give the writer of this database's kind."""
    return SqliteBatches(database) if database.is_sqlite else PostgresBatches(database)


SQLITE_ADVANCE = """
UPDATE games SET ply = ?, placed = ?, score = ?, at_ms = ?
WHERE id = ? AND ply = ? AND state = 'racing'
"""
SQLITE_WIN = """
UPDATE games SET state = 'won', ended_at =
    COALESCE(started_at, (SELECT started_at FROM rooms WHERE rooms.id = games.room_id)) + ?
WHERE id = ?
"""  # apart from the above, so that a move does not touch the index on ended_at
SQLITE_LOG = "INSERT INTO actions (game_id, ply, move, elapsed_ms, placed) VALUES (?, ?, ?, ?, ?)"


class SqliteBatches:
    """One connection on one thread: a batch costs one trip to it."""

    def __init__(self, database: Database) -> None:
        self._path = str(database.url.database)
        self._lock = database.write_lock
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")
        self._connection: sqlite3.Connection | None = None

    async def write(self, plays: list[Play]) -> set[str]:
        """Write a batch; see `BatchWriter`."""
        async with self._lock:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thread, self._write, plays)

    async def close(self) -> None:
        """Close the connection, on its own thread."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown()

    def _write(self, plays: list[Play]) -> set[str]:
        connection = self._connection = self._connection or self._connect()
        try:
            cursor = connection.cursor()
            cursor.execute("BEGIN IMMEDIATE")
            written = self._write_rows(cursor, plays)
            cursor.execute("COMMIT")
        except BaseException:
            self._close()  # rolls back; in what state a failed one is, nobody needs to know
            raise
        return written

    @staticmethod
    def _write_rows(cursor: sqlite3.Cursor, plays: list[Play]) -> set[str]:
        written = set()
        for game_id, (first, last) in last_plays(plays).items():
            row = (last.ply + 1, last.placed, last.score, last.at_ms, game_id, first)
            cursor.execute(SQLITE_ADVANCE, row)
            if cursor.rowcount == 1:
                written.add(game_id)
                if last.state == "won":
                    cursor.execute(SQLITE_WIN, (last.elapsed_ms, game_id))
        cursor.executemany(
            SQLITE_LOG,
            [
                (p.game_id, p.ply, p.move, p.elapsed_ms, p.placed)
                for p in plays
                if p.game_id in written
            ],
        )
        return written

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, isolation_level=None)
        for pragma in SQLITE_PRAGMAS:
            connection.execute(pragma)
        return connection

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


DRIVER_ERRORS = (
    OSError,
    TimeoutError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)

CLOSE_WITHIN_S = 2  # a server that does not let go of a connection by then is left alone

POSTGRES_BATCH = """
WITH p AS (
    SELECT *, min(ply) OVER game AS first, count(*) OVER game AS plays
    FROM json_to_recordset($1::json) AS p (game_id text, ply int, move text, elapsed_ms int,
                                           placed int, score int, at_ms int, state text)
    WINDOW game AS (PARTITION BY game_id)
), v AS (
    SELECT DISTINCT ON (game_id) * FROM p ORDER BY game_id, ply DESC
), held AS (
    SELECT g.id FROM games g JOIN v ON g.id = v.game_id
    WHERE g.ply = v.first AND g.state = 'racing' AND v.plays = v.ply + 1 - v.first
    ORDER BY g.id FOR NO KEY UPDATE OF g
), moved AS (
    UPDATE games g SET ply = v.ply + 1, placed = v.placed, score = v.score, at_ms = v.at_ms,
        state = v.state, ended_at = CASE WHEN v.state = 'won' THEN v.elapsed_ms + COALESCE(
            g.started_at, (SELECT started_at FROM rooms WHERE rooms.id = g.room_id)) END
    FROM v JOIN held ON held.id = v.game_id
    WHERE g.id = v.game_id AND g.ply = v.first AND g.state = 'racing'
    RETURNING g.id
), logged AS (
    INSERT INTO actions (game_id, ply, move, elapsed_ms, placed)
    SELECT p.game_id, p.ply, p.move, p.elapsed_ms, p.placed
    FROM p JOIN moved ON moved.id = p.game_id
)
SELECT id FROM moved
"""
"""A batch as one statement, hence one transaction and one trip; rows are locked in order of id.

The plays go as one JSON text: that costs this process half of what twelve arrays do.
"""


class PostgresBatches:
    """One connection of its own; made anew when it has broken."""

    def __init__(self, database: Database) -> None:
        self._url = database.url
        self._connection: asyncpg.Connection[asyncpg.Record] | None = None

    async def write(self, plays: list[Play]) -> set[str]:
        """Write a batch; see `BatchWriter`."""
        if self._connection is None or self._connection.is_closed():
            self._connection = await connect_postgres(self._url)
        batch = msgspec.json.encode(plays).decode()
        try:
            return {row[0] for row in await self._connection.fetch(POSTGRES_BATCH, batch)}
        except BaseException:
            await self._forget()  # its state is not known, and the next batch needs to
            raise

    async def close(self) -> None:
        """Give the connection back."""
        await self._forget()

    async def _forget(self) -> None:
        """Close the connection; what it was still doing is cancelled, not left to be done late."""
        connection, self._connection = self._connection, None
        if connection is None or connection.is_closed():
            return
        try:
            await connection.close(timeout=CLOSE_WITHIN_S)
        except DRIVER_ERRORS:  # and it has cut the connection
            log.warning("journal.connection_broken", exc_info=True)
