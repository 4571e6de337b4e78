import asyncio

import pytest

from server.game import BadMove, Board
from server.live.messages import Ack
from server.live.own_game import Terms, acknowledge
from server.live.repeats import (
    SLICE,
    PlyConflict,
    acknowledge_again,
    acknowledge_on,
    replay,
)
from server.race.plays import Action
from server.race.states import PlayerState
from tests.live.builders import WIN
from tests.race.builders import a_room

ROOM = a_room(racing=True)
TERMS = Terms.of(ROOM, ROOM.seats[0])
AS_SENT = ("1", "r", "24x2", "u", "d", "u", "d")


def a_log(texts: tuple[str, ...]) -> tuple[list[Action], list[Ack]]:
    """What is logged of a game, and what its player was told."""
    game, log, acks = TERMS.new_game(), [], []
    for second, text in enumerate(texts, start=1):
        played = game.play(Board.parse_move(text), elapsed_ms=1000 * second)
        log.append(Action(played.move, game.elapsed_ms))
        state: PlayerState = "won" if game.board.is_won else "racing"
        acks.append(acknowledge(game, TERMS, played, state=state))
    return log, acks


async def test_every_ack_is_given_again_tap_or_spelled_out() -> None:
    log, acks = a_log(AS_SENT)

    for ply, ack in enumerate(acks):
        for text in (AS_SENT[ply], log[ply].move):
            assert await acknowledge_again(TERMS, log, ply=ply, text=text) == ack


async def test_the_winning_ack_is_given_again() -> None:
    log, acks = a_log(tuple(WIN))

    ack = await acknowledge_again(TERMS, log, ply=len(WIN) - 1, text=WIN[-1])

    assert ack == acks[-1]
    assert ack.state == "won"


@pytest.mark.parametrize(
    ("ply", "text"), [(0, "d"), (0, "r"), (0, "u"), (0, "wf"), (0, "w"), (3, "24x2"), (4, "u")]
)
async def test_a_move_that_means_another_conflicts(ply: int, text: str) -> None:
    log, _ = a_log(AS_SENT)

    with pytest.raises(PlyConflict) as refusal:
        await acknowledge_again(TERMS, log, ply=ply, text=text)

    assert refusal.value.code == "ply_conflict"


async def test_what_cannot_be_read_is_a_bad_move() -> None:
    log, _ = a_log(AS_SENT)

    with pytest.raises(BadMove):
        await acknowledge_again(TERMS, log, ply=0, text="what")


@pytest.mark.parametrize("ply", [0, 3, 5, len(AS_SENT)])
async def test_the_acks_from_a_ply_on_are_those_that_were_given(ply: int) -> None:
    log, acks = a_log(AS_SENT)

    assert await acknowledge_on(TERMS, log, ply=ply) == acks[ply:]


async def test_the_acks_of_a_won_game_end_with_the_win() -> None:
    log, acks = a_log(tuple(WIN))

    assert (await acknowledge_on(TERMS, log, ply=len(WIN) - 2)) == acks[-2:]
    assert [ack.state for ack in acks[-2:]] == ["racing", "won"]


async def test_a_long_replay_gives_others_their_turn() -> None:
    log, _ = a_log(("d",) * (SLICE * 3))
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(others())
    game = await replay(TERMS, log)
    beside.cancel()

    assert game.ply == SLICE * 3
    assert turns >= 3
