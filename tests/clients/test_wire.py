from __future__ import annotations

import asyncio

import pytest
from canfield_race_client import Client, Disconnected, Live, Reconnected, ServerUnreachable
from canfield_race_client.errors import NotConnected
from canfield_race_client.frames import Welcome
from canfield_race_client.live import Event
from canfield_race_client.racers import example_win, race_line

from tests.clients.server_process import ServerProcess
from tests.clients.table import game_of, racing, seated


async def test_a_server_killed_in_mid_race_comes_back_and_every_move_counts_once(
    mortal_server: ServerProcess,
) -> None:
    line = example_win()
    async with racing(mortal_server.url, players=2) as [winner, other]:
        for part in (line[:60], line[60:120]):
            playing = asyncio.create_task(
                race_line(winner, part, moves_per_s=100, sleep=asyncio.sleep)
            )
            await played_on(winner, moves=10)
            await mortal_server.kill()
            moved_while_down = other.send_move("d")
            await mortal_server.start()
            await asyncio.gather(playing, moved_while_down)
        await race_line(winner, line[120:], moves_per_s=100, sleep=asyncio.sleep)
        assert (await other.move("d")).ply == 2
        await other.resign()
        await winner.until(lambda: winner.is_over)
        assert [s.state for s in winner.standings] == ["won", "resigned"]
        room_id = winner.room.id
    async with Client(mortal_server.url) as anybody:
        games = (await anybody.room(room_id).games()).items
        replays = [await anybody.replay(game.id) for game in games]
    assert sorted(replay.moves for replay in replays) == sorted([line, ["d", "d", "d"]])


async def test_a_restart_is_told_and_what_was_missed_is_made_up(
    mortal_server: ServerProcess,
) -> None:
    async with seated(mortal_server.url, players=2) as [first, second], first.live() as seen:
        told: list[Event] = []
        telling = asyncio.create_task(tell(seen, told))
        await mortal_server.stop()
        await seen.until(lambda: not seen.is_connected)
        with pytest.raises(NotConnected):
            await seen.ping()
        await mortal_server.start()
        await second.leave()
        await seen.until(lambda: seen.is_connected and seen.room.player_count == 1)
        await seen.ping()
        telling.cancel()
    kinds = [type(event) for event in told]
    again = kinds.index(Reconnected)
    assert kinds[again - 1 : again + 2] == [Disconnected, Reconnected, Welcome]
    assert Reconnected(recovered=True, unanswered=0) in told


async def played_on(race: Live, *, moves: int) -> None:
    target = (await game_of(race)).ply + moves
    await race.until(lambda: race.game is not None and race.game.ply >= target)


async def tell(race: Live, told: list[Event]) -> None:
    async for event in race:
        told.append(event)  # noqa: PERF401 — a list made at once would be lost when cancelled


async def test_a_server_that_was_never_there_is_unreachable_at_once(
    mortal_server: ServerProcess,
) -> None:
    await mortal_server.kill()
    async with Client(mortal_server.url) as anybody:
        with pytest.raises(ServerUnreachable):
            await anybody.room("k3x9q2ab").live().__aenter__()
