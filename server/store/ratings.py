"""Ratings: what rooms do to them, each change kept in the order in which it was made."""

import asyncio
from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

from msgspec import Struct
from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Row,
    Select,
    String,
    Update,
    and_,
    bindparam,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from server.race.rating import TABLE, Belief, Entrant, rate
from server.store.days import days_table
from server.store.tables import games, player_totals, players, rating_changes, ratings, rooms
from server.store.upserts import insert_into

ROOM_IDS: BindParameter[str] = bindparam("room_ids", expanding=True)

Scope = Literal["room", "players"]

WHOSE: dict[Scope, ColumnElement[bool]] = {
    "room": games.c.room_id == bindparam("in_room", type_=String),
    "players": and_(
        games.c.player_id > bindparam("behind", type_=String),
        games.c.player_id <= bindparam("up_to", type_=String),
    ),
}

Key = tuple[str, str, int]
"""A player in a variant: id, ruleset and draw."""


class Rated(Struct, frozen=True):
    """What is believed of a player, and how many games it comes from."""

    belief: Belief
    games: int


async def rate_rooms(connection: AsyncConnection, room_ids: Sequence[str]) -> None:
    """Rate the humans of rooms, room by room in the order given.

    Only sealed, ranked rooms with at least two humans do anything to ratings. Whoever calls has the
    players locked, so that nobody else rates one of them meanwhile, and publishes what came of it.
    """
    fields, now = await _read(connection, room_ids)
    changes: list[dict[str, Any]] = []
    for room_id in room_ids:
        if room_id in fields:
            changes += await _rate_room(fields[room_id], now)
    if not changes:
        return
    await connection.execute(insert(rating_changes), changes)
    await _write(connection, {_key_of(change): now[_key_of(change)] for change in changes})


async def publish(connection: AsyncConnection, scope: Scope, *, days: str, **given: str) -> None:
    """Write into the totals of `days` what rooms have last made of ratings there.

    Between rating rooms and this, nobody else may rate one of the players.

    Args:
        connection: of the transaction in which the rooms were rated.
        scope: whose totals, as `given` chooses them.
        days: those that the games are counted on, as `days_text` writes them.
        given: `in_room`; or players `behind` an id and `up_to` another.
    """
    await connection.execute(_publish(connection.dialect.name, scope), given | {"days": days})


async def _read(
    connection: AsyncConnection, room_ids: Sequence[str]
) -> tuple[dict[str, list[Row[Any]]], dict[Key, Rated]]:
    """Give who is to be rated in each room where there is anyone, and what is believed of them."""
    fields: dict[str, list[Row[Any]]] = {}
    now: dict[Key, Rated] = {}
    for row in await connection.execute(_entrants(), {"room_ids": room_ids}):
        fields.setdefault(row.room_id, []).append(row)
        known = Belief() if row.mu is None else Belief(mu=row.mu, sigma=row.sigma)
        now[row.player_id, row.ruleset, row.draw] = Rated(known, row.games or 0)
    return {room_id: field for room_id, field in fields.items() if len(field) > 1}, now


async def _rate_room(field: list[Row[Any]], now: dict[Key, Rated]) -> list[dict[str, Any]]:
    """Rate the players of one room, in `now` as well; gives the rows of their changes."""
    keys: list[Key] = [(row.player_id, row.ruleset, row.draw) for row in field]
    entrants = [
        Entrant(player_id=row.player_id, rank=row.rank, before=now[key].belief)
        for row, key in zip(field, keys, strict=True)
    ]
    if len(field) > TABLE:  # a daily's would hold up everything else
        beliefs = await asyncio.to_thread(rate, entrants)
    else:
        beliefs = rate(entrants)
    changes = []
    for row, key, belief in zip(field, keys, beliefs, strict=True):
        before = now[key]
        now[key] = Rated(belief, before.games + 1)
        changes.append(_change(row, before.belief, belief))
    return changes


def _change(row: Row[Any], before: Belief, after: Belief) -> dict[str, Any]:
    return {
        "room_id": row.room_id,
        "player_id": row.player_id,
        "ruleset": row.ruleset,
        "draw": row.draw,
        "mu_before": before.mu,
        "sigma_before": before.sigma,
        "mu": after.mu,
        "sigma": after.sigma,
        "rating": after.rating,
    }


def _key_of(change: dict[str, Any]) -> Key:
    return change["player_id"], change["ruleset"], change["draw"]


async def _write(connection: AsyncConnection, now: dict[Key, Rated]) -> None:
    rows = [
        {
            "player_id": player_id,
            "ruleset": ruleset,
            "draw": draw,
            "mu": rated.belief.mu,
            "sigma": rated.belief.sigma,
            "games": rated.games,
        }
        for (player_id, ruleset, draw), rated in sorted(now.items())
    ]
    written = insert_into(connection.dialect.name, ratings)
    new = {name: written.excluded[name] for name in ("mu", "sigma", "games")}
    key = list(ratings.primary_key)
    await connection.execute(written.on_conflict_do_update(index_elements=key, set_=new), rows)


@cache
def _entrants() -> Select[Any]:
    """Ask who is to be rated in the sealed, ranked ones of the rooms `room_ids`, and how rated."""
    mine = and_(
        ratings.c.player_id == games.c.player_id,
        ratings.c.ruleset == rooms.c.ruleset,
        ratings.c.draw == rooms.c.draw,
    )
    return (
        select(games.c.room_id, games.c.player_id, games.c.rank)
        .add_columns(rooms.c.ruleset, rooms.c.draw)
        .add_columns(ratings.c.mu, ratings.c.sigma, ratings.c.games)
        .join_from(games, rooms, rooms.c.id == games.c.room_id)
        .join(players, players.c.id == games.c.player_id)
        .outerjoin(ratings, mine)
        .where(games.c.room_id.in_(ROOM_IDS), rooms.c.sealed, rooms.c.ranked)
        .where(players.c.kind == "human")
        .order_by(games.c.room_id, games.c.player_id)
    )


@cache
def _publish(dialect: str, scope: Scope) -> Update:
    days, totals, changes = days_table(dialect), player_totals.c, rating_changes.c
    period = (changes.player_id, changes.ruleset, changes.draw, days.c.period, days.c.start)
    newest_first = func.row_number().over(partition_by=period, order_by=changes.id.desc())
    game = and_(games.c.room_id == changes.room_id, games.c.player_id == changes.player_id)
    numbered = (
        select(*period, changes.rating, newest_first.label("number"))
        .join_from(games, rating_changes, game)
        .join(days, days.c.day == games.c.counted_on)
        .where(WHOSE[scope])
        .subquery("numbered")
    )
    new = numbered.c
    row = and_(*(totals[column.name] == new[column.name] for column in player_totals.primary_key))
    return update(player_totals).where(row, new.number == 1).values(rating=new.rating)
