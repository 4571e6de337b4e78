"""Leaderboards: which there are, and their pages."""

from collections.abc import Awaitable
from datetime import date
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct

from server.api.cursors import Cursor, Limit, Page, PageQuery, cut_page, read_cursor, write_cursor
from server.api.endpoint import Call, Endpoint, Nothing
from server.clock import now
from server.race.boards import (
    BOARDS,
    Board,
    BoardPage,
    Chart,
    find_board,
    settle_variant,
)
from server.race.daily import day_of
from server.race.errors import Invalid
from server.race.instants import instant
from server.race.periods import FIRST_DAY, Period, start_of_period
from server.race.player import Kind
from server.race.settings import Draw, RulesetName
from server.store.boards import Excerpt, Place

PlayerId = Annotated[str, Meta(pattern="^[a-z0-9_]{1,16}$")]
Whole = Annotated[int, Meta(ge=-(2**31), lt=2**31)]


class Named(NamedTuple):
    """A board's place in the list of boards."""

    board: str


class WholePlace(NamedTuple):
    """A player's place on a list whose values are whole numbers."""

    chart: str
    value: Whole
    player_id: PlayerId


class RatingPlace(NamedTuple):
    """A player's place on a list of ratings."""

    chart: str
    value: float
    player_id: PlayerId


class BoardQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which list of a leaderboard, and which of its pages.

    Attributes:
        period: a UTC day, an ISO week, a month, or all time.
        at: a day of the period, in UTC; today, where it is left out.
        ruleset: the first that the board is kept for, where it is left out.
        draw: 3 where it is left out.
        kind: of the players: bots have lists of their own.
        around: `me` is the page with oneself in the middle, empty for who is not on the list; it
            needs a token, and no `after`.
    """

    period: Period = "all"
    at: date | None = None
    ruleset: RulesetName | None = None
    draw: Draw | None = None
    kind: Kind = "human"
    around: Literal["me"] | None = None
    limit: Limit = 20
    after: Cursor | None = None


async def list_boards(call: Call[Nothing, PageQuery]) -> Page[Board]:
    """List the leaderboards, with what each is kept for."""
    query = call.query
    boards = list(BOARDS.values())
    return cut_page(boards, key=_named, shape=Named, limit=query.limit, after=query.after)


async def show_board(call: Call[Nothing, BoardQuery]) -> BoardPage:
    """Show a page of a leaderboard.

    Ranked rooms with at least two players at the start count, and dailies. A game belongs to the
    UTC day, ISO week and month of its end, a daily's to the daily's own day; races are counted when
    they finish, dailies in the minutes after theirs.
    """
    at, board = now(call.services.clock), find_board(call.path["board"])
    day = _day(call.query, today=day_of(at))
    chart = Chart(
        board=board,
        period=call.query.period,
        start=start_of_period(call.query.period, day),
        variant=settle_variant(board, ruleset=call.query.ruleset, draw=call.query.draw),
        kind=call.query.kind,
    )
    page = await _read(call, chart)
    last = page.items[-1] if page.more else None
    return BoardPage(
        board=board.board,
        period=chart.period,
        as_of=instant(at),
        items=page.items,
        next=None if last is None else write_cursor((chart.name, last.value, last.player.id)),
    )


def _read(call: Call[Nothing, BoardQuery], chart: Chart) -> Awaitable[Excerpt]:
    boards, query = call.services.boards, call.query
    if query.around is not None:
        if query.after is not None:
            raise Invalid(
                "around and after are two ways to choose a page; give one", pointer="/around"
            )
        return boards.around(chart, call.player.id, limit=query.limit)
    if query.after is None:
        return boards.first(chart, limit=query.limit)
    return boards.after(chart, _place(query.after, chart), limit=query.limit)


def _place(cursor: str, chart: Chart) -> Place:
    """Read a cursor that this list has given; another list's leads nowhere here."""
    place: WholePlace | RatingPlace
    if chart.board.board == "rating":
        place = read_cursor(cursor, RatingPlace)
    else:
        place = read_cursor(cursor, WholePlace)
    if place.chart != chart.name:
        raise Invalid("not a cursor of this list; give `next` of a page", pointer="/after")
    return Place(place.value, place.player_id)


def _day(query: BoardQuery, *, today: date) -> date:
    """Give the day whose period is asked for."""
    if query.at is not None and query.at < FIRST_DAY:
        raise Invalid(f"nothing is counted before {FIRST_DAY}; give a later day", pointer="/at")
    return query.at or today


def _named(board: Board) -> Named:
    return Named(board.board)


ENDPOINTS = [
    Endpoint("GET", "/leaderboards", list_boards, Page[Board], "Leaderboards", query=PageQuery),
    Endpoint(
        "GET",
        "/leaderboards/{board}",
        show_board,
        BoardPage,
        "Leaderboards",
        query=BoardQuery,
        auth="optional",
        refuses=("not_found",),
    ),
]
