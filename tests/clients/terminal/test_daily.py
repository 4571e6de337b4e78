from __future__ import annotations

import asyncio
import contextlib
import io
import random
import time
from collections.abc import AsyncIterator

import pytest
from canfield_race_client import Client, RoomCalls
from canfield_race_client.errors import NotInADaily
from canfield_race_client.terminal.bots import bot_names, registered_bots
from canfield_race_client.terminal.daily import play_daily, show_day
from canfield_race_client.terminal.output import Output

from tests.clients.table import game_of


async def typed(*lines: str) -> AsyncIterator[str]:
    for line in lines:
        yield line


@contextlib.asynccontextmanager
async def in_the_daily(url: str, *, players: int) -> AsyncIterator[list[RoomCalls]]:
    """New players who have just joined the daily of today."""
    async with registered_bots(url, bot_names(players, random.SystemRandom())) as clients:
        yield [await client.join_daily() for client in clients]


async def play(room: RoomCalls, *lines: str, terminal: bool = False) -> str:
    """What a player reads who types these lines."""
    output = io.StringIO()
    console = Output(file=output, width=100, force_terminal=terminal, color_system=None)
    await play_daily(room, console, typed(*lines), now=time.monotonic, sleep=asyncio.sleep)
    return output.getvalue()


async def test_the_daily_is_played_to_the_end_of_ones_own_attempt(server_url: str) -> None:
    async with in_the_daily(server_url, players=1) as [room]:
        read = await play(room, "d d", "q", "r")
        assert "played: d d" in read
        assert "your attempt is over (resigned): rank " in read
        assert (await room.get()).state == "racing"
        again = await play(room, "d")
        assert "your attempt is over (resigned)" in again
        assert "played" not in again


async def test_an_attempt_that_was_left_goes_on_and_is_taken_up_again(server_url: str) -> None:
    async with in_the_daily(server_url, players=1) as [room]:
        assert f"the game goes on: `canfield play {room.id}`" in await play(room, "d")
        assert (await room.game()).ply == 1
        assert "played: d" in await play(room, "d", "q", "r")


async def test_on_a_terminal_the_ghosts_stand_beside_the_board(server_url: str) -> None:
    async with in_the_daily(server_url, players=3) as [*others, room]:
        for other in others:
            await other.moves(0, ["d", "d"])
        read = await play(room, "d", "d", "q", "r", terminal=True)
        assert "all at your 00:0" in read


async def test_a_socket_opened_to_look_on_plays_once_its_user_joins(server_url: str) -> None:
    async with registered_bots(server_url, bot_names(2, random.SystemRandom())) as [one, me]:
        room = me.room((await one.join_daily()).id)
        async with room.live() as race:
            assert race.game is None
            await me.join_daily()
            await game_of(race)
            assert race.is_racing
            assert (await race.move("d")).ply == 0
            await race.until(lambda: race.standing is not None and race.standing.actions == 1)
            assert race.standing is not None
            assert race.standing.rank is not None


async def test_newcomers_appear_to_who_looks_on(server_url: str) -> None:
    async with in_the_daily(server_url, players=1) as [room], room.live(watch=True) as seen:
        known = {standing.player.id for standing in seen.standings}
        count = seen.room.player_count
        async with registered_bots(server_url, bot_names(1, random.SystemRandom())) as [newcomer]:
            await newcomer.join_daily()
            me = await newcomer.me()
        await seen.until(lambda: me.id in {s.player.id for s in seen.standings})
        assert me.id not in known
        assert seen.room.player_count == count + 1


async def test_what_other_rooms_have_is_refused_in_a_daily_by_its_own_error(
    server_url: str,
) -> None:
    async with in_the_daily(server_url, players=1) as [room]:
        for call in (room.ready, room.start, room.leave, room.cancel, room.rematch):
            with pytest.raises(NotInADaily):
                await call()


async def test_everybodys_progress_is_there_while_the_day_runs(server_url: str) -> None:
    async with in_the_daily(server_url, players=2) as [first, second]:
        mine = (await first.game()).room
        curves = await second.curves(around_me=True, limit=100)
        assert mine == second.id
        assert all(curve.points[0] == (0, 1) for curve in curves)
        assert len(curves) >= 2


async def test_a_day_under_way_is_shown_without_its_deal(server_url: str) -> None:
    async with in_the_daily(server_url, players=1) as [room], Client(server_url) as anybody:
        output = io.StringIO()
        today = await anybody.daily()
        assert today.id == room.id
        assert await anybody.daily(today.date) == today
        await show_day(anybody, today, Output(file=output, width=100))
    assert f"{today.date}: CF1 draw 3, racing, " in output.getvalue()
    assert "CF1-D3-" not in output.getvalue()
