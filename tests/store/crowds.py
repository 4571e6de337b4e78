"""A daily with any number of players, by rows: joining one by one would take too long."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date, timedelta
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, event, insert

from server.game import GameCode
from server.race.daily import Daily, open_daily, start_of
from server.race.deals import Deal
from server.race.player import Player
from server.race.plays import Action
from server.race.replays import Curve, trace
from server.race.running import RunningGame
from server.race.standings import Entry, Standing, rank
from server.race.states import PlayerState
from server.store import curves, transcripts
from server.store.database import Database
from server.store.players import digest
from server.store.room_rows import new_values
from server.store.tables import HOUSE, actions, games, players, rooms, tokens
from tests.game.builders import vectors
from tests.race.builders import NONCE, OPEN_CODE

TODAY = date(2026, 11, 29)
MIDNIGHT = start_of(TODAY)
CODE = GameCode.parse(OPEN_CODE)
WIN: list[str] = vectors("example_win.json")


class Attempt(msgspec.Struct, frozen=True):
    """A player's game as it was played, and how it stands."""

    game_id: str
    player: Player
    began_s: int
    actions: list[Action]
    entry: Entry

    @property
    def ended(self) -> bool:
        return self.entry.state != "racing"

    @property
    def curve(self) -> Curve:
        """The progress that playing the game again gives."""
        return Curve(self.player, trace(CODE, self.actions))


class Crowd(msgspec.Struct, frozen=True):
    """A daily that is kept, with all attempts at it, in the order of the standings."""

    room: Daily
    attempts: list[Attempt]
    ranks: dict[str, int]

    def result(self, attempt: Attempt) -> Standing:
        fields = msgspec.structs.asdict(attempt.entry)
        return Standing(**fields, rank=self.ranks[attempt.player.id])


def an_attempt(number: int, *, ended: bool) -> Attempt:
    """Player number so and so's game: more or less of one winning line, faster or slower.

    Every sixtieth plays the same, so that there are ties.
    """
    moves = WIN[: len(WIN) - number % 60]
    pace_ms = 1000 + number % 60 // 2
    player = Player(id=f"p_{number:06}", name=f"Player{number}", kind="human")
    log = [Action(move, pace_ms * n) for n, move in enumerate(moves, start=1)]
    game = RunningGame(CODE, undo=True)
    game.follow(log)
    unwon: PlayerState = "resigned" if ended else "racing"
    state: PlayerState = "won" if len(moves) == len(WIN) else unwon
    entry = Entry(player, state, game.board.placed, game.board.score, game.ply, game.at_ms)
    return Attempt(f"g_{number:06}", player, began_s=number % 3600, actions=log, entry=entry)


async def a_crowd(database: Database, *, count: int, finished: bool) -> Crowd:
    """Keep a daily with so many attempts; while it races, every second one is under way.

    Each player has the token `cr_<id>`.
    """
    room = open_daily("r_daily", Deal(CODE, NONCE), day=TODAY, at=MIDNIGHT - timedelta(days=1))
    room.entrants = count
    room.advance(at=MIDNIGHT)
    attempts = [an_attempt(number, ended=finished or number % 2 == 0) for number in range(count)]
    standings = rank(attempt.entry for attempt in attempts)
    if finished:
        room.finish()
    place = {standing.player.id: n for n, standing in enumerate(standings)}
    attempts.sort(key=lambda attempt: place[attempt.player.id])
    crowd = Crowd(room, attempts, {standing.player.id: standing.rank for standing in standings})
    await _keep(database, crowd)
    return crowd


async def _keep(database: Database, crowd: Crowd) -> None:
    house = Player(id=HOUSE, name="", kind="bot")
    known = [house, *(attempt.player for attempt in crowd.attempts)]
    people = [_player_row(player) for player in known]
    keys = [_token_row(player) for player in known]
    plays = [_game_row(crowd, attempt) for attempt in crowd.attempts]
    live = [row for attempt in crowd.attempts if not attempt.ended for row in _log(attempt)]
    async with database.write() as connection:
        await connection.execute(insert(players), people)
        await connection.execute(insert(tokens), keys)
        await connection.execute(insert(rooms), new_values(crowd.room, idempotency_key=None))
        await connection.execute(insert(games), plays)
        if live:
            await connection.execute(insert(actions), live)


def _player_row(player: Player) -> dict[str, Any]:
    row = {"id": player.id, "name": player.name, "kind": player.kind, "created_at": MIDNIGHT}
    return row | {"name_key": player.name.lower() or None}


def _token_row(player: Player) -> dict[str, Any]:
    row = {"id": f"t_{player.id}", "player_id": player.id, "label": "", "created_at": MIDNIGHT}
    return row | {"digest": digest(f"cr_{player.id}")}


def _game_row(crowd: Crowd, attempt: Attempt) -> dict[str, Any]:
    entry, began_at = attempt.entry, MIDNIGHT + timedelta(seconds=attempt.began_s)
    last_ms = attempt.actions[-1].elapsed_ms
    finished = crowd.room.state == "finished"
    return {
        "id": attempt.game_id,
        "room_id": crowd.room.id,
        "player_id": attempt.player.id,
        "seat": attempt.began_s,
        "state": entry.state,
        "joined_at": began_at,
        "ply": entry.actions,
        "placed": entry.placed,
        "score": entry.score,
        "at_ms": entry.at_ms,
        "started_at": began_at,
        "ends_at": began_at + timedelta(seconds=crowd.room.settings.time_limit_s),
        "ended_at": began_at + timedelta(milliseconds=last_ms) if attempt.ended else None,
        "rank": crowd.ranks[attempt.player.id] if finished else None,
        "transcript": transcripts.pack(attempt.actions) if attempt.ended else None,
        "curve": curves.pack(attempt.curve.points) if attempt.ended else None,
    }


def _log(attempt: Attempt) -> list[dict[str, Any]]:
    game, logged = RunningGame(CODE, undo=True), []
    for ply, action in enumerate(attempt.actions):
        game.follow([action])
        row = {"game_id": attempt.game_id, "ply": ply, "placed": game.board.placed}
        logged.append(row | {"move": action.move, "elapsed_ms": action.elapsed_ms})
    return logged


@asynccontextmanager
async def asked(database: Database) -> AsyncIterator[list[str]]:
    """Note what the database is asked until the block ends, but for beginnings."""
    statements: list[str] = []

    def note(connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        if connection.engine.url == database.url and not statement.startswith("BEGIN"):
            statements.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(Engine, "before_cursor_execute", note)
