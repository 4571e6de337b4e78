"""A million finished games, made up by PostgreSQL itself: rooms and games, and nothing else.

They are marked as counted, as games are that have been there for long: what they add up to is lost.
"""

from datetime import date, timedelta
from typing import NamedTuple

import asyncpg

TODAY = date(2026, 11, 29)
"""The last day that there are games of."""

DAYS = 120


class Size(NamedTuple):
    """How much there is to be.

    Attributes:
        games: about; somebody who would sit twice in a room sits once.
        daily: games of each day's daily.
    """

    games: int
    players: int
    daily: int

    @property
    def races(self) -> int:
        """Rooms of five."""
        return (self.games - DAYS * self.daily) // 5


MILLION = Size(games=1_030_000, players=20_000, daily=1500)

PLAYERS = """
INSERT INTO players (id, name, name_key, kind, created_at)
SELECT 'p_' || n, 'Player-' || n, 'player-' || n,
       CASE WHEN n % 20 = 0 THEN 'bot' ELSE 'human' END, 0
FROM generate_series(0, $1::int - 1) n
"""

TOKENS = """
INSERT INTO tokens (id, player_id, digest, label, created_at)
SELECT 't_' || n, 'p_' || n, encode(sha256(convert_to('cr_' || n, 'UTF8')), 'hex'), 'first', 0
FROM generate_series(0, $1::int - 1) n
"""

ROOM_COLUMNS = """id, kind, state, version, ruleset, draw, sealed, seats, visibility, time_limit_s,
start, countdown_s, undo, ranked, title, code, nonce, code_is_known, kicked, created_at,
last_event_at, started_at, created_by, settled"""

RACES = f"""
INSERT INTO rooms ({ROOM_COLUMNS})
SELECT 'r' || n, 'race', 'finished', 9, CASE WHEN v < 0.8 THEN 'CF1' ELSE 'CH1' END,
       CASE WHEN v BETWEEN 0.6 AND 0.8 THEN 1 ELSE 3 END, random() < 0.6, 8, 'public', 1800,
       'host', 5, v < 0.8, random() < 0.9, '', 'CF1-D3-AAAAACL', '', false, '[]', at, at, at,
       'p_1', true
FROM generate_series(1, $1::int) n,
LATERAL (SELECT random() AS v, $2::bigint + (n - n + random() * $3::bigint)::bigint AS at) chance
"""  # noqa: S608 — names of this file

DAILIES = f"""
INSERT INTO rooms ({ROOM_COLUMNS})
SELECT 'd' || n, 'daily', 'finished', 2, 'CF1', 3, true, 1000000, 'public', 1800,
       'at', 0, true, true, '', 'CF1-D3-AAAAACL', '', false, '[]', at, at, at, 'p_1', true
FROM generate_series(0, $1::int - 1) n, LATERAL (SELECT $2::bigint + n * 86400000::bigint AS at) day
"""  # noqa: S608 — names of this file

GAMES = """
INSERT INTO games (id, room_id, player_id, seat, state, joined_at, ply, placed, score, at_ms,
                   rank, started_at, ended_at, counted_on)
SELECT 'g' || row_number() OVER (), room_id, player_id, seat,
       CASE WHEN won THEN 'won' ELSE 'resigned' END, began_at, 60, placed,
       CASE WHEN ruleset = 'CH1' THEN 5 * placed - 52 ELSE 5 * placed END, at_ms,
       rank() OVER (PARTITION BY room_id ORDER BY won DESC, placed DESC, at_ms),
       CASE WHEN kind = 'daily' THEN began_at END, began_at + took_ms,
       date '1970-01-01' + (CASE WHEN kind = 'daily' THEN began_at
                                 ELSE began_at + took_ms END / 86400000)::int
FROM (
    SELECT DISTINCT ON (r.id, player) r.id AS room_id, r.kind, r.ruleset,
           'p_' || player AS player_id, seat, won,
           CASE WHEN won THEN 52 ELSE 1 + (random() * 40)::int END AS placed,
           (random() * 600)::int * 1000 AS at_ms, 60000 + (random() * 1500000)::int AS took_ms,
           r.started_at + CASE WHEN r.kind = 'daily' THEN (random() * 86399000)::bigint ELSE 0 END
               AS began_at
    FROM rooms r
    CROSS JOIN LATERAL generate_series(1, CASE WHEN r.kind = 'daily' THEN $1::int ELSE 5 END) seat
    CROSS JOIN LATERAL (
        SELECT (seat - seat + floor($2::int * power(random(), 1.5)))::int AS player,
               random() < CASE WHEN r.kind = 'daily' THEN 0.6 ELSE 0.2 END AS won
    ) chance
) drawn
"""


async def fill(url: str, size: Size) -> int:
    """Fill a migrated database; gives how many games it has then."""
    connection = await asyncpg.connect(url)
    try:
        first_ms = (TODAY - timedelta(days=DAYS - 1) - date(1970, 1, 1)).days * 86_400_000
        await connection.execute("SELECT setseed(0.4)")
        await connection.execute(PLAYERS, size.players)
        await connection.execute(TOKENS, size.players)
        await connection.execute(RACES, size.races, first_ms, DAYS * 86_400_000 - 1_600_000)
        await connection.execute(DAILIES, DAYS, first_ms)
        await connection.execute(GAMES, size.daily, size.players)
        return int(await connection.fetchval("SELECT count(*) FROM games"))
    finally:
        await connection.close()


async def tidy(url: str) -> None:
    """Do what PostgreSQL does by itself in the hours after so much has been written."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("VACUUM ANALYZE")
    finally:
        await connection.close()
