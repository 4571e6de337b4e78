"""What everyone may know of a player, read in one snapshot."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, and_, case, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.race.daily import day_of, start_of
from server.race.instants import instant
from server.race.periods import run_on
from server.race.player import Player
from server.race.profile import Profile, Rating, RecentGame
from server.race.rating import Belief
from server.store.days import OWN_TIME_MS
from server.store.tables import games, player_days, ratings, rooms

RECENT_GAMES = 20

PLAYED = games.join(rooms, rooms.c.id == games.c.room_id)


async def read_profile(connection: AsyncConnection, player: Player, *, at: datetime) -> Profile:
    """Sum up a player's games in finished rooms, with the streak as it is at an instant."""
    finished = and_(games.c.player_id == player.id, games.c.rank.is_not(None))
    won = games.c.state == "won"
    totals = select(
        func.count(), func.count(case((won, 1))), func.min(case((won, OWN_TIME_MS)))
    ).where(finished)
    recent = (
        select(games, rooms.c.ruleset, rooms.c.draw)
        .select_from(PLAYED)
        .where(finished)
        .order_by(games.c.ended_at.desc(), games.c.id)
        .limit(RECENT_GAMES)
    )
    count, wins, best_ms = (await connection.execute(totals.select_from(PLAYED))).one()
    return Profile(
        player=player,
        games=count,
        wins=wins,
        best_ms=best_ms,
        streak=await _streak(connection, player, at=at),
        ratings=await _ratings(connection, player),
        recent_games=[_recent_game(row) for row in await connection.execute(recent)],
    )


async def _streak(connection: AsyncConnection, player: Player, *, at: datetime) -> int:
    """Give the run of days that a player is on: counted ones, and the last two as they stand.

    A daily is counted when it has finished; a win in it shows at once.
    """
    today = day_of(at)
    counted = select(player_days.c.day, player_days.c.run).where(
        player_days.c.player_id == player.id
    )
    latest = counted.order_by(player_days.c.day.desc()).limit(1)
    last = (await connection.execute(latest)).one_or_none()
    fresh = (
        select(rooms.c.started_at)
        .select_from(PLAYED)
        .where(
            games.c.player_id == player.id,
            games.c.ended_at >= start_of(today - timedelta(days=1)),
            games.c.state == "won",
            rooms.c.kind == "daily",
        )
    )
    won = (await connection.execute(fresh)).scalars()
    return run_on(
        today,
        settled=None if last is None else (last.day, last.run),
        won=[day_of(started_at) for started_at in won if started_at is not None],
    )


async def _ratings(connection: AsyncConnection, player: Player) -> list[Rating]:
    mine = select(ratings).where(ratings.c.player_id == player.id)
    found = await connection.execute(mine.order_by(ratings.c.ruleset, ratings.c.draw.desc()))
    beliefs = [(row, Belief(mu=row.mu, sigma=row.sigma)) for row in found]
    return [
        Rating(
            ruleset=row.ruleset,
            draw=row.draw,
            rating=belief.rating,
            uncertainty=belief.uncertainty,
        )
        for row, belief in beliefs
    ]


def _recent_game(row: Row[Any]) -> RecentGame:
    return RecentGame(
        id=row.id,
        room=row.room_id,
        ruleset=row.ruleset,
        draw=row.draw,
        state=row.state,
        placed=row.placed,
        score=row.score,
        rank=row.rank,
        ended_at=instant(row.ended_at),
    )
