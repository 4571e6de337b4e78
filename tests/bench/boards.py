"""Leaderboards of a million finished games: how long a page takes, first, deep and around me.

The games are made up by the database, then counted as `canfield-race recount` does. Pages are read
by the store's own calls, then over HTTP from a server; some are held against `RANK()` over the raw
games. `BENCH_GAMES` is another number of games, `BENCH_TRIES` of readings of each kind of page.
"""

import os
import random
import time
from collections.abc import Awaitable, Callable
from itertools import product
from typing import Any, NamedTuple

import httpx2
import uvloop
from rich.console import Console
from rich.table import Table
from sqlalchemy.ext.asyncio import create_async_engine

from server.api.cursors import write_cursor
from server.race.boards import BOARDS, Board, BoardItem, Chart
from server.race.periods import PERIODS, Period, start_of_period
from server.store.boards import Boards, Excerpt, Place
from server.store.database import Database
from server.store.recounting import recount
from tests.bench.databases import postgres, postgres_database
from tests.bench.figures import COLUMNS, figures
from tests.bench.machine import conditions
from tests.bench.million import MILLION, TODAY, Size, fill, tidy
from tests.bench.serving import PATIENCE_S, migrate, race_server
from tests.store.plain import Line, plain_board

PAGES = ("first", "deep", "around me")
TRIES = int(os.environ.get("BENCH_TRIES", "200"))  # of each kind of page of each board
LIMIT = 20
AIM_MS = 30
BARE = ("none", "limits")  # a call that reads nothing: what any call takes here

Read = Callable[[Chart, str, Line], Awaitable[Any]]
Whole = dict[Chart, list[Line]]


class Filled(NamedTuple):
    """What was there to read from.

    Attributes:
        compared: pages that were held against `RANK()` over the raw games.
    """

    games: int
    rooms: int
    fill_s: float
    recount_s: float
    compared: int


def size() -> Size:
    """Tell how many games there are to be: a million, or about `BENCH_GAMES`."""
    games = int(os.environ.get("BENCH_GAMES", MILLION.games))
    share = games / MILLION.games
    return Size(games, max(50, int(MILLION.players * share)), int(MILLION.daily * share))


def chart_of(board: Board, period: Period) -> Chart:
    """Give the list of humans in a board's first variant, in the period of the last day."""
    return Chart(board, period, start_of_period(period, TODAY), board.variants[0], "human")


async def rank_raw_games(url: str) -> Whole:
    """Rank everyone on every list by plain SQL over the raw games, however long that takes.

    Lists that nobody is on, as there may be of few games, are left out.
    """
    engine = create_async_engine(url.replace("postgresql:", "postgresql+asyncpg:"))
    whole: Whole = {}
    try:
        async with engine.connect() as connection:
            for board, period in product(BOARDS.values(), PERIODS):
                chart = chart_of(board, period)
                variant = chart.variant
                wanted = {"ruleset": variant.ruleset, "draw": variant.draw, "kind": chart.kind}
                name, first = board.board, chart.start
                if lines := await plain_board(connection, name, first, TODAY, **wanted):
                    whole[chart] = lines
    finally:
        await engine.dispose()
    return whole


class Mismatch(Exception):
    """A page is not what ranking the raw games gives."""


async def compare(boards: Boards, whole: Whole, chance: random.Random) -> int:
    """Hold pages of every list against the whole; gives how many.

    Raises:
        Mismatch: one differs.
    """
    compared = 0
    for chart, lines in whole.items():
        by_player = {line.player_id: line for line in lines}
        for page in PAGES:
            at = chance.choice(lines)
            found = (await read_store(boards)(chart, page, at)).items
            told = [Line(i.rank, i.player.id, i.value, i.games) for i in found]
            if told != [by_player.get(line.player_id) for line in told]:
                raise Mismatch(f"{chart} {page}: {told}")
            check_place(page, found, at, lines)
            compared += 1
    return compared


def check_place(page: str, found: list[BoardItem], at: Line, lines: list[Line]) -> None:
    """See that a page begins where it has to.

    Raises:
        Mismatch: it does not.
    """
    ranks = [item.rank for item in found]
    where = [line.rank for line in lines]
    if page == "first" and ranks != where[:LIMIT]:
        raise Mismatch(f"the first page has the ranks {ranks}")
    if page == "deep" and any(rank < at.rank for rank in ranks):
        raise Mismatch(f"the page behind {at} has the ranks {ranks}")
    if page == "around me" and at.player_id not in [item.player.id for item in found]:
        raise Mismatch(f"the page around {at} is without")


def read_store(boards: Boards) -> Callable[[Chart, str, Line], Awaitable[Excerpt]]:
    """Read pages by the store's own calls."""

    def read(chart: Chart, page: str, at: Line) -> Awaitable[Excerpt]:
        if page == "first":
            return boards.first(chart, limit=LIMIT)
        if page == "deep":
            return boards.after(chart, Place(at.value, at.player_id), limit=LIMIT)
        return boards.around(chart, at.player_id, limit=LIMIT)

    return read


def read_http(http: httpx2.AsyncClient) -> Read:
    """Read pages from a server."""

    async def read(chart: Chart, page: str, at: Line) -> None:
        asked: dict[str, str | int] = {"period": chart.period, "at": str(TODAY), "limit": LIMIT}
        headers = {}
        if page == "deep":
            asked["after"] = write_cursor((chart.name, at.value, at.player_id))
        if page == "around me":
            asked["around"] = "me"
            headers["Authorization"] = f"Bearer cr_{at.player_id.removeprefix('p_')}"
        answer = await http.get(f"/leaderboards/{chart.board.board}", params=asked, headers=headers)
        answer.raise_for_status()

    return read


async def take_times(read: Read, whole: Whole, chance: random.Random) -> dict[Any, list[float]]:
    """Read every kind of page of every board many times, of all periods; gives milliseconds."""
    times: dict[Any, list[float]] = {}
    for _, (board, page) in product(range(TRIES), product(BOARDS.values(), PAGES)):
        chart = chance.choice([chart for chart in whole if chart.board == board])
        at = chance.choice(whole[chart])
        began = time.perf_counter()
        await read(chart, page, at)
        times.setdefault((board.board, page), []).append((time.perf_counter() - began) * 1e3)
    return times


async def measure() -> tuple[Filled, dict[str, dict[Any, list[float]]]]:
    """Fill a database, and read its boards."""
    chance, wanted = random.Random(1), size()
    with postgres() as server:
        async with postgres_database(server) as url:
            await migrate(url)
            began = time.perf_counter()
            games = await fill(url, wanted)
            await tidy(url)
            filled = time.perf_counter()
            database = Database(url)
            await database.open()
            try:
                rooms = await recount(database)
                counted = time.perf_counter()
                await tidy(url)
                whole = await rank_raw_games(url)
                compared = await compare(Boards(database), whole, chance)
                times = {"store": await take_times(read_store(Boards(database)), whole, chance)}
            finally:
                await database.close()
            times["HTTP"] = await ask_server(url, whole, chance)
            about = Filled(games, rooms, filled - began, counted - filled, compared)
    return about, times


async def ask_server(url: str, whole: Whole, chance: random.Random) -> dict[Any, list[float]]:
    """Serve the database, and read its boards over HTTP."""
    async with race_server(url, core=None) as (port, _):
        base = f"http://127.0.0.1:{port}/api/v1"
        async with httpx2.AsyncClient(base_url=base, timeout=PATIENCE_S, trust_env=False) as http:
            times = await take_times(read_http(http), whole, chance)
            for _ in range(TRIES):
                began = time.perf_counter()
                (await http.get("/limits")).raise_for_status()
                times.setdefault(BARE, []).append((time.perf_counter() - began) * 1e3)
            return times


def report(about: Filled, times: dict[str, dict[Any, list[float]]]) -> Table:
    """Show how long pages took."""
    title = (
        f"Leaderboards of {about.games:,} games in {about.rooms:,} rooms, made in "
        f"{about.fill_s:.0f} s, counted in {about.recount_s:.0f} s; "
        f"{about.compared} pages equal to RANK() over the raw games"
    )
    table = Table("board", "page", "by", *COLUMNS, f"p99 < {AIM_MS}", title=title)
    for key in times["HTTP"]:
        for by, taken in times.items():
            if key not in taken:
                continue
            shown = figures(taken[key])
            within = "yes" if float(shown[1].replace(",", "")) < AIM_MS else "no"
            table.add_row(*key, by, *shown, within)
    return table


def main() -> None:
    """Print what was measured."""
    before = conditions()
    table = report(*uvloop.run(measure()))
    table.caption = before
    Console().print(table)


if __name__ == "__main__":
    main()
