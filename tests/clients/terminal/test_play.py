from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator

import pytest
from canfield_race_client import RoomCalls
from canfield_race_client.racers import example_win
from canfield_race_client.terminal.output import Output
from canfield_race_client.terminal.play import Play
from canfield_race_client.terminal.screen import Screen

from tests.clients.server_process import ServerProcess
from tests.clients.table import game_of, seated


async def typed(*lines: str) -> AsyncIterator[str]:
    for line in lines:
        yield line


async def play(room: RoomCalls, *lines: str) -> str:
    """What a player reads who types these lines into a pipe."""
    output = io.StringIO()
    console = Output(file=output, width=100)
    async with room.live() as race:
        await Play(race, room, Screen(console), typed(*lines)).run()
    return output.getvalue()


async def test_a_whole_game_can_be_typed_in_one_go(server_url: str) -> None:
    async with seated(server_url, players=1) as [room]:
        line = example_win()
        chunks = [" ".join(line[at : at + 40]) for at in range(0, len(line), 40)]
        read = await play(room, "start", *chunks)
        assert "you have won!" in read
        assert (await room.get()).standings[0].score == 255


async def test_a_refused_move_is_told_with_its_reason_and_play_goes_on(server_url: str) -> None:
    async with seated(server_url, players=1) as [room]:
        read = await play(room, "start", "13 d", "sideways", "d", "h")
        assert "13: T1" in read
        assert "sideways: " in read
        assert "played: d" in read
        assert "draw, or turn the waste over" in read


async def test_at_the_end_of_the_input_the_game_goes_on(server_url: str) -> None:
    async with seated(server_url, players=1) as [room]:
        read = await play(room, "start", "d")
        assert f"the game goes on: `canfield play {room.id}`" in read
        assert (await room.game()).state == "racing"
        assert "reserve JD" in await play(room, "q", "", "q", "r")
        assert (await room.get()).state == "finished"


async def test_leaving_before_the_start_gives_the_seat_back(server_url: str) -> None:
    async with seated(server_url, players=2) as [_, room]:
        await play(room, "ready", "q")
        assert (await room.get()).player_count == 1


async def test_what_the_server_refuses_is_told_and_play_goes_on(server_url: str) -> None:
    async with seated(server_url, players=2) as [_, room]:
        read = await play(room, "start", "q")
        assert "host" in read


@pytest.mark.parametrize(
    ("before", "after"),
    [(["d"], ["d"]), (["d"], ["d", "q"]), (["d"], ["?"]), (["q"], ["r"])],
    ids=["end of input", "q", "end of input after ?", "r when asked"],
)
async def test_who_sits_at_a_terminal_can_leave_at_once_though_the_server_is_away(
    mortal_server: ServerProcess, before: list[str], after: list[str]
) -> None:
    async def lines() -> AsyncIterator[str]:
        for line in before:
            yield line
        await mortal_server.kill()
        for line in after:
            yield line

    output = io.StringIO()
    async with seated(mortal_server.url, players=1) as [room], room.live() as race:
        await room.start()
        await game_of(race)
        screen = Screen(Output(file=output, force_terminal=True, width=80))
        async with asyncio.timeout(10):
            await Play(race, room, screen, lines()).run()
    told = f"the server is away; your game goes on: `canfield play {room.id}` takes it up again\n"
    assert output.getvalue().endswith(told)


async def test_moves_made_while_the_server_is_away_are_played_when_it_is_back(
    mortal_server: ServerProcess,
) -> None:
    async with seated(mortal_server.url, players=1) as [room], room.live() as race:
        await room.start()
        await game_of(race)

        async def lines() -> AsyncIterator[str]:
            await mortal_server.kill()
            yield "d d"
            yield "?"
            await mortal_server.start()
            await race.until(lambda: race.game is not None and race.game.ply == 2)

        output = io.StringIO()
        await Play(race, room, Screen(Output(file=output, force_terminal=True)), lines()).run()
    assert output.getvalue().count("the server is away: moves wait until it is back") == 2
    assert f"the game goes on: `canfield play {room.id}`" in output.getvalue()
