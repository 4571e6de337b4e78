import pytest

from server.store.connecting import BadDatabase, connect_postgres, parse_url


@pytest.mark.parametrize(
    ("written", "driver"),
    [
        ("sqlite:///race.db", "sqlite+aiosqlite"),
        ("sqlite+aiosqlite:///./race.db", "sqlite+aiosqlite"),
        ("postgresql://ana@here/race", "postgresql+asyncpg"),
        ("postgresql+psycopg://ana@here/race", "postgresql+asyncpg"),
    ],
)
def test_a_url_is_given_the_driver_of_this_server(written: str, driver: str) -> None:
    assert parse_url(written).drivername == driver


@pytest.mark.parametrize(
    "written", ["", "race.db", "mysql://here/race", "sqlite://", "sqlite:///:memory:"]
)
def test_what_is_no_database_of_ours_is_refused_with_how_to_write_it(written: str) -> None:
    with pytest.raises(BadDatabase, match="sqlite"):
        parse_url(written)


async def test_it_connects_by_what_parse_url_gives(postgres_url: str) -> None:
    connection = await connect_postgres(parse_url(postgres_url))
    assert await connection.fetchval("SELECT 1") == 1
    assert await connection.fetchval("SHOW idle_in_transaction_session_timeout") == "5s"
    await connection.close()
