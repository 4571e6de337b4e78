"""Players, rooms and plays in a real database, and a reader that shares no connection with it."""

import asyncio
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert, text

from server.game import CF1
from server.race.daily import Daily
from server.race.deals import Chance
from server.race.player import Player
from server.race.plays import Outcome, Play
from server.race.proof import Proof
from server.race.room import Room, open_room
from server.race.seat import Seat
from server.race.standings import Entry
from server.store import tables
from server.store.dailies import Dailies
from server.store.database import Database
from server.store.games import Games
from server.store.players import Players, digest
from server.store.room_rows import seat_values
from server.store.rooms import Rooms
from tests.race.builders import ANA, COMPANY, OPENED, a_daily, a_room, after, race, settings_for

CHANCE = Chance()

ON_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
ON_POSTGRESQL = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
"""For tests of what only one kind of database does."""


async def register(database: Database, *players: Player) -> None:
    """Keep players, each with the token `cr_<id>`."""
    for player in players:
        await Players(database).create(
            player, token=f"cr_{player.id}", token_id=f"t_{player.id}", label="first", at=OPENED
        )


async def a_kept_room(
    database: Database, *, players: int = 2, racing: bool = False, **wish: Any
) -> Room:
    """The room of the race tests, kept with its players."""
    await register(database, *COMPANY[:players])
    room = a_room(players=players, **wish)
    if racing:
        race(room)
    return await Rooms(database).create(room)


async def a_kept_daily(database: Database, *, racing: bool = False, **how: Any) -> Daily:
    """The daily of the race tests, planned as the house does it."""
    daily = a_daily(**how)
    proof = Proof(line=("d",), positions=1)
    await Dailies(database).plan(daily, proof, number=0, at=daily.created_at)
    if racing:
        assert await Rooms(database).save(daily, daily.advance(at=daily.opens_at))
    return daily


async def take_in(
    database: Database, daily: Daily, entries: Iterable[Entry], *, ended_at: datetime | None = None
) -> None:
    """Keep players, with the tokens of `register`, who have joined a daily and stand like this.

    All have joined as the day began; those whose game has ended, did so a minute later unless
    `ended_at` says when, and are put away.
    """
    entries = list(entries)
    people, keys, attempts = [], [], []
    for place, entry in enumerate(entries):
        player, seat = entry.player, _seat_of(daily, entry)
        if seat.ended:
            seat.ended_at = ended_at or daily.opens_at + timedelta(minutes=1)
        person = {"id": player.id, "name": player.name, "kind": player.kind}
        people.append(person | {"name_key": player.name.lower(), "created_at": OPENED})
        key = {"id": f"t_{player.id}", "player_id": player.id, "digest": digest(f"cr_{player.id}")}
        keys.append(key | {"label": "first", "created_at": OPENED})
        end = {"ended_at": seat.ended_at, "transcript": "" if seat.ended else None}
        attempts.append(seat_values(daily, seat, place=place) | end)
    async with database.write() as connection:
        await connection.execute(insert(tables.players), people)
        await connection.execute(insert(tables.tokens), keys)
        await connection.execute(insert(tables.games), attempts)


def _seat_of(daily: Daily, entry: Entry) -> Seat:
    seat = daily.admit(entry.player, game_id=f"g{entry.player.id}", at=daily.opens_at)
    seat.state, seat.ply, seat.placed = entry.state, entry.actions, entry.placed
    seat.score, seat.at_ms = entry.score, entry.at_ms
    return seat


def another_room(host: Player = ANA, *, opened_s: float = 0, **wish: Any) -> Room:
    """A room with an id of its own."""
    deal = CHANCE.deal(ruleset=CF1, draw=3, sealed=bool(wish.get("sealed")))
    return open_room(
        CHANCE.identifier(),
        settings_for(**wish),
        deal,
        code_is_known=False,
        host=host,
        game_id=CHANCE.identifier(),
        at=after(opened_s),
    )


def a_play(seat: Seat, ply: int, **fields: Any) -> Play:
    """The play that is action number `ply` of a seat's game."""
    play: dict[str, Any] = {
        "move": "d",
        "elapsed_ms": 1000 * (ply + 1),
        "placed": 1,
        "score": 0,
        "at_ms": 0,
        "state": "racing",
    }
    return Play(game_id=seat.game_id, ply=ply, **play | fields)


class Witness:
    """A settler that remembers every outcome, in order."""

    def __init__(self) -> None:
        self.seen: list[tuple[Play, Outcome]] = []
        self._changed = asyncio.Event()

    def settle(self, play: Play, outcome: Outcome) -> None:
        """Learn what became of a play."""
        self.seen.append((play, outcome))
        self._changed.set()

    async def outcomes(self, count: int) -> list[Outcome]:
        """Wait until so many outcomes are known."""
        async with asyncio.timeout(20):
            while len(self.seen) < count:
                self._changed.clear()
                await self._changed.wait()
        return [outcome for _, outcome in self.seen]


async def rows(database: Database, query: str, **values: object) -> list[tuple[Any, ...]]:
    """Read over a connection of the test's own."""
    async with database.read() as connection:
        return [tuple(row) for row in await connection.execute(text(query), values)]


async def plies_of(database: Database, seat: Seat) -> list[int]:
    """The numbers of a game's actions in the live log."""
    query = "SELECT ply FROM actions WHERE game_id = :id ORDER BY ply"
    return [ply for (ply,) in await rows(database, query, id=seat.game_id)]


async def finish(database: Database, room_id: str) -> Room:
    """Have time run out for whoever still races, and finish the room."""
    rooms, games = Rooms(database), Games(database)
    room = await rooms.load(room_id)
    assert room.ends_at is not None
    await games.end_all(room_id, at=room.ends_at)
    await games.pack_ended(room_id)
    room = await rooms.load(room_id)
    assert await rooms.save(room, room.finish())
    return room


def within(room: Room, elapsed_s: float) -> datetime:
    """The instant so long after the start of a room's race."""
    assert room.started_at is not None
    return room.started_at + timedelta(seconds=elapsed_s)
