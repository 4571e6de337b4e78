from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from canfield_race_client import frames
from canfield_race_client.errors import (
    BadMove,
    IllegalMove,
    MoveRejected,
    NoGame,
    PlyConflict,
    PlyGap,
    StorageUnavailable,
)
from canfield_race_client.live_core import LiveCore
from canfield_race_client.shapes import Ack

from tests.clients.builders import (
    ANA,
    CY,
    a_core,
    a_frame,
    a_game_frame,
    a_racing_core,
    a_reject,
    a_room,
    a_standing,
    a_welcome,
    an_ack,
    sent_by,
)

DRAWN = {"revealed": ["6D", "KD", "JH"], "hash": "61e52b8a"}


def outcomes(core: LiveCore) -> list[tuple[str, object]]:
    """Each settled move with its ack's ply or its error's class."""
    return [
        (pending.move, type(answer) if isinstance(answer, MoveRejected) else answer.ply)
        for pending, answer in core.take_settled()
    ]


def reconnect(core: LiveCore, *, ply: int) -> None:
    core.lost()
    core.opened()
    core.receive(a_welcome(epoch="e2"))
    core.receive(a_game_frame(ply=ply))


def test_hello_is_the_first_frame_and_says_since_when_after_a_break() -> None:
    core = a_core()
    core.opened()
    assert sent_by(core) == [{"type": "hello", "token": "secret"}]
    core.receive(a_welcome(epoch="e1", offset=10))
    core.receive(a_frame("joined", offset=12, player=CY))
    core.lost()
    core.opened()
    since = {"epoch": "e1", "offset": 12}
    assert sent_by(core) == [{"type": "hello", "token": "secret", "since": since}]


def test_a_spectator_says_no_token() -> None:
    core = a_core(token=None)
    core.opened()
    assert sent_by(core) == [{"type": "hello"}]


def test_moves_go_out_without_waiting_and_acks_settle_them_in_order() -> None:
    core = a_racing_core(ply=3)
    core.play("d")
    core.play("wf")
    assert [(f["ply"], f["move"]) for f in sent_by(core)] == [(3, "d"), (4, "wf")]
    core.receive(an_ack(3, "d"))
    core.receive(an_ack(4, "wf"))
    assert outcomes(core) == [("d", 3), ("wf", 4)]


def test_without_a_game_there_is_nothing_to_move_in() -> None:
    core = a_core()
    core.opened()
    core.receive(a_welcome())
    with pytest.raises(NoGame):
        core.play("d")


@pytest.mark.parametrize("move", ["", "\ud800", "é", "d\0", "d" * 9, "d" * 5000, 5, None])
def test_what_cannot_be_a_move_is_refused_here_and_changes_nothing(move: Any) -> None:
    core = a_racing_core(ply=3)
    core.play("d")
    with pytest.raises(BadMove) as refused:
        core.play(move)
    assert (refused.value.ply, refused.value.next_ply) == (4, 4)
    assert refused.value.move == str(move)
    assert core.play("wf").ply == 4
    assert [(f["ply"], f["move"]) for f in sent_by(core)] == [(3, "d"), (4, "wf")]


def test_an_ack_is_folded_into_the_game_and_into_my_standing() -> None:
    core = a_racing_core()
    core.play("r1")
    core.receive(an_ack(0, "r1", revealed=["8H"], placed=1, hash="70eaecc5"))
    assert core.game is not None
    assert core.game.ply == 1
    assert core.game.columns[0] == ["QC", "JD"]
    assert core.game.reserve_top == "8H"
    mine = core.view.standings.of(ANA.id)
    assert mine is not None
    assert mine.actions == 1


def test_an_ack_that_does_not_fit_what_is_shown_asks_for_a_fresh_game() -> None:
    core = a_racing_core()
    core.receive(an_ack(0, "r1", revealed=["8H"], hash="00000000"))
    assert sent_by(core) == [{"type": "sync"}]


def test_an_ack_from_the_future_asks_for_a_fresh_game() -> None:
    core = a_racing_core(ply=3)
    core.receive(an_ack(5, "d"))
    assert sent_by(core) == [{"type": "sync"}]


def test_a_move_over_rest_is_folded_though_nobody_here_sent_it() -> None:
    core = a_racing_core()
    core.receive(an_ack(0, "r1", revealed=["8H"], hash="70eaecc5"))
    assert core.game is not None
    assert core.game.ply == 1
    assert outcomes(core) == []


def test_an_illegal_move_is_refused_and_dooms_what_was_planned_upon_it() -> None:
    core = a_racing_core(ply=3)
    core.play("12")
    core.play("rf")
    core.receive(a_reject(3, "illegal_move", next_ply=3))
    core.receive(a_reject(4, "ply_gap", next_ply=3))
    assert outcomes(core) == [("12", IllegalMove), ("rf", PlyGap)]
    assert core.play("d").ply == 3


def test_a_new_move_at_a_doomed_ply_is_not_mistaken_for_the_doomed_one() -> None:
    core = a_racing_core(ply=3)
    for move in ("12", "rf"):
        core.play(move)
    core.receive(a_reject(3, "illegal_move", next_ply=3))
    for move in ("d", "wf"):
        core.play(move)
    core.receive(a_reject(4, "ply_gap", next_ply=3))
    core.receive(an_ack(3, "d"))
    core.receive(an_ack(4, "wf"))
    assert outcomes(core) == [("12", IllegalMove), ("rf", PlyGap), ("d", 3), ("wf", 4)]


def test_unavailable_is_sent_again_with_the_same_plies_and_what_follows_behind_it() -> None:
    core = a_racing_core(ply=3)
    core.play("d")
    core.play("wf")
    core.take_out()
    core.receive(a_reject(3, "unavailable", next_ply=3))
    core.receive(a_reject(4, "ply_gap", next_ply=3))
    core.play("rf")
    assert core.resend_in_s == 0.25
    assert sent_by(core) == []
    core.resend()
    again = [(f["ply"], f["move"]) for f in sent_by(core)]
    assert again == [(3, "d"), (4, "wf"), (5, "rf")]
    assert outcomes(core) == []


def test_storage_that_never_answers_is_given_up_in_the_end() -> None:
    core = a_core(max_resends=1)
    core.opened()
    core.receive(a_welcome())
    core.receive(a_game_frame(ply=3))
    core.play("d")
    core.receive(a_reject(3, "unavailable", next_ply=3))
    core.play("wf")
    core.resend()
    core.receive(a_reject(3, "unavailable", next_ply=3))
    core.receive(a_reject(4, "ply_gap", next_ply=3))
    assert outcomes(core) == [("d", StorageUnavailable), ("wf", PlyGap)]


def test_a_conflict_is_told_and_asks_for_a_fresh_game() -> None:
    core = a_racing_core(ply=3)
    core.play("d")
    core.take_out()
    core.receive(a_reject(3, "ply_conflict", next_ply=4))
    assert outcomes(core) == [("d", PlyConflict)]
    assert sent_by(core) == [{"type": "sync"}]


def test_after_a_reconnect_everything_without_an_ack_is_sent_again_once_the_game_came() -> None:
    core = a_racing_core(ply=3)
    for move in ("d", "wf", "rf"):
        core.play(move)
    core.take_out()
    core.lost()
    core.opened()
    core.receive(a_welcome(epoch="e2"))
    core.play("d")
    assert [f["type"] for f in sent_by(core)] == ["hello"]
    core.receive(a_game_frame(ply=4))
    assert [(f["ply"], f["move"]) for f in sent_by(core)] == [
        (3, "d"),
        (4, "wf"),
        (5, "rf"),
        (6, "d"),
    ]


def test_a_replayed_move_gets_its_ack_and_counts_once() -> None:
    core = a_racing_core(ply=0)
    core.play("r1")
    reconnect(core, ply=1)
    before = core.game
    core.receive(an_ack(0, "r1", revealed=["8H"], hash="70eaecc5"))
    assert outcomes(core) == [("r1", 0)]
    assert core.game is before


def test_a_move_made_while_the_connection_is_down_is_the_next_one_after_it() -> None:
    core = a_racing_core(ply=3)
    core.lost()
    assert core.play("d").ply == 3
    core.opened()
    core.receive(a_welcome(epoch="e2"))
    core.receive(a_game_frame(ply=3))
    assert sent_by(core)[-1] == {"type": "move", "ply": 3, "move": "d"}


def test_a_resignation_is_said_again_after_a_break_as_long_as_it_is_not_so() -> None:
    core = a_racing_core(ply=3)
    core.resign()
    reconnect(core, ply=3)
    assert sent_by(core)[-1] == {"type": "resign"}
    core.receive(a_frame("you", player=ANA, state="resigned", entry=a_standing(state="resigned")))
    assert not core.is_racing


@pytest.mark.parametrize("code", ["too_many_requests", "not_host", "wrong_state", "not_a_player"])
def test_a_fault_that_is_not_about_the_sync_does_not_end_it(code: str) -> None:
    core = a_racing_core(ply=3)
    core.sync()
    core.receive(a_frame("error", code=code, detail=""))
    waits = core.is_syncing
    core.receive(a_game_frame(ply=4, legal_moves=["d"]))
    assert (waits, core.is_syncing) == (True, False)
    assert core.synced is not None
    assert (core.synced.ply, core.synced.legal_moves) == (4, ["d"])


@pytest.mark.parametrize("code", ["wrong_state", "not_a_player"])
def test_a_sync_is_refused_where_there_is_no_game(code: str) -> None:
    core = a_core()
    core.opened()
    core.sync()
    core.receive(a_frame("error", code=code, detail=""))
    assert not core.is_syncing
    assert core.synced is None


def test_a_sync_is_asked_again_after_a_break_and_when_storage_had_no_answer() -> None:
    core = a_core()
    core.opened()
    core.sync()
    core.lost()
    core.opened()
    assert [f["type"] for f in sent_by(core)] == ["hello", "sync"]
    core.receive(a_frame("error", code="unavailable", detail=""))
    assert core.resend_in_s == 0.25
    core.resend()
    assert sent_by(core) == [{"type": "sync"}]


def test_what_came_with_legal_moves_stays_as_it_came_when_an_ack_follows_at_once() -> None:
    core = a_racing_core()
    core.sync()
    core.receive(a_game_frame())
    core.receive(an_ack(0, "r1", revealed=["8H"], hash="70eaecc5"))
    assert core.synced is not None
    assert core.synced.legal_moves == ["12", "24", "d", "r1"]


def test_every_frame_says_what_it_costs() -> None:
    core = a_racing_core(ply=3)
    core.play("d")
    core.sync()
    core.resign()
    assert [cost for _, cost in core.take_out()] == [1, 2, 5]


def test_what_is_said_while_the_connection_is_down_does_not_come_before_the_hello() -> None:
    core = a_racing_core()
    core.lost()
    core.say("ping", t=1)
    core.opened()
    assert [f["type"] for f in sent_by(core)] == ["hello"]


def test_an_event_that_is_not_newer_and_a_frame_of_unknown_type_show_nothing() -> None:
    core = a_racing_core()
    assert core.receive(a_frame("joined", offset=10, player=CY)) is None
    assert core.receive(a_frame("confetti")) is None
    assert isinstance(core.receive(a_frame("joined", offset=11, player=CY)), frames.Joined)


def test_how_long_to_stay_away_stands_in_the_error_before_the_close() -> None:
    core = a_racing_core()
    core.receive(a_frame("error", code="too_many_requests", detail="", retry_after_ms=4000))
    assert core.retry_after_ms == 4000
    core.opened()
    assert core.retry_after_ms is None


def test_a_won_game_takes_no_more_moves() -> None:
    core = a_racing_core()
    core.receive(an_ack(0, "r1", revealed=["8H"], hash="70eaecc5", state="won"))
    assert not core.is_racing


def test_an_ack_is_an_ack_for_those_who_await_it() -> None:
    core = a_racing_core(ply=3)
    core.play("d")
    core.receive(an_ack(3, "d", **DRAWN))
    [(_, answer)] = core.take_settled()
    assert isinstance(answer, Ack)
    assert answer.revealed == ["6D", "KD", "JH"]


def test_who_joins_while_looking_on_becomes_a_player_on_the_same_socket() -> None:
    core = a_core()
    core.opened()
    core.receive(a_welcome(room=a_room(kind="daily", standings=[a_standing(CY)])))
    assert core.game is None
    entry = a_standing(ANA, placed=1, rank=2)
    clock = {"started_at": "2026-11-30T12:00:00.000Z", "ends_at": "2026-11-30T12:30:00.000Z"}
    core.receive(a_frame("you", player=ANA, state="racing", entry=entry, **clock))
    core.receive(a_game_frame())
    assert core.is_racing
    assert core.you is not None
    assert core.you.ends_at == datetime(2026, 11, 30, 12, 30, tzinfo=UTC)
    assert core.play("d").ply == 0


def test_the_end_of_my_own_time_is_told_though_the_room_races_on() -> None:
    core = a_racing_core()
    core.receive(a_frame("you", player=ANA, state="out_of_time", entry=a_standing(ANA)))
    assert not core.is_racing
    assert not core.view.is_over
