import asyncio
import random
from collections import defaultdict
from datetime import date, timedelta
from typing import Any

from server.race.rating import Belief, Entrant, rate
from server.store.counting import Counting
from server.store.database import Database
from server.store.ratings import MOST_AT_ONCE
from tests.store.builders import rows
from tests.store.finished import Finished, Result, a_daily, at_random, keep, somebody

A, B, C = (somebody(number) for number in range(3))
BOT = somebody(7, "bot")
PATIENCE_S = 100

RECORD = """SELECT c.room_id, c.player_id, c.ruleset, c.draw, c.mu_before, c.sigma_before, c.mu,
c.sigma, c.rating, g.rank FROM rating_changes c
JOIN games g ON g.room_id = c.room_id AND g.player_id = c.player_id ORDER BY c.id"""


async def settle_all(database: Database) -> None:
    kept = Counting(database)
    for room_id in await kept.unsettled(10_000):
        assert await kept.settle(room_id)


async def rated(database: Database) -> dict[str, Belief]:
    """What is believed of everyone now."""
    found = await rows(database, "SELECT player_id, mu, sigma FROM ratings")
    return {player_id: Belief(mu=mu, sigma=sigma) for player_id, mu, sigma in found}


def newcomers(*ranks: tuple[str, int]) -> list[Entrant]:
    return [Entrant(player_id=who, rank=rank, before=Belief()) for who, rank in ranks]


async def test_a_race_rates_everyone_by_rank_ties_included(database: Database) -> None:
    results = [Result(A, rank=1), Result(B, rank=2), Result(C, rank=2)]
    await keep(database, Finished("r_1", results))

    await settle_all(database)

    a, b, c = rate(newcomers((A.id, 1), (B.id, 2), (C.id, 2)))
    assert await rated(database) == {A.id: a, B.id: b, C.id: c}
    assert b == c
    assert await rows(database, "SELECT DISTINCT games FROM ratings") == [(1,)]
    changes = await rows(database, "SELECT player_id, mu_before, rating FROM rating_changes")
    assert sorted(changes) == [(who.id, 25.0, r.rating) for who, r in ((A, a), (B, b), (C, c))]


async def test_bots_are_left_out_and_one_human_is_not_rated_against_them(
    database: Database,
) -> None:
    with_bot = [Result(BOT, rank=1), Result(A, rank=2), Result(B, rank=3)]
    await keep(
        database,
        Finished("r_1", with_bot),
        Finished("r_2", [Result(BOT, rank=2), Result(C, rank=1)]),
    )

    await settle_all(database)

    a, b = rate(newcomers((A.id, 2), (B.id, 3)))
    assert await rated(database) == {A.id: a, B.id: b}


async def test_open_and_unranked_rooms_rate_nobody(database: Database) -> None:
    two = [Result(A, rank=1), Result(B, rank=2)]
    await keep(database, Finished("r_1", two, sealed=False), Finished("r_2", two, ranked=False))

    await settle_all(database)

    assert await rated(database) == {}


async def test_each_variant_has_ratings_of_its_own(database: Database) -> None:
    two = [Result(A, rank=1), Result(B, rank=2)]
    await keep(
        database, Finished("r_1", two), Finished("r_2", two, draw=1), Finished("r_3", two, draw=1)
    )

    await settle_all(database)

    query = "SELECT draw, games, mu FROM ratings WHERE player_id = :id ORDER BY draw"
    twice, once = await rows(database, query, id=A.id)
    assert (twice[:2], once[:2]) == ((1, 2), (3, 1))
    assert twice[2] > once[2]


async def test_a_daily_rates_a_large_field_at_once(database: Database) -> None:
    field = [Result(somebody(number), rank=1 + number // 2) for number in range(MOST_AT_ONCE + 9)]
    await keep(database, a_daily(date(2026, 11, 29), *field))

    await settle_all(database)

    expected = rate(newcomers(*((result.player.id, result.rank) for result in field)))
    ids = [result.player.id for result in field]
    assert await rated(database) == dict(zip(ids, expected, strict=True))


async def test_the_record_gives_the_same_ratings_again(database: Database) -> None:
    await keep(database, *at_random(7, rooms=40, dailies=4))
    await settle_all(database)

    await follows_from_the_record(database)


async def follows_from_the_record(database: Database) -> None:
    """Compute every rating anew, in the recorded order, and compare exactly."""
    fields: dict[str, list[Any]] = defaultdict(list)
    for change in await rows(database, RECORD):
        fields[change[0]].append(change)
    now: dict[tuple[str, str, int], Belief] = {}
    for field in fields.values():
        keys = [(who, ruleset, draw) for _, who, ruleset, draw, *_ in field]
        entrants = [
            Entrant(player_id=change[1], rank=change[-1], before=now.get(key, Belief()))
            for key, change in zip(keys, field, strict=True)
        ]
        before = [(entrant.before.mu, entrant.before.sigma) for entrant in entrants]
        assert [tuple(change[4:6]) for change in field] == before
        for key, change, belief in zip(keys, field, rate(entrants), strict=True):
            now[key] = belief
            assert tuple(change[6:9]) == (belief.mu, belief.sigma, belief.rating)
    found = await rows(database, "SELECT player_id, ruleset, draw, mu, sigma FROM ratings")
    assert {(who, ruleset, draw): (mu, sigma) for who, ruleset, draw, mu, sigma in found} == {
        key: (belief.mu, belief.sigma) for key, belief in now.items()
    }
    assert len(fields) > 10


async def test_a_daily_and_races_rated_at_once_on_two_nodes_lose_no_change(
    database: Database, database_url: str
) -> None:
    chance = random.Random(8)
    everyone = [somebody(number) for number in range(6)]

    def field(size: int) -> list[Result]:
        players = chance.sample(everyone, size)
        return [Result(player, rank=place) for place, player in enumerate(players)]

    races = [Finished(f"r_{number:02}", field(3)) for number in range(30)]
    dailies = [a_daily(date(2026, 11, 1) + timedelta(days=n), *field(6)) for n in range(15)]
    await keep(database, *races, *dailies)
    other = database if database.is_sqlite else Database(database_url)
    if other is not database:
        await other.open()
    try:
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(
                settle_in_turn(database, dailies),
                settle_in_turn(other, races[::2]),
                settle_in_turn(other, races[1::2]),
            )
    finally:
        if other is not database:
            await other.close()

    await follows_from_the_record(database)
    [(games,)] = await rows(database, "SELECT sum(games) FROM ratings")
    assert games == 3 * len(races) + 6 * len(dailies)


async def settle_in_turn(database: Database, rooms: list[Finished]) -> None:
    for room in rooms:
        assert await Counting(database).settle(room.id)
