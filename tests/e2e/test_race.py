"""The whole road: four SDK players on real sockets, a real database, and a server that dies."""

import asyncio
import hashlib
from pathlib import Path

import pytest
from canfield_race_client import Client, Live, RoomCalls
from canfield_race_client.racers import example_win
from canfield_race_client.shapes import FinishedGame, Standing

from server.game import GameCode
from server.race.plays import Action
from server.race.running import RunningGame
from tests.clients.server_process import ServerProcess
from tests.clients.table import CODE, game_of, seated

SHORTEST_RACE_S = 60
FINISHES_WITHIN_S = SHORTEST_RACE_S + 20


@pytest.mark.timeout(180)
async def test_four_players_race_through_a_crash_and_every_game_replays_to_its_result(
    database_url: str, tmp_path: Path
) -> None:
    server = ServerProcess(tmp_path, database_url)
    await server.start()
    try:
        async with seated(server.url, players=4, time_limit_s=SHORTEST_RACE_S) as rooms:
            await race_to_the_end(server, rooms)
            await check_result(rooms[0])
            await check_replays(server.url, rooms[0])
    finally:
        await server.stop()


async def race_to_the_end(server: ServerProcess, rooms: list[RoomCalls]) -> None:
    async with (
        rooms[0].live() as winner,
        rooms[1].live() as quitter,
        rooms[2].live() as tied,
        rooms[3].live() as tied_too,
    ):
        await rooms[0].start()
        for race in (winner, quitter, tied, tied_too):
            await game_of(race)
        await quitter.move("12")
        await quitter.move("rf")
        for race in (tied, tied_too):
            await race.move("d")
        await win_through_a_crash(server, winner)
        await quitter.move("24x2")
        await quitter.resign()
        for race in (tied, tied_too):
            await race.move("d")
        async with asyncio.timeout(FINISHES_WITHIN_S):
            await tied.until(lambda: tied.is_over)


async def win_through_a_crash(server: ServerProcess, winner: Live) -> None:
    """Play the winning line, half of it before the server is killed, some while it is away."""
    line = example_win()
    half = len(line) // 2
    for move in line[:half]:
        await winner.move(move)
    on_their_way = [winner.send_move(move) for move in line[half : half + 5]]
    await server.kill()
    on_their_way += [winner.send_move(move) for move in line[half + 5 : half + 10]]
    await server.start()
    assert [(await ack).move for ack in on_their_way] == line[half : half + 10]
    for move in line[half + 10 :]:
        ack = await winner.move(move)
    assert (ack.state, ack.placed, ack.score, ack.ply) == ("won", 52, 255, len(line) - 1)


async def check_result(room: RoomCalls) -> None:
    finished = await room.get()
    assert finished.state == "finished"
    assert finished.code == CODE
    committed = hashlib.sha256(f"{finished.code}:{finished.nonce}".encode()).hexdigest()
    assert committed == finished.commitment
    won, resigned, *tied = finished.standings
    assert (won.state, won.rank, won.placed, won.score, won.actions) == ("won", 1, 52, 255, 160)
    assert (resigned.state, resigned.rank, resigned.placed) == ("resigned", 2, 2)
    assert [(one.state, one.rank, one.placed, one.actions) for one in tied] == [
        ("out_of_time", 3, 1, 2),
        ("out_of_time", 3, 1, 2),
    ]


async def check_replays(url: str, room: RoomCalls) -> None:
    games = (await room.games()).items
    assert len(games) == 4
    async with Client(url) as anyone:
        for summary in games:
            game = await anyone.replay(summary.id)
            assert game.result is not None
            assert replayed(game) == essence(game.result)


def replayed(game: FinishedGame) -> tuple[int, int, int, int]:
    """Give what a game's code and moves come to: placed, score, actions and at_ms."""
    assert game.code is not None
    running = RunningGame(GameCode.parse(game.code), undo=True)
    actions = zip(game.moves, game.times_ms, strict=True)
    running.follow(Action(move=move, elapsed_ms=elapsed_ms) for move, elapsed_ms in actions)
    return (running.board.placed, running.board.score, running.ply, running.at_ms)


def essence(result: Standing) -> tuple[int, int, int, int]:
    return (result.placed, result.score, result.actions, result.at_ms)
