"""A whole daily on PostgreSQL: ten players of the SDK, ties, a cheat, and what is left of it."""

import asyncio
import hashlib
import json
import random
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from canfield_race_client import Client, Live, RoomCalls
from canfield_race_client.bot import Bot
from canfield_race_client.errors import (
    CanfieldError,
    Forbidden,
    NoGame,
    NotAPlayer,
    NotFound,
    NotRacing,
    Unauthorized,
    WrongState,
)
from canfield_race_client.exported import Flaw
from canfield_race_client.ghosts import Ghosts
from canfield_race_client.racers import race_bot, race_line
from canfield_race_client.shapes import Player, Standing
from canfield_race_client.verify import verify_export

from server.clock import ManualClock
from server.game import Board, GameCode
from server.race.daily import DAY, LATECOMERS, start_of
from server.store.database import Database
from tests.e2e.wiretap import Wiretap, wiretapped
from tests.live.builders import WIN
from tests.live.days import go_to, plan
from tests.race.builders import NONCE, OPEN_CODE, TODAY
from tests.running import running_server
from tests.store.builders import ON_POSTGRESQL, rows

NEXT = TODAY + DAY
MIDNIGHT = start_of(NEXT)
JOINED = MIDNIGHT - timedelta(minutes=20)
PATIENCE_S = 60

UNLIMITED: dict[str, Any] = {
    "calls_per_minute": 10**6,
    "players_per_hour": 10**6,
    "frames_per_s": 10**5,
    "frames_burst": 10**5,
}

WINNERS = ("Ana", "Bo", "Cy")  # the first two at the same time
QUITTERS = ("Di", "Eva")
LEAVER, IDLERS = "Fay", ("Gus", "Hal")
CHEAT = "Zoe"
BOT = "Robot"
NAMES = (*WINNERS, *QUITTERS, LEAVER, *IDLERS, CHEAT, BOT)

RESULT = [
    (1, "Ana", "won", 52, 60_000, len(WIN)),
    (1, "Bo", "won", 52, 60_000, len(WIN)),
    (3, "Cy", "won", 52, 90_000, len(WIN)),
    (4, BOT, "resigned", 3, 10_000, None),
    (5, "Di", "resigned", 2, 10_000, 2),
    (5, "Eva", "resigned", 2, 10_000, 2),
    (7, "", "resigned", 2, 10_000, 3),
    (8, "Gus", "out_of_time", 1, 0, 1),
    (8, "Hal", "out_of_time", 1, 0, 1),
    (10, CHEAT, "out_of_time", 1, 0, 3),
]
"""Rank, name, state, placed, `at_ms` and actions; how much a bot does is its own affair.

Equal ones stand in the order of their names here, which is not the server's.
"""

PLAYED = {
    "Ana": WIN,
    "Bo": WIN,
    "Cy": WIN,
    "Di": WIN[:2],
    "Eva": WIN[:2],
    "Fay": WIN[:3],
    "Gus": ["d"],
    "Hal": ["d"],
    "Zoe": ["d", "d", "d"],
}
"""The moves of all but the bot."""

FRAMES = {"welcome", "standings", "renamed", "pong"}
"""What those who only watch hear before the end."""


@dataclass
class Racer:
    """Somebody with the SDK, and all that the server has ever sent to them."""

    client: Client
    player: Player
    tap: Wiretap
    room: RoomCalls
    live: Live | None = None

    @property
    def race(self) -> Live:
        assert self.live is not None
        return self.live

    async def enter(self, stack: AsyncExitStack) -> None:
        """Join the daily of today and open its socket."""
        self.room = await self.client.join_daily()
        self.live = await stack.enter_async_context(self.room.live())
        await self.live.until(lambda: self.race.game is not None)


@asynccontextmanager
async def a_racer(url: str, name: str, room_id: str) -> AsyncIterator[Racer]:
    """A new player with a way to the server of their own."""
    async with wiretapped(url) as tap:
        kind = "bot" if name == BOT else "human"
        who = await Client.register(tap.url, name, kind=kind)
        async with Client(tap.url, who.token) as client:
            yield Racer(client, who.player, tap, client.room(room_id))


@ON_POSTGRESQL
@pytest.mark.timeout(180)
async def test_ten_players_play_a_daily_and_everyone_can_check_what_came_of_it(
    database_url: str, database: Database
) -> None:
    today, _ = await plan(database, TODAY, NEXT)
    clock = ManualClock(JOINED)
    async with (
        running_server(database_url, clock=clock, **UNLIMITED) as url,
        wiretapped(url) as nobodys,
        Client(nobodys.url) as nobody,
        AsyncExitStack() as stack,
    ):
        everyone = [await stack.enter_async_context(a_racer(url, n, today.id)) for n in NAMES]
        racers = {racer.player.name: racer for racer in everyone}
        stranger = await stack.enter_async_context(a_racer(url, "Stranger", today.id))
        onlooker = await stack.enter_async_context(nobody.room(today.id).live())
        stranger.live = await stack.enter_async_context(stranger.room.live())
        sealed = await nobody.daily()
        assert (sealed.state, sealed.code, sealed.nonce) == ("racing", None, None)

        await play_until_midnight(racers, clock, stack)
        await all_of(until_nameless(onlooker), until_nameless(racers["Ana"].race))
        await peek(database, racers, stranger, nobody)
        await try_again(racers, clock)
        go_to(clock, JOINED + timedelta(minutes=30, seconds=1))
        await all_of(*(until_out_of_time(racers[name]) for name in IDLERS))
        await peek(database, racers, stranger, nobody)
        check_nothing_was_told([*everyone, stranger], nobodys)

        go_to(clock, MIDNIGHT + timedelta(minutes=30) + LATECOMERS)
        async with asyncio.timeout(PATIENCE_S):
            for race in (onlooker, stranger.race, racers[CHEAT].race, racers["Ana"].race):
                await until_over(race)

        check_standings(onlooker.standings)
        await check_day(nobody, sealed.commitment)
        await check_curves(nobody.room(today.id))
        await check_boards(nobody, racers)
        lines = [line async for line in nobody.room(today.id).export()]
        check_export(lines)
        check_forgeries(lines)
        await check_by_command(lines)


async def all_of(*work: Any) -> None:
    """Have everything done at the same time, in bounded time."""
    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as group:
        for one in work:
            group.create_task(one)


async def play_until_midnight(
    racers: dict[str, Racer], clock: ManualClock, stack: AsyncExitStack
) -> None:
    """Have everyone join and play; the clock stands while they do, so that some do equally well."""
    first = [racer for name, racer in racers.items() if name != CHEAT]
    await all_of(*(racer.enter(stack) for racer in first))
    clock.advance(seconds=10)
    await all_of(
        *(race_line(racers[name].race, WIN[:2], **at_once) for name in QUITTERS),
        *(race_line(racers[name].race, ["d"], **at_once) for name in IDLERS),
        race_line(racers[LEAVER].race, WIN[:3], **at_once),
        play_as_bot(racers[BOT].race),
    )
    clock.advance(seconds=50)
    await all_of(race_line(racers["Ana"].race, WIN, **at_once), win_by_calls(racers["Bo"]))
    clock.advance(seconds=30)
    await all_of(win_by_calls(racers["Cy"]))
    clock.advance(seconds=30)
    await all_of(
        *(racers[name].race.resign() for name in QUITTERS), racers[LEAVER].client.delete_me()
    )
    go_to(clock, MIDNIGHT - timedelta(milliseconds=1))
    await all_of(racers[CHEAT].enter(stack))
    await all_of(race_line(racers[CHEAT].race, ["d", "d"], **at_once))


at_once: dict[str, Any] = {"moves_per_s": 10**6, "sleep": asyncio.sleep}


async def play_as_bot(race: Live) -> None:
    """Let the bot of the SDK play until it has placed three cards."""
    bot = Bot(random.Random(7))
    await race_bot(race, bot, **at_once, until=lambda: bool(race.game and race.game.placed >= 3))


async def win_by_calls(racer: Racer) -> None:
    """Win without the socket, which hears of it all the same."""
    for ply in range(0, len(WIN), 100):
        played = await racer.room.moves(ply, WIN[ply : ply + 100])
        assert played.reject is None
    await racer.race.until(lambda: racer.race.game is not None and racer.race.game.state == "won")


async def until_out_of_time(racer: Racer) -> None:
    await racer.race.until(lambda: not racer.race.is_racing)
    assert racer.race.game is not None
    assert racer.race.game.state == "out_of_time"


async def until_nameless(race: Live) -> None:
    """Wait until somebody's name is not shown any more: it has been taken along."""
    await race.until(lambda: "" in {one.player.name for one in race.standings})


async def until_over(race: Live) -> None:
    await race.until(lambda: race.is_over)


async def peek(
    database: Database, racers: dict[str, Racer], stranger: Racer, nobody: Client
) -> None:
    """Ask for everything that could tell of others' games before the day is over."""
    games = [game for (game,) in await rows(database, "SELECT id FROM games")]
    assert len(games) == len(NAMES)
    for client in (racers[CHEAT].client, stranger.client, nobody):
        room = client.room(racers[CHEAT].room.id)
        await all_of(*(refused(Forbidden, client.replay(game)) for game in games))
        await refused(WrongState, room.games())
        await refused(WrongState, anext(room.export()))
        shown = [await client.daily(TODAY), await room.get()]
        assert {(one.code, one.nonce) for one in shown} == {(None, None)}
        assert shown[0].winning_line is None  # type: ignore[attr-defined]
        await room.curves()
        await room.standings()
        await client.profile(racers["Bo"].player.id)
    await refused(NotAPlayer, stranger.room.game())
    await refused(NotAPlayer, stranger.room.moves(0, ["d"]))
    await refused(Unauthorized, nobody.room(stranger.room.id).game())
    assert stranger.race.game is None
    with pytest.raises(NoGame):
        stranger.race.send_move("d")


async def refused(error: type[CanfieldError], call: Any) -> None:
    with pytest.raises(error):
        await call


async def try_again(racers: dict[str, Racer], clock: ManualClock) -> None:
    """Try for a second attempt, before and after the day is over; there is none."""
    cheat, quitter = racers[CHEAT], racers["Di"]
    before = await cheat.room.game()
    await cheat.client.join_daily()
    clock.advance(ms=1)  # it is midnight
    for again in (cheat, quitter):
        await again.room.join()
    assert (await cheat.room.game()).started_at == before.started_at
    assert (await quitter.room.game()).state == "resigned"
    played = await quitter.room.moves(2, ["24x2"])
    assert played.reject is not None
    assert played.reject.code == "not_racing"
    await refused(NotRacing, quitter.race.move("24x2"))
    late = await cheat.race.move("d")
    assert (late.ply, late.elapsed_ms, late.state) == (2, 1, "racing")
    assert (await cheat.room.get()).player_count == len(NAMES)


def check_nothing_was_told(everyone: list[Racer], nobodys: Wiretap) -> None:
    """Look through every byte that was sent to anybody before the end."""
    for tap in (nobodys, *(racer.tap for racer in everyone)):
        assert OPEN_CODE.rpartition("-")[2] not in tap.text
        assert NONCE not in tap.text
    assert nobodys.frames == FRAMES
    assert (nobodys.cards, nobodys.moves) == (set(), set())
    for racer in everyone:
        name = racer.player.name
        if name == BOT:
            continue
        own = PLAYED.get(name, [])
        assert racer.tap.moves == set(own), name
        assert racer.tap.cards == (cards_shown_by(own) if own else set()), name


def cards_shown_by(moves: list[str]) -> set[str]:
    """The cards that a player sees who plays so."""
    board = Board.deal(GameCode.parse(OPEN_CODE))
    shown = shown_on(board)
    for move in moves:
        board.play(Board.parse_move(move))
        shown |= shown_on(board)
    return shown


def shown_on(board: Board) -> set[str]:
    """What lies open; the first card of the foundations is told by its rank only."""
    reserve = [board.reserve_top] if board.reserve_top else []
    return {card for pile in (*board.columns, board.waste, reserve) for card in pile}


def check_standings(standings: list[Standing]) -> None:
    best_first = sorted(standings, key=lambda one: (one.rank, one.player.name))
    for standing, expected in zip(best_first, RESULT, strict=True):
        rank, name, state, placed, at_ms, actions = expected
        assert (standing.rank, standing.player.name, standing.state) == (rank, name, state)
        assert (standing.placed, standing.at_ms) == (placed, at_ms)
        assert actions in (standing.actions, None)


async def check_day(nobody: Client, commitment: str | None) -> None:
    """The day's page keeps what was promised before, and the line on it wins."""
    day = await nobody.daily(TODAY)
    assert (day.state, day.code, day.nonce) == ("finished", OPEN_CODE, NONCE)
    assert day.finished_at == MIDNIGHT + timedelta(minutes=30) - timedelta(milliseconds=1)
    assert hashlib.sha256(f"{day.code}:{day.nonce}".encode()).hexdigest() == commitment
    check_standings(day.standings)
    board = Board.deal(GameCode.parse(str(day.code)))
    for move in day.winning_line or []:
        board.play(Board.parse_move(move))
    assert board.is_won
    tomorrow = await nobody.daily()
    assert (tomorrow.date, tomorrow.state, tomorrow.code) == (NEXT, "racing", None)


async def check_curves(room: RoomCalls) -> None:
    """Ghosts stand where their players stood at the same time on their own clocks."""
    curves = await room.curves()
    assert len(curves) == len(NAMES)
    assert {curve.player.name: curve.points for curve in curves}["Di"] == [(0, 1), (10_000, 2)]
    ghosts = Ghosts(curves)
    for elapsed_ms, places in (
        (9_999, dict.fromkeys((name for _, name, *_ in RESULT), (1, 1))),
        (60_000, {"Ana": (1, 52), "Bo": (1, 52), BOT: (3, 3), "Di": (4, 2), "Eva": (4, 2)}),
        (90_000, {name: (rank, placed) for rank, name, _, placed, *_ in RESULT[:6]}),
    ):
        stood = {g.player.name: (g.rank, g.placed) for g in ghosts.at(elapsed_ms)}
        assert stood.items() >= places.items()


async def check_boards(nobody: Client, racers: dict[str, Racer]) -> None:
    """The leaderboards and profiles show the day, a little later."""
    async with asyncio.timeout(PATIENCE_S):
        while not await board(nobody, "rating"):  # noqa: ASYNC110 — it is in another process
            await asyncio.sleep(0.2)
    assert await board(nobody, "wins") == {(1, name, 1) for name in WINNERS}
    assert await board(nobody, "streak") == {(1, name, 1) for name in WINNERS}
    fastest = {(1, "Ana", 60_000), (1, "Bo", 60_000), (3, "Cy", 90_000)}
    assert await board(nobody, "fastest") == fastest
    humans = [entry for entry in RESULT if entry[1] != BOT]
    ranks = {52: 1, 2: 4, 1: 7}
    placed = {(ranks[placed], name, placed) for _, name, _, placed, *_ in humans}
    assert await board(nobody, "placed") == placed
    assert await board(nobody, "placed", kind="bot") == {(1, BOT, 3)}
    rated = {(name, rank) for rank, name, _ in await board(nobody, "rating")}
    names = [name for _, name, *_ in humans]
    assert rated == set(zip(names, (1, 1, 3, 4, 4, 6, 7, 7, 9), strict=True))
    for name, streak in (("Ana", 1), ("Cy", 1), ("Di", 0), (BOT, 0)):
        profile = await nobody.profile(racers[name].player.id)
        assert (profile.games, profile.wins, profile.streak) == (1, streak, streak)
    await refused(NotFound, nobody.profile(racers[LEAVER].player.id))


async def board(nobody: Client, name: str, *, kind: str = "human") -> set[tuple[int, str, float]]:
    """The day's board: rank, name and value of everyone on it."""
    page = await nobody.leaderboard(name, period="day", at=TODAY, kind=kind)
    return {(item.rank, item.player.name, item.value) for item in page.items}


def check_export(lines: list[bytes]) -> None:
    report = verify_export(lines)
    assert (report.games, report.ranks_checked, report.code) == (len(NAMES), True, OPEN_CODE)
    games = [json.loads(line) for line in lines]
    assert [game["result"]["rank"] for game in games] == [rank for rank, *_ in RESULT]
    assert {game["player"]["name"] for game in games} == {name for _, name, *_ in RESULT}


def forge(lines: list[bytes], number: int, change: Callable[[Any], None]) -> list[bytes]:
    """The lines with one of them changed."""
    game = json.loads(lines[number - 1])
    change(game)
    return [*lines[: number - 1], json.dumps(game).encode(), *lines[number:]]


FORGERIES: dict[str, tuple[int, Callable[[Any], None], str]] = {
    "a move": (10, lambda game: game["moves"].__setitem__(1, "rf"), "move"),
    "a move less": (10, lambda game: game["moves"].pop(), "time"),
    "a time out of order": (1, lambda game: game["times_ms"].__setitem__(3, 59_999), "time"),
    "the nonce": (1, lambda game: game.update(nonce=NONCE[::-1]), "commitment"),
    "one nonce": (4, lambda game: game.update(nonce=NONCE[::-1]), "other_room"),
    "a rank": (2, lambda game: game["result"].update(rank=2), "rank"),
    "a score": (5, lambda game: game["result"].update(score=6), "result"),
}
"""What is changed: in which line, how, and what the check calls it."""


def check_forgeries(lines: list[bytes]) -> None:
    for what, (number, change, code) in FORGERIES.items():
        with pytest.raises(Flaw) as found:
            verify_export(forge(lines, number, change))
        assert (found.value.code, found.value.place.line) == (code, number), what
    with pytest.raises(Flaw) as found:
        verify_export([*lines[:6], *lines[7:]])
    assert found.value.code == "missing"


async def check_by_command(lines: list[bytes]) -> None:
    """The command says the same, and names what is wrong."""
    whole = b"\n".join(lines)
    code, told, _ = await canfield_verify(whole)
    assert (code, told.split(": ")[1]) == (0, "everything holds, ranks included")
    code, _, complaint = await canfield_verify(whole.replace(b'"rank":8', b'"rank":7'))
    assert (code, "rank 7 is claimed, the results give 8" in complaint) == (1, True)


async def canfield_verify(export: bytes) -> tuple[int | None, str, str]:
    """Run `canfield verify` as a program; gives its exit code and what it writes."""
    process = await asyncio.create_subprocess_exec(
        *(Path(sys.executable).with_name("canfield"), "verify", "-"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    told, complaint = await process.communicate(export)
    return process.returncode, told.decode().strip(), complaint.decode()
