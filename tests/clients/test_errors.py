from __future__ import annotations

import pytest
from canfield_race_client import errors


@pytest.mark.parametrize(
    "code",
    [
        *("invalid", "unauthorized", "forbidden", "not_found", "name_taken", "room_full"),
        *("wrong_state", "not_host", "not_a_player", "kicked"),
        *("daily_over", "not_in_a_daily"),
        *("not_available", "too_many_requests", "unavailable"),
    ],
)
def test_every_problem_code_of_the_contract_has_its_error(code: str) -> None:
    assert errors.API_ERRORS[code].code == code


@pytest.mark.parametrize(
    "code",
    [
        *("bad_move", "illegal_move", "undo_off", "nothing_to_undo"),
        *("ply_gap", "ply_conflict", "not_racing", "unavailable"),
    ],
)
def test_every_reject_code_of_the_contract_has_its_error(code: str) -> None:
    assert errors.MOVE_ERRORS[code].code == code


def test_a_reject_code_from_a_newer_server_is_still_a_rejected_move() -> None:
    error = errors.move_rejected("too_windy", "not today", move="d", ply=3, next_ply=3)
    assert type(error) is errors.MoveRejected
    assert (error.code, error.move, error.ply, error.next_ply) == ("too_windy", "d", 3, 3)


def test_a_closed_connection_tells_whether_to_come_back() -> None:
    assert errors.ConnectionClosed(1012).reconnect
    assert not errors.ConnectionClosed(4409).reconnect
    assert "newer socket" in str(errors.ConnectionClosed(4409))
