from sqlalchemy import text

from server.store.database import Database


async def test_a_fresh_database_answers(database: Database) -> None:
    async with database.read() as connection:
        assert (await connection.execute(text("SELECT count(*) FROM players"))).scalar_one() == 0
