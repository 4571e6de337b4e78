"""Boards are held against `RANK()` over the raw games, see `plain.py`."""

import asyncio
import random
from datetime import date
from itertools import product

import pytest

from server.race.boards import BOARDS, Board, BoardItem, Chart, Variant
from server.race.periods import PERIODS, Period, start_of_period
from server.race.player import Kind, Player
from server.store.boards import Boards, Excerpt, Place
from server.store.counting import Counting
from server.store.database import Database
from server.store.players import Players
from tests.store.finished import NOON, Finished, Result, at_random, keep, somebody
from tests.store.plain import Line, plain_board

KINDS: tuple[Kind, ...] = ("human", "bot")

NEW_YEAR = date(2027, 1, 1)
"""A Friday, of the week that began on 2026-12-28."""

DAYS = {
    "day": (NEW_YEAR, NEW_YEAR),
    "week": (date(2026, 12, 28), date(2027, 1, 3)),
    "month": (date(2027, 1, 1), date(2027, 1, 31)),
    "all": (date(1970, 1, 1), date(9999, 12, 31)),
}


def chart_of(
    board: Board, *, period: Period = "all", variant: Variant | None = None, kind: Kind = "human"
) -> Chart:
    return Chart(
        board=board,
        period=period,
        start=start_of_period(period, NEW_YEAR),
        variant=variant or board.variants[0],
        kind=kind,
    )


async def settle_all(database: Database) -> None:
    counting = Counting(database)
    for room_id in await counting.unsettled(10_000):
        assert await counting.settle(room_id)


async def walk(boards: Boards, chart: Chart, *, limit: int) -> list[BoardItem]:
    """Read a list page by page from its beginning to its end."""
    page = await boards.first(chart, limit=limit)
    items = page.items
    while page.more:
        assert len(page.items) == limit
        last = page.items[-1]
        page = await boards.after(chart, Place(last.value, last.player.id), limit=limit)
        items = items + page.items
    return items


def lines(items: list[BoardItem]) -> list[Line]:
    return [Line(item.rank, item.player.id, item.value, item.games) for item in items]


def same(items: list[BoardItem], plain: list[Line]) -> bool:
    """Whether a board is as it should be; equal ones may stand in any order."""
    return sorted(lines(items)) == plain and [i.rank for i in items] == [p.rank for p in plain]


async def test_every_board_is_what_ranking_the_raw_games_gives(database: Database) -> None:
    await keep(database, *at_random(1))
    await settle_all(database)
    boards, compared, equals = Boards(database), 0, 0

    for board, period, kind in product(BOARDS.values(), PERIODS, KINDS):
        for variant in board.variants:
            chart = chart_of(board, period=period, variant=variant, kind=kind)
            async with database.read() as connection:
                plain = await plain_board(
                    connection,
                    board.board,
                    *DAYS[period],
                    ruleset=variant.ruleset,
                    draw=variant.draw,
                    kind=kind,
                )
            assert same(await walk(boards, chart, limit=7), plain), chart
            compared += len(plain)
            equals += len(plain) - len({line.rank for line in plain})

    assert compared > 200
    assert equals > 40, "few results are equal: shared ranks are hardly tried"


def a_league(values: list[int]) -> list[Finished]:
    """Races by which player number `i` comes to `values[i]` wins, each against somebody else."""
    loser = Result(somebody(999), placed=1)
    return [
        Finished(f"r_{number}_{win}", [Result(somebody(number), won=True), loser])
        for number, value in enumerate(values)
        for win in range(value)
    ]


WINS = [1, 4, 2, 2, 5, 2, 1, 3]
RANKED = [(1, 5), (2, 4), (3, 3), (4, 2), (4, 2), (4, 2), (7, 1), (7, 1)]


async def a_kept_league(database: Database) -> tuple[Boards, Chart]:
    await keep(database, *a_league(WINS))
    await settle_all(database)
    return Boards(database), chart_of(BOARDS["wins"])


def ranked(page: Excerpt) -> list[tuple[int, float]]:
    return [(item.rank, item.value) for item in page.items]


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 8, 9])
async def test_pages_of_any_size_share_ranks_as_the_whole_board_does(
    database: Database, limit: int
) -> None:
    boards, chart = await a_kept_league(database)

    items = await walk(boards, chart, limit=limit)

    assert [(item.rank, item.value) for item in items] == RANKED
    assert len({item.player.id for item in items}) == len(RANKED)


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 8, 9])
async def test_around_is_the_page_with_oneself_in_the_middle(
    database: Database, limit: int
) -> None:
    boards, chart = await a_kept_league(database)
    whole = await walk(boards, chart, limit=100)

    for place, item in enumerate(whole):
        page = await boards.around(chart, item.player.id, limit=limit)
        first = max(0, min(place - limit // 2, len(whole) - limit))
        assert page.items == whole[first : first + limit]
        assert page.more is (first + limit < len(whole))


async def test_around_somebody_who_is_not_on_the_board_is_nobody(database: Database) -> None:
    boards, chart = await a_kept_league(database)

    assert await boards.around(chart, "p_0999", limit=3) == Excerpt([], more=False)
    assert await boards.around(chart, "p_nobody", limit=3) == Excerpt([], more=False)


async def test_a_page_goes_on_behind_a_place_that_nobody_has_any_more(database: Database) -> None:
    boards, chart = await a_kept_league(database)

    behind_all_of_two = await boards.after(chart, Place(2, ""), limit=9)
    between = await boards.after(chart, Place(10, "p_gone"), limit=2)
    behind_everyone = await boards.after(chart, Place(0, "p"), limit=9)

    assert ranked(behind_all_of_two) == [(7, 1), (7, 1)]
    assert ranked(between) == [(1, 5), (2, 4)]
    assert behind_everyone == Excerpt([], more=False)


async def test_who_has_left_for_good_stays_without_a_name(database: Database) -> None:
    boards, chart = await a_kept_league(database)
    before = await walk(boards, chart, limit=100)
    gone = before[0].player

    await Players(database).leave(gone, at=NOON)

    after = await walk(boards, chart, limit=100)
    assert after[0].player == Player(id=gone.id, name="", kind="human")
    assert after[1:] == before[1:]
    assert ranked(Excerpt(after, more=False)) == RANKED


async def test_a_page_is_of_one_moment_also_while_games_are_counted(database: Database) -> None:
    chance, people = random.Random(6), 12
    boards, chart = Boards(database), chart_of(BOARDS["wins"])
    await keep(database, *a_league([1] * people))
    await settle_all(database)
    races = [
        Finished(f"r_more_{number}", [Result(somebody(one), won=True), Result(somebody(two))])
        for number in range(30)
        for one, two in [chance.sample(range(people), 2)]
    ]
    await keep(database, *races)
    counting, seen = asyncio.create_task(settle_all(database)), 0
    while not counting.done():
        me = somebody(chance.randrange(people)).id
        around = await boards.around(chart, me, limit=people)
        assert sorted(item.player.id for item in around.items) == [
            somebody(number).id for number in range(people)
        ]
        assert ranked(around) == by_hand([item.value for item in around.items])

        middle = around.items[people // 2]
        place = Place(middle.value, middle.player.id)
        behind = await boards.after(chart, place, limit=people)
        values = [item.value for item in behind.items]
        before = people - len(values)
        assert all(
            item.rank == before + number + 1
            for number, item in enumerate(behind.items)
            if number and item.value != values[number - 1]
        )
        seen += 1
    await counting

    assert seen > 10


def by_hand(values: list[float]) -> list[tuple[int, float]]:
    """Rank a whole board."""
    return [(1 + sum(other > value for other in values), value) for value in values]
