from __future__ import annotations

import pytest
from canfield_race_client.errors import OutboxFull
from canfield_race_client.outbox import Outbox
from canfield_race_client.shapes import Ack


def test_moves_get_the_plies_after_the_game_and_after_each_other() -> None:
    outbox = Outbox()
    plies = [outbox.add(move, game_ply=7, parked=False).ply for move in ("d", "d", "wf")]
    assert plies == [7, 8, 9]


def test_the_next_ply_is_told_without_taking_it() -> None:
    outbox = Outbox()
    outbox.add("d", game_ply=7, parked=False)
    assert outbox.next_ply(game_ply=7) == 8
    assert len(outbox) == 1


def test_a_full_outbox_refuses_and_keeps_what_it_has() -> None:
    outbox = Outbox(max_moves=1)
    outbox.add("d", game_ply=0, parked=False)
    with pytest.raises(OutboxFull):
        outbox.add("d", game_ply=0, parked=False)
    assert len(outbox) == 1


def test_an_ack_of_another_move_at_my_ply_is_not_mine() -> None:
    outbox = Outbox()
    mine = outbox.add("d", game_ply=3, parked=False)
    assert outbox.acked(Ack(ply=3, move="12")) is None
    assert outbox.acked(Ack(ply=3, move="d")) is mine
    assert len(outbox) == 0


def test_what_was_planned_upon_a_refused_move_does_not_count_for_the_next_ply() -> None:
    outbox = Outbox()
    first = outbox.add("12", game_ply=3, parked=False)
    outbox.add("rf", game_ply=3, parked=False)
    outbox.refused(first)
    assert outbox.add("d", game_ply=3, parked=False).ply == 3


def test_when_the_connection_breaks_doomed_moves_leave_and_the_rest_waits_in_order() -> None:
    outbox = Outbox()
    refused = outbox.add("12", game_ply=3, parked=False)
    doomed = outbox.add("rf", game_ply=3, parked=False)
    outbox.refused(refused)
    kept = [outbox.add("d", game_ply=3, parked=False), outbox.add("wf", game_ply=3, parked=False)]
    assert outbox.park_all() == [doomed]
    assert outbox.has_parked
    assert outbox.unpark() == kept
    assert not outbox.has_parked
