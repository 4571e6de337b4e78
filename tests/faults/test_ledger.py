from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from canfield_race_client.shapes import Ack
from sqlalchemy import delete, func, insert, select
from sqlalchemy.ext.asyncio import create_async_engine

from server.game import Board, GameCode
from server.race.instants import to_epoch_ms
from server.race.plays import Action
from server.race.running import RunningGame
from server.store.connecting import parse_url
from server.store.tables import actions
from tests.faults.ledger import CLOCKS_AGREE_WITHIN_MS, Account, audit
from tests.faults.race import racing_bots
from tests.faults.racers import CODE
from tests.faults.stored import Stored, stored_games
from tests.running import running_server

MOVES = ["12", "rf", "24x2", "d", "d"]
STARTED_AT = datetime(2026, 11, 29, 19, tzinfo=UTC)
NETWORK_MS = 5


def a_game(player: str = "p_ana", **fields: Any) -> tuple[Stored, Account]:
    """A game of five moves that has been played and recorded as it should be."""
    running = RunningGame(GameCode.parse(CODE), undo=True)
    account, log, started_ms = Account(player), {}, to_epoch_ms(STARTED_AT)
    for ply, move in enumerate(MOVES):
        elapsed_ms = 1000 * (ply + 1)
        log[ply] = Action(move=move, elapsed_ms=elapsed_ms)
        running.play(Board.parse_move(move), elapsed_ms=elapsed_ms)
        board = running.board
        ack = Ack(
            ply=ply,
            move=move,
            elapsed_ms=elapsed_ms,
            at_ms=running.at_ms,
            placed=board.placed,
            score=board.score,
            hash=board.hash,
        )
        account.send(ply, move, at_ms=started_ms + elapsed_ms - NETWORK_MS)
        account.hear(ack, at_ms=started_ms + elapsed_ms + NETWORK_MS)
    row: dict[str, Any] = {
        "id": f"g_{player}",
        "room_id": "k3x9q2ab",
        "player_id": player,
        "state": "resigned",
        "ply": running.ply,
        "placed": running.board.placed,
        "score": running.board.score,
        "at_ms": running.at_ms,
        "rank": 1,
        "code": CODE,
        "undo": True,
        "room_state": "finished",
        "started_at": STARTED_AT,
        "log": log,
    }
    return Stored(**(row | fields)), account


def test_a_game_as_it_should_be_is_good() -> None:
    game, account = a_game()

    verdict = audit([game], [account])

    assert verdict.is_good
    assert verdict.acknowledged == len(MOVES)


def test_an_acknowledged_move_that_is_not_there_is_lost() -> None:
    game, account = a_game()
    del game.log[4]

    assert audit([game], [account]).lost == 1


def test_an_acknowledged_move_that_stands_there_otherwise_is_lost() -> None:
    game, account = a_game()
    game.log[4] = Action(move="u", elapsed_ms=game.log[4].elapsed_ms)

    verdict = audit([game], [account])

    assert (verdict.lost, verdict.twice) == (1, 1)


def test_two_acks_of_one_ply_that_contradict_each_other_cannot_both_hold() -> None:
    game, account = a_game()
    ack, at_ms = account.acks[4]
    account.hear(Ack(ply=4, move="u", elapsed_ms=ack.elapsed_ms), at_ms=at_ms)

    assert audit([game], [account]).lost == 1


def test_an_ack_heard_again_counts_once_and_is_no_fault() -> None:
    game, account = a_game()
    account.acks *= 2

    verdict = audit([game], [account])

    assert verdict.is_good
    assert verdict.acknowledged == len(MOVES)


def test_a_move_that_stands_there_again_is_counted_twice() -> None:
    game, account = a_game()
    game.log[5] = game.log[4]

    assert audit([game], [account]).twice == 1


def test_a_move_that_was_sent_and_never_answered_may_stand_there() -> None:
    game, account = a_game()
    account.acks.pop()

    verdict = audit([game], [account])

    assert verdict.is_good
    assert verdict.acknowledged == len(MOVES) - 1


def a_hole(log: dict[int, Action]) -> None:
    del log[2]


def a_clock_that_goes_back(log: dict[int, Action]) -> None:
    log[3] = Action(move=log[3].move, elapsed_ms=1)


def a_move_against_the_rules(log: dict[int, Action]) -> None:
    log[3] = Action(move="13", elapsed_ms=log[3].elapsed_ms)


@pytest.mark.parametrize("spoil", [a_hole, a_clock_that_goes_back, a_move_against_the_rules])
def test_a_log_that_cannot_be_is_told(spoil: Callable[[dict[int, Action]], None]) -> None:
    game, _ = a_game()
    spoil(game.log)

    assert len(audit([game]).wrong) == 1


@pytest.mark.parametrize("change", [{"ply": 4}, {"placed": 1}, {"score": 0}, {"at_ms": 1}])
def test_a_row_that_does_not_follow_from_its_log_is_told(change: dict[str, Any]) -> None:
    game, _ = a_game(**change)

    assert len(audit([game]).wrong) == 1


def test_a_win_that_is_none_is_told() -> None:
    game, _ = a_game(state="won")

    assert len(audit([game]).wrong) == 1


def test_ranks_have_to_follow_from_the_games_once_the_room_is_finished() -> None:
    ana, _ = a_game("p_ana")
    bo, _ = a_game("p_bo", rank=2)

    assert len(audit([ana, bo]).wrong) == 1
    assert audit([ana, replace(bo, rank=1)]).is_good
    assert audit([replace(game, room_state="racing") for game in (ana, bo)]).is_good


@pytest.mark.parametrize("off_ms", [-CLOCKS_AGREE_WITHIN_MS - 100, CLOCKS_AGREE_WITHIN_MS + 100])
def test_a_time_at_which_the_frame_was_not_on_its_way_is_told(off_ms: int) -> None:
    game, account = a_game()
    account.sent = {key: at_ms + off_ms for key, at_ms in account.sent.items()}
    account.acks = [(ack, at_ms + off_ms) for ack, at_ms in account.acks]

    assert len(audit([game], [account]).wrong) == len(MOVES)


async def test_a_move_deleted_from_a_database_is_reported_and_so_is_one_put_in(
    database_url: str,
) -> None:
    async with (
        running_server(database_url) as url,
        racing_bots(url, Random(1), players=2, racers=2) as race,
    ):
        for racer in race.racers:
            await racer.went_on(0)
            await racer.stop()
        accounts = race.accounts
        before = await stored_games(database_url, race.room_id)
        await tamper(database_url, deleted=before[0].id, doubled=before[1].id)
        after = await stored_games(database_url, race.room_id)

        assert audit(before, accounts).is_good
        verdict = audit(after, accounts)
        assert (verdict.lost, verdict.twice) == (1, 1)


async def tamper(database_url: str, *, deleted: str, doubled: str) -> None:
    """Delete the last move of one game, and write that of another one a second time."""
    engine = create_async_engine(parse_url(database_url))
    of_deleted, of_doubled = (actions.c.game_id == game_id for game_id in (deleted, doubled))
    async with engine.begin() as connection:
        last = await connection.scalar(select(func.max(actions.c.ply)).where(of_deleted))
        await connection.execute(delete(actions).where(of_deleted, actions.c.ply == last))
        newest_first = select(actions).where(of_doubled).order_by(actions.c.ply.desc())
        row = (await connection.execute(newest_first)).mappings().first()
        assert row is not None
        await connection.execute(insert(actions).values({**row, "ply": row["ply"] + 1}))
    await engine.dispose()
