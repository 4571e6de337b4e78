from __future__ import annotations

import pytest
from canfield_race_client.answers import Answers
from canfield_race_client.errors import ConnectionClosed, IllegalMove, move_rejected
from canfield_race_client.outbox import Pending
from canfield_race_client.shapes import Ack

ACK = Ack(ply=3, move="d")


async def test_each_move_gets_its_own_answer() -> None:
    answers, first, second = Answers(), Pending(3, "d"), Pending(4, "13")
    acked, refused = answers.to(first), answers.to(second)
    error = move_rejected("illegal_move", "no", move="13", ply=4)
    answers.settle([(first, ACK), (second, error)])
    assert await acked is ACK
    with pytest.raises(IllegalMove):
        await refused


async def test_an_answer_that_nobody_waits_for_any_more_is_dropped() -> None:
    answers, pending = Answers(), Pending(3, "d")
    answers.to(pending).cancel()
    answers.settle([(pending, ACK)])


async def test_at_the_end_everybody_learns_why() -> None:
    answers = Answers()
    waiting = answers.to(Pending(3, "d"))
    answers.end(ConnectionClosed(4409))
    with pytest.raises(ConnectionClosed):
        await waiting
