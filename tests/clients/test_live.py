from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, TypeVar

import pytest
from canfield_race_client import Client, ConnectionClosed, Disconnected, Live, frames
from canfield_race_client.errors import BadMove, IllegalMove, NoGame, OutboxFull, PlyGap
from canfield_race_client.racers import example_win, race_line
from msgspec.structs import replace

from tests.clients.server_process import ServerProcess
from tests.clients.table import game_of, racing, seated

E = TypeVar("E")


async def the_first(race: Live, kind: type[E]) -> E:
    async for event in race:
        if isinstance(event, kind):
            return event
    raise AssertionError(f"no {kind.__name__} came")


async def no_wait(_: float) -> None:
    await asyncio.sleep(0)


async def test_a_move_is_on_disk_and_in_the_view_when_it_returns(server_url: str) -> None:
    async with racing(server_url) as [race]:
        ack = await race.move("r1")
        assert (ack.move, ack.revealed) == ("r1", ["8H"])
        game = await game_of(race)
        assert (game.ply, game.columns[0]) == (1, ["QC", "JD"])
        fresh = await race.sync()
        assert (fresh.position, fresh.ply) == (game.position, 1)
        assert fresh.legal_moves == ["12x2", "24", "d", "rf"]


async def test_a_refusal_is_typed_and_changes_nothing(server_url: str) -> None:
    async with racing(server_url) as [race]:
        before = race.game
        with pytest.raises(IllegalMove) as refused:
            await race.move("13")
        assert (refused.value.ply, refused.value.next_ply) == (0, 0)
        with pytest.raises(BadMove):
            await race.move("sideways")
        assert race.game is before


@pytest.mark.parametrize("move", ["\ud800", "d\0", "", "d" * 5000, 5, None, "?", "[/]", "'"])
async def test_after_what_is_no_move_the_next_one_is_played(server_url: str, move: Any) -> None:
    async with racing(server_url) as [race]:
        with pytest.raises(BadMove):
            await race.move(move)
        assert (await race.move("d")).ply == 0


async def test_moves_that_follow_each_other_without_waiting_are_played_in_order(
    server_url: str,
) -> None:
    async with racing(server_url) as [race]:
        answers = [race.send_move(move) for move in ("12", "r", "24x2")]
        acks = [await answer for answer in answers]
        assert [ack.move for ack in acks] == ["12", "rf", "24x2"]


async def test_what_was_sent_upon_a_refused_move_is_not_played(server_url: str) -> None:
    async with racing(server_url) as [race]:
        answers = [race.send_move(move) for move in ("13", "d", "d")]
        results = await asyncio.gather(*answers, return_exceptions=True)
        assert [type(result) for result in results] == [IllegalMove, PlyGap, PlyGap]
        assert (await race.move("d")).ply == 0


async def test_a_whole_won_game_folds_to_what_the_server_has(server_url: str) -> None:
    async with racing(server_url) as [race]:
        await race_line(race, example_win(), moves_per_s=1.0, sleep=no_wait)
        folded = await game_of(race)
        fresh = await race.sync()
        assert (folded.state, folded.score, folded.placed) == ("won", 255, 52)
        assert fresh == replace(folded, legal_moves=[], elapsed_ms=fresh.elapsed_ms)


async def test_an_undo_brings_the_whole_view_back(server_url: str) -> None:
    async with racing(server_url) as [race]:
        start = await game_of(race)
        await race.move("r1")
        await race.move("u")
        game = await game_of(race)
        assert (game.position, game.ply, game.undo_left) == (start.position, 2, 0)


async def test_too_many_moves_on_their_way_are_refused_here(server_url: str) -> None:
    async with racing(server_url) as [race]:
        answers = [race.send_move("d") for _ in range(64)]
        with pytest.raises(OutboxFull):
            race.send_move("d")
        await asyncio.gather(*answers)


async def test_a_sync_outlasts_being_sent_away_for_too_many_frames(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, RACE_FRAMES_BURST="10")
    await server.start()
    try:
        async with racing(server.url) as [race]:
            games = [await race.sync() for _ in range(20)]
            assert all(game.legal_moves for game in games)
            seen = asyncio.create_task(the_first(race, Disconnected))
            assert (await seen).close_code == 4429
    finally:
        await server.kill()


async def test_syncing_and_moving_without_a_pause_never_meets_the_servers_limits(
    server_url: str,
) -> None:
    async with racing(server_url) as [race]:
        for ply in range(100):
            game = await race.sync()
            assert (game.ply, "d" in (game.legal_moves or [])) == (ply, True)
            await race.move("d")
        await race.close()
        assert not [event async for event in race if isinstance(event, Disconnected | frames.Fault)]


async def test_a_spectator_sees_standings_and_has_no_game(server_url: str) -> None:
    async with seated(server_url, players=1) as [room], room.live(watch=True) as seen:
        await room.start()
        async with room.live() as race:
            await game_of(race)
            await race.move("12")
            await race.move("rf")
        await seen.until(lambda: seen.standings[0].placed == 2)
        assert seen.me is None
        with pytest.raises(NoGame):
            await seen.sync()
        with pytest.raises(NoGame):
            seen.send_move("d")


async def test_events_come_as_structs_in_order(server_url: str) -> None:
    async with seated(server_url, players=1) as [room], room.live() as race:
        await race.ready()
        await race.start()
        kinds = []
        async for event in race:
            kinds.append(type(event))
            if isinstance(event, frames.GameFrame):
                break
        room_events = [kind for kind in kinds if issubclass(kind, frames.RoomEvent)]
        assert kinds[0] is frames.Welcome
        assert room_events[0] is frames.ReadyChanged
        assert frames.Started in room_events
        assert race.is_host


async def test_the_newest_socket_plays_and_the_older_one_is_told(server_url: str) -> None:
    async with seated(server_url, players=1) as [room]:
        await room.start()
        async with room.live() as older:
            await game_of(older)
            async with room.live() as newer:
                with pytest.raises(ConnectionClosed) as closed:
                    await older.until(lambda: False)
                assert (closed.value.close_code, closed.value.reconnect) == (4409, False)
                with pytest.raises(ConnectionClosed):
                    older.send_move("d")
                await game_of(newer)
                assert (await newer.move("d")).ply == 0


async def test_a_move_over_rest_is_seen_on_the_socket(server_url: str) -> None:
    async with seated(server_url, players=1) as [room]:
        await room.start()
        async with room.live() as race:
            await game_of(race)
            played = await room.moves(0, ["12", "rf", "13"])
            assert [ack.move for ack in played.acks] == ["12", "rf"]
            assert played.reject is not None
            assert played.reject.code == "illegal_move"
            await race.until(lambda: race.game is not None and race.game.ply == 2)


async def test_who_comes_back_to_a_running_race_has_the_game_at_once(server_url: str) -> None:
    async with seated(server_url, players=1) as [room]:
        await room.start()
        async with room.live() as race:
            await game_of(race)
            await race.move("d")
        async with room.live() as race:
            assert race.game is not None
            assert race.game.ply == 1


async def test_a_ping_is_answered(server_url: str) -> None:
    async with racing(server_url) as [race]:
        first, second = await asyncio.gather(race.ping(), race.ping())
        assert first.server_time is not None
        assert first.t != second.t


async def test_a_resignation_ends_the_race_of_one(server_url: str) -> None:
    async with racing(server_url) as [race]:
        await race.resign()
        assert not race.is_racing
        await race.until(lambda: race.is_over)
        assert race.standings[0].state == "resigned"
        assert race.room.nonce is not None


async def test_the_events_end_when_the_socket_is_closed_here(server_url: str) -> None:
    async with racing(server_url) as [race]:
        await race.close()
        seen = [event async for event in race]
        assert isinstance(seen[0], frames.Welcome)


@pytest.mark.parametrize(
    ("token", "room_id", "close_code"), [(None, "nowhere1", 4404), ("wrong", "known", 4401)]
)
async def test_a_socket_that_cannot_be_says_why(
    server_url: str, token: str | None, room_id: str, close_code: int
) -> None:
    async with seated(server_url, players=1) as [room]:
        wanted = room.id if room_id == "known" else room_id
        async with Client(server_url, token) as nobody:
            with pytest.raises(ConnectionClosed) as closed:
                await nobody.room(wanted).live().__aenter__()
    assert closed.value.close_code == close_code
