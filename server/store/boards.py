"""Reading the leaderboards: pages by where they begin, each in one snapshot."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec import Struct
from sqlalchemy import (
    Column,
    ColumnElement,
    Row,
    Select,
    and_,
    case,
    func,
    literal,
    select,
    text,
    tuple_,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from server.race.boards import BoardItem, BoardName, Chart, ranks
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


NOBODY = Excerpt([], more=False)


class Boards:
    """The leaderboards of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def first(self, chart: Chart, *, limit: int) -> Excerpt:
        """Read the page that begins with the best.

        Raises:
            Unavailable: the database did not answer.
        """
        async with self._database.glance() as connection:
            rows = (await connection.execute(_Order(chart).rows(limit + 1))).all()
        return _excerpt(rows[:limit], ahead=0, better=0, more=len(rows) > limit)

    async def after(self, chart: Chart, place: Place, *, limit: int) -> Excerpt:
        """Read the page that begins behind a place, whoever stands there now; raises as `first`."""
        order = _Order(chart)
        async with self._database.read() as connection:
            behind = order.rows(limit + 1, order.behind(place))
            rows = (await connection.execute(behind)).all()
            return await _ranked(connection, order, rows[:limit], more=len(rows) > limit)

    async def around(self, chart: Chart, player_id: str, *, limit: int) -> Excerpt:
        """Read the page with a player in the middle, empty for who is not there.

        Near an end of the list it is the page at that end. Raises as `first`.
        """
        order = _Order(chart)
        async with self._database.read() as connection:
            value = (await connection.execute(order.value_of(player_id))).scalar()
            if value is None:
                return NOBODY
            me = Place(value, player_id)
            above = (await connection.execute(order.rows_up(limit, order.before(me)))).all()
            below = (await connection.execute(order.rows(limit + 1, ~order.before(me)))).all()
            over = min(len(above), max(limit // 2, limit - len(below)))
            rows = [*reversed(above[:over]), *below]
            return await _ranked(connection, order, rows[:limit], more=len(rows) > limit)


class _Order:
    """Everyone on one list of a board, ordered by value and id, as its index has them."""

    def __init__(self, chart: Chart) -> None:
        totals = player_totals.c
        self.value = VALUES[chart.board.board]
        self.highest_first = chart.board.best == "highest"
        self.key = tuple_(self.value, totals.player_id)
        self.here = and_(
            totals.ruleset == chart.variant.ruleset,
            totals.draw == chart.variant.draw,
            totals.kind == chart.kind,
            totals.period == chart.period,
            totals.start == chart.start,
            text(ON_A_BOARD[self.value.name]),
        )

    def rows(self, limit: int, *which: ColumnElement[bool]) -> Select[Any]:
        """Ask for players, the best first."""
        return self._rows(limit, which, downwards=self.highest_first)

    def rows_up(self, limit: int, *which: ColumnElement[bool]) -> Select[Any]:
        """Ask for players, the last first."""
        return self._rows(limit, which, downwards=not self.highest_first)

    def before(self, place: Place) -> ColumnElement[bool]:
        """Compare: stands nearer to the top than a place."""
        return self.key > self._at(place) if self.highest_first else self.key < self._at(place)

    def behind(self, place: Place) -> ColumnElement[bool]:
        """Compare: stands farther from the top than a place."""
        return self.key < self._at(place) if self.highest_first else self.key > self._at(place)

    def value_of(self, player_id: str) -> Select[Any]:
        """Ask for a player's own value."""
        return select(self.value).where(self.here, player_totals.c.player_id == player_id)

    def standing(self, place: Place) -> Select[int, int]:
        """Ask how many stand before a place, and how many of them have a better value."""
        better = case((self.value != literal(place.value, self.value.type), 1))
        counts = select(func.count(), func.count(better)).select_from(player_totals)
        return counts.where(self.here, self.before(place))

    def _at(self, place: Place) -> ColumnElement[Any]:
        return tuple_(literal(place.value, self.value.type), literal(place.player_id))

    def _rows(
        self, limit: int, which: Sequence[ColumnElement[bool]], *, downwards: bool
    ) -> Select[Any]:
        totals = player_totals.c
        order = (self.value, totals.player_id)
        return (
            select(totals.player_id, self.value.label("value"), totals.games)
            .add_columns(players.c.name, players.c.kind)
            .join_from(player_totals, players, players.c.id == totals.player_id)
            .where(self.here, *which)
            .order_by(*(column.desc() for column in order) if downwards else order)
            .limit(limit)
        )


async def _ranked(
    connection: AsyncConnection, order: _Order, rows: Sequence[Row[Any]], *, more: bool
) -> Excerpt:
    """Give a page with its ranks, by counting who stands before the first on it."""
    if not rows:
        return NOBODY
    first = Place(rows[0].value, rows[0].player_id)
    ahead, better = (await connection.execute(order.standing(first))).one()
    return _excerpt(rows, ahead=ahead, better=better, more=more)


def _excerpt(rows: Sequence[Row[Any]], *, ahead: int, better: int, more: bool) -> Excerpt:
    given = ranks([row.value for row in rows], ahead=ahead, better=better)
    items = [
        BoardItem(
            rank=rank,
            player=Player(id=row.player_id, name=row.name, kind=row.kind),
            value=row.value,
            games=row.games,
        )
        for rank, row in zip(given, rows, strict=True)
    ]
    return Excerpt(items, more=more)
