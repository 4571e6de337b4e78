from typing import Any

from server.store.counting import Counting, settle_race
from server.store.database import Database
from tests.store.builders import rows
from tests.store.finished import (
    Finished,
    Result,
    keep,
    somebody,
)

A, B, C = (somebody(number) for number in range(3))
BOT = somebody(7, "bot")
PATIENCE_S = 60

EVERYTHING = {
    "player_totals": "SELECT * FROM player_totals ORDER BY 1, 2, 3, 4, 5",
    "player_days": "SELECT * FROM player_days ORDER BY 1, 2",
    "games": "SELECT id, counted_on FROM games ORDER BY 1",
    "rooms": "SELECT id, settled FROM rooms ORDER BY 1",
}


async def counted(database: Database) -> dict[str, list[Any]]:
    """All that counting writes, ratings aside."""
    return {name: await rows(database, query) for name, query in EVERYTHING.items()}


async def totals(database: Database, player: Any, period: str, *columns: str) -> list[Any]:
    """A player's totals of one kind of period, with its start, oldest first."""
    names = ", ".join(("start", *columns))
    query = (
        f"SELECT {names} FROM player_totals WHERE player_id = :id AND period = :period ORDER BY 1"  # noqa: S608 — names of this file
    )
    read = await rows(database, query, id=player.id, period=period)
    return [(str(start), *values) for start, *values in read]


async def settle_all(database: Database) -> None:
    counting_ = Counting(database)
    for room_id in await counting_.unsettled(10_000):
        assert await counting_.settle(room_id)
    assert await counting_.unsettled() == []


async def test_a_race_is_counted_for_everyone_in_every_period_it_belongs_to(
    database: Database,
) -> None:
    won, lost = Result(A, won=True, took_s=90), Result(B, placed=7, rank=2)
    await keep(database, Finished("r_1", [won, lost]))

    async with database.write() as connection:
        await settle_race(connection, "r_1")

    figures = ("games", "wins", "placed", "fastest_ms", "winnings", "streak")
    for period, start in {
        "day": "2026-11-29",
        "week": "2026-11-23",
        "month": "2026-11-01",
        "all": "1970-01-01",
    }.items():
        assert await totals(database, A, period, *figures) == [
            (start, 1, 1, 52, 90_000, None, None)
        ]
        assert await totals(database, B, period, *figures) == [(start, 1, 0, 7, None, None, None)]
    assert await rows(database, "SELECT DISTINCT settled FROM rooms") == [(True,)]
