"""Ratings: what rooms do to them, each change kept in the order in which it was made."""

import asyncio
from collections.abc import Sequence
from functools import cache
from typing import Any

from msgspec import Struct
from sqlalchemy import (
    BindParameter,
    Row,
    Select,
    String,
    Update,
    and_,
    bindparam,
    insert,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from server.race.daily import day_of
from server.race.periods import day_number
from server.race.rating import Belief, Entrant, rate
from server.store.days import days_table, days_text
from server.store.tables import games, player_totals, players, rating_changes, ratings, rooms
from server.store.upserts import insert_into

ROOM_IDS: BindParameter[str] = bindparam("room_ids", expanding=True)

MOST_AT_ONCE = 100
"""Players whose rating is computed in passing; more would hold up everything else."""

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


async def publish(connection: AsyncConnection, daily: Row[Any]) -> None:
    """Write what rating a daily has made of ratings into the totals, where its games are already.

    In the transaction in which it was rated: later ones may have been published after that.
    """
    days = days_text([day_number(day_of(daily.started_at))])
    given = {"in_room": daily.id, "days": days}
    await connection.execute(_publish(connection.dialect.name), given)


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
    if len(field) > MOST_AT_ONCE:
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
def _publish(dialect: str) -> Update:
    days, totals, changes = days_table(dialect), player_totals.c, rating_changes.c
    return (
        update(player_totals)
        .where(
            changes.room_id == bindparam("in_room", type_=String),
            totals.player_id == changes.player_id,
            totals.ruleset == changes.ruleset,
            totals.draw == changes.draw,
            totals.period == days.c.period,
            totals.start == days.c.start,
        )
        .values(rating=changes.rating)
    )
