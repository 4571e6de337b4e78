"""How everyone in a room stands, page by page: of a race from memory, of a daily by the store."""

from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct

from server.api.cursors import Cursor, Limit, Page, cut_page, page_at, read_cursor, write_cursor
from server.api.endpoint import Call, Endpoint, Nothing
from server.race.daily import Daily
from server.race.errors import Invalid, NotAPlayer
from server.race.standings import Standing, rank_key

Counted = Annotated[int, Meta(ge=-52, lt=2**31)]
"""What standings count: cards, milliseconds, actions; no database holds more."""


class Place(NamedTuple):
    """A player's place in the standings."""

    rank_key: tuple[bool, Counted, Counted, Counted]
    player_id: str


class StandingsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of the standings.

    Attributes:
        around: `me` is the page with oneself in the middle; it needs a token, and no `after`.
    """

    around: Literal["me"] | None = None
    limit: Limit = 100
    after: Cursor | None = None


async def list_standings(call: Call[Nothing, StandingsQuery]) -> Page[Standing]:
    """List a room's standings, best first."""
    query = call.query
    if query.around is not None and query.after is not None:
        raise Invalid("around and after are two ways to choose a page; give one", pointer="/around")
    room = await call.services.referee.present(call.path["room"])
    if isinstance(room, Daily):
        return await _page_of_daily(call, room)
    standings = sorted((await call.services.hub.view(room)).standings, key=_place)
    if query.around is None:
        return cut_page(standings, key=_place, shape=Place, limit=query.limit, after=query.after)
    player = call.player
    mine = next((i for i, s in enumerate(standings) if s.player.id == player.id), None)
    if mine is None:
        raise NotAPlayer("you have no place in this room: leave around out, or join it first")
    first = max(0, min(mine - query.limit // 2, len(standings) - query.limit))
    return page_at(standings, first, key=_place, limit=query.limit)


async def _page_of_daily(call: Call[Nothing, StandingsQuery], daily: Daily) -> Page[Standing]:
    query = call.query
    after = None if query.after is None else read_cursor(query.after, Place)
    page = await call.services.kept_attempts.standings(
        daily.id,
        limit=query.limit,
        after=None if after is None else (*after.rank_key, after.player_id),
        around=None if query.around is None else call.player.id,
    )
    if page is None:
        raise NotAPlayer("you have no place in this daily: leave around out, or join it first")
    standings, more = page
    return Page(items=standings, next=write_cursor(_place(standings[-1])) if more else None)


def _place(standing: Standing) -> Place:
    return Place(rank_key(standing), standing.player.id)


ENDPOINTS = [
    Endpoint(
        "GET",
        "/rooms/{room}/standings",
        list_standings,
        Page[Standing],
        "Rooms",
        query=StandingsQuery,
        auth="optional",
        refuses=("not_found", "not_a_player"),
    ),
]
