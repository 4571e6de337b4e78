"""Finished rooms as they lie in the database, made up for tests of what is counted from them."""

import random
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import insert, update

from server.race.daily import start_of
from server.race.player import Kind, Player
from server.store.database import Database
from server.store.tables import games, players, rooms

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
"""A Sunday, the last of its ISO week."""


def somebody(number: int, kind: Kind = "human") -> Player:
    return Player(id=f"p_{number:04}", name=f"{kind.title()}-{number}", kind=kind)


class Result(NamedTuple):
    """How one player's game went; times count from the start of the player's own clock."""

    player: Player
    won: bool = False
    placed: int = 10
    score: int = 0
    took_s: float = 300
    rank: int = 1
    joined_s: float = 0  # of a daily's game: how long after the day's beginning its clock began


class Finished(NamedTuple):
    """A finished room."""

    id: str
    results: Sequence[Result]
    started_at: datetime = NOON
    kind: str = "race"
    ruleset: str = "CF1"
    draw: int = 3
    sealed: bool = True
    ranked: bool = True

    @property
    def room_row(self) -> dict[str, Any]:
        """The row of the room."""
        daily = self.kind == "daily"
        return {
            "id": self.id,
            "kind": self.kind,
            "state": "finished",
            "version": 4,
            "ruleset": self.ruleset,
            "draw": self.draw,
            "sealed": self.sealed,
            "seats": 100,
            "visibility": "public",
            "time_limit_s": 1800,
            "start": "at" if daily else "host",
            "start_at": self.started_at if daily else None,
            "countdown_s": 0,
            "undo": self.ruleset == "CF1",
            "ranked": self.ranked,
            "title": "",
            "code": "CF1-D3-AAAAACL",
            "nonce": "0" * 32,
            "code_is_known": False,
            "host_id": None if daily else self.results[0].player.id,
            "kicked": [],
            "created_at": self.started_at,
            "last_event_at": self.started_at,
            "started_at": self.started_at,
            "created_by": self.results[0].player.id,
        }

    @property
    def game_rows(self) -> list[dict[str, Any]]:
        """The rows of the games."""
        return [
            self._game_row(seat, result) | self._own_clock(result)
            for seat, result in enumerate(self.results)
        ]

    def _own_clock(self, result: Result) -> dict[str, Any]:
        took = timedelta(seconds=result.took_s)
        if self.kind != "daily":
            return {"started_at": None, "ended_at": self.started_at + took}
        began_at = self.started_at + timedelta(seconds=result.joined_s)
        return {"started_at": began_at, "ended_at": began_at + took}

    def _game_row(self, seat: int, result: Result) -> dict[str, Any]:
        return {
            "id": f"{self.id}_{seat:04}",
            "room_id": self.id,
            "player_id": result.player.id,
            "seat": seat,
            "state": "won" if result.won else "resigned",
            "joined_at": self.started_at,
            "ply": 50,
            "placed": 52 if result.won else result.placed,
            "score": result.score,
            "at_ms": 1000,
            "rank": result.rank,
        }


def a_daily(day: date, *results: Result, id: str | None = None) -> Finished:
    """The finished daily of a day."""
    return Finished(id or f"d_{day:%Y%m%d}", results, started_at=start_of(day), kind="daily")


async def keep(database: Database, *finished: Finished) -> None:
    """Keep finished rooms with everyone in them, nothing counted yet."""
    async with database.write() as connection:
        known = set((await connection.execute(players.select())).scalars())
        new = {one.player.id: one.player for room in finished for one in room.results}
        for player in new.values():
            if player.id not in known:
                row = {"id": player.id, "name": player.name, "name_key": player.id}
                new_player = insert(players).values(**row, kind=player.kind, created_at=NOON)
                await connection.execute(new_player)
        await connection.execute(insert(rooms), [room.room_row for room in finished])
        rows = [row for room in finished for row in room.game_rows]
        await connection.execute(insert(games), rows)


async def forget(database: Database, player: Player) -> None:
    """Have a player leave for good."""
    async with database.write() as connection:
        gone = {"name": "", "name_key": None, "left_at": NOON}
        await connection.execute(update(players).where(players.c.id == player.id).values(gone))


VARIANTS = [("CF1", 3), ("CF1", 3), ("CF1", 1), ("CH1", 3)]


def at_random(
    seed: int, *, rooms: int = 90, dailies: int = 12, people: int = 14, bots: int = 5
) -> list[Finished]:
    """Finished rooms and dailies around the turn of a year, with many equal results."""
    chance = random.Random(seed)
    everyone = [somebody(number) for number in range(people)]
    everyone += [somebody(people + number, "bot") for number in range(bots)]
    first = datetime(2026, 12, 24, tzinfo=UTC)
    finished = []
    for number in range(rooms):
        ruleset, draw = chance.choice(VARIANTS)
        finished.append(
            Finished(
                f"r_{number:04}",
                _results(chance, chance.sample(everyone, chance.randint(1, 6)), ruleset),
                started_at=first + timedelta(seconds=chance.randrange(14 * 86_400)),
                ruleset=ruleset,
                draw=draw,
                sealed=chance.random() < 0.6,
                ranked=chance.random() < 0.8,
            )
        )
    for number in range(dailies):
        day = (first + timedelta(days=number)).date()
        field = chance.sample(everyone, chance.randint(1, len(everyone)))
        finished.append(a_daily(day, *_results(chance, field, "CF1")))
    chance.shuffle(finished)
    return finished


def _results(chance: random.Random, field: list[Player], ruleset: str) -> list[Result]:
    return [
        Result(
            player,
            won=chance.random() < 0.4,
            placed=chance.randint(1, 4),
            score=chance.randint(-2, 2) if ruleset == "CH1" else 0,
            took_s=chance.randint(100, 103),
            rank=chance.randint(1, 3),
            joined_s=chance.choice([0, 3600, 86_399]),
        )
        for player in field
    ]
