"""Reading the leaderboards, page by page."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from msgspec import Struct
from sqlalchemy import (
    Column,
    ColumnElement,
    Integer,
    Row,
    Select,
    String,
    and_,
    bindparam,
    func,
    select,
    text,
    tuple_,
    union_all,
)

from server.race.boards import Board, BoardItem, BoardName, Chart, ranks
from server.race.player import Player
from server.store.database import Database
from server.store.tables import ON_A_BOARD, player_totals, players

VALUES: dict[BoardName, Column[Any]] = {
    "fastest": player_totals.c.fastest_ms,
    "placed": player_totals.c.placed,
    "rating": player_totals.c.rating,
    "streak": player_totals.c.streak,
    "winnings": player_totals.c.winnings,
    "wins": player_totals.c.wins,
}


class Place(NamedTuple):
    """Where somebody stands: the value, and the id that decides among equal ones."""

    value: int | float
    player_id: str


class Excerpt(Struct, frozen=True):
    """A page's items, and whether there are more after them."""

    items: list[BoardItem]
    more: bool


class Boards:
    """The leaderboards of a database: one statement reads a page, which so is of one moment."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def first(self, chart: Chart, *, limit: int) -> Excerpt:
        """Read the page that begins with the best.

        Raises:
            Unavailable: the database did not answer.
        """
        items = await self._read(_pages(chart.board).first, chart, rows=limit + 1)
        return Excerpt(items[:limit], more=len(items) > limit)

    async def after(self, chart: Chart, place: Place, *, limit: int) -> Excerpt:
        """Read the page that begins behind a place, whoever stands there now; raises as `first`."""
        where = {"value": place.value, "player_id": place.player_id}
        items = await self._read(_pages(chart.board).after, chart, rows=limit + 1, **where)
        return Excerpt(items[:limit], more=len(items) > limit)

    async def around(self, chart: Chart, player_id: str, *, limit: int) -> Excerpt:
        """Read the page with a player in the middle, empty for who is not there.

        Near an end of the list it is the page at that end. Raises as `first`.
        """
        pages = _pages(chart.board)
        items = await self._read(pages.around, chart, rows=limit + 1, player_id=player_id)
        mine = next((i for i, item in enumerate(items) if item.player.id == player_id), 0)
        first = mine - min(mine, max(limit // 2, limit - (len(items) - mine)))
        return Excerpt(items[first : first + limit], more=len(items) > first + limit)

    async def _read(self, query: Select[Any], chart: Chart, **where: Any) -> list[BoardItem]:
        which = {
            "ruleset": chart.variant.ruleset,
            "draw": chart.variant.draw,
            "kind": chart.kind,
            "period": chart.period,
            "start": chart.start,
        }
        async with self._database.glance() as connection:
            rows = (await connection.execute(query, which | where)).all()
        return _ranked(rows)


class Pages(Struct, frozen=True):
    """What is asked for the pages of a board: given a chart, and `rows` at most.

    Attributes:
        first: the best.
        after: who stands behind a `value` and `player_id`.
        around: who stands before a `player_id`, and the player and who stands behind: `rows` each.
    """

    first: Select[Any]
    after: Select[Any]
    around: Select[Any]


@cache
def _pages(board: Board) -> Pages:
    """Build what is asked for a board's pages; once, since that takes longer than asking."""
    order = _Order(board)
    me = order.at(order.value_of_me())
    return Pages(
        first=order.ranked(order.rows()),
        after=order.ranked(order.rows(order.behind(order.at(order.given_value())))),
        around=order.ranked(order.rows_up(order.before(me)), order.rows(~order.before(me))),
    )


class _Order:
    """Everyone on one list of a board, ordered by value and id, as its index has them."""

    def __init__(self, board: Board) -> None:
        totals = player_totals.c
        self.value = VALUES[board.board]
        self.highest_first = board.best == "highest"
        self.key = tuple_(self.value, totals.player_id)
        names = ("ruleset", "draw", "kind", "period", "start")
        chosen = (totals[name] == bindparam(name, type_=totals[name].type) for name in names)
        self.here = and_(*chosen, text(ON_A_BOARD[self.value.name]))

    def rows(self, *which: ColumnElement[bool]) -> Select[Any]:
        """Ask for players, the best first."""
        return self._rows(which, downwards=self.highest_first)

    def rows_up(self, *which: ColumnElement[bool]) -> Select[Any]:
        """Ask for players, the last first."""
        return self._rows(which, downwards=not self.highest_first)

    def given_value(self) -> ColumnElement[Any]:
        """Take the value of the place that is asked for."""
        return bindparam("value", type_=self.value.type)

    def value_of_me(self) -> ColumnElement[Any]:
        """Look up the value of the player who is asked for."""
        mine = player_totals.c.player_id == bindparam("player_id", type_=String)
        return select(self.value).where(self.here, mine).scalar_subquery()

    def at(self, value: ColumnElement[Any]) -> ColumnElement[Any]:
        """Give the place of a value and the player who is asked for."""
        return tuple_(value, bindparam("player_id", type_=String))

    def before(self, place: ColumnElement[Any]) -> ColumnElement[bool]:
        """Compare: stands nearer to the top than a place."""
        return self.key > place if self.highest_first else self.key < place

    def behind(self, place: ColumnElement[Any]) -> ColumnElement[bool]:
        """Compare: stands farther from the top than a place."""
        return self.key < place if self.highest_first else self.key > place

    def ranked(self, *parts: Select[Any]) -> Select[Any]:
        """Ask for parts of the list as one, the best first, with names.

        With each row comes how many have a better value than the first of them (`better`), and how
        many have the same and stand before it (`level`).
        """
        cut = union_all(*(select(part.subquery()) for part in parts)).cte("cut")
        order = self._best_first(cut.c.value, cut.c.player_id)
        top_value = select(cut.c.value).order_by(*order).limit(1).scalar_subquery()
        top_id = select(cut.c.player_id).order_by(*order).limit(1).scalar_subquery()
        player_id = player_totals.c.player_id
        better, above = self.value < top_value, player_id < top_id
        if self.highest_first:
            better, above = self.value > top_value, player_id > top_id
        count = select(func.count()).select_from(player_totals)
        return (
            select(cut, players.c.name, players.c.kind)
            .add_columns(count.where(self.here, better).scalar_subquery().label("better"))
            .add_columns(
                count.where(self.here, self.value == top_value, above)
                .scalar_subquery()
                .label("level")
            )
            .join_from(cut, players, players.c.id == cut.c.player_id)
            .order_by(*order)
        )

    def _best_first(self, *columns: ColumnElement[Any]) -> list[ColumnElement[Any]]:
        return [column.desc() if self.highest_first else column.asc() for column in columns]

    def _rows(self, which: Sequence[ColumnElement[bool]], *, downwards: bool) -> Select[Any]:
        totals = player_totals.c
        columns = (self.value, totals.player_id)
        return (
            select(totals.player_id, self.value.label("value"), totals.games)
            .where(self.here, *which)
            .order_by(*(column.desc() if downwards else column.asc() for column in columns))
            .limit(bindparam("rows", type_=Integer))
        )


def _ranked(rows: Sequence[Row[Any]]) -> list[BoardItem]:
    """Give rows of a list as items with their ranks."""
    if not rows:
        return []
    values, better = [row.value for row in rows], rows[0].better
    given = ranks(values, ahead=better + rows[0].level, better=better)
    return [
        BoardItem(
            rank=rank,
            player=Player(id=row.player_id, name=row.name, kind=row.kind),
            value=row.value,
            games=row.games,
        )
        for rank, row in zip(given, rows, strict=True)
    ]
