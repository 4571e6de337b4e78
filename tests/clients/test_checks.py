from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest
from canfield_race_client.checks import check_deal, check_play
from canfield_race_client.exported import Flaw, Place, read_game

from tests.clients.exports import NONCE, Line, a_line, published

PLACE = Place(line=1, game="g_ana")
WIN = published(won=True)
UNDOING = published(won=False)


def check(line: Line) -> None:
    game = read_game(json.dumps(line), line=1)
    check_play(game, check_deal(game, PLACE), PLACE)


def flaw_in(line: Line) -> Flaw:
    with pytest.raises(Flaw) as found:
        check(line)
    assert found.value.place.game == "g_ana"
    return found.value


def committed(line: Line, **changes: Any) -> Line:
    """The line with another deal, and the commitment that fits it."""
    changed = line | changes
    text = f"{changed['code']}:{NONCE}"
    return changed | {"commitment": sha256(text.encode()).hexdigest()}


@pytest.mark.parametrize("code", ["CF1-D3-AAAAACL", "CF1-D1-KEMUBCR", "CH1-D3-DLSBQGB"])
@pytest.mark.parametrize("won", [True, False])
def test_a_game_played_by_the_rules_holds(code: str, *, won: bool) -> None:
    check(a_line("Ana", published(code, won=won), code=code))


def test_a_game_nobody_moved_in_holds() -> None:
    check(a_line("Ana", state="out_of_time"))


@pytest.mark.parametrize("name", ["code", "nonce", "commitment"])
def test_what_was_committed_to_cannot_be_another(name: str) -> None:
    line = a_line("Ana", WIN)
    line[name] = line[name][:-1] + "Z"
    assert flaw_in(line).code == "commitment"


@pytest.mark.parametrize(
    "change",
    [{"code": "nonsense"}, {"code": "CF1-D3-SHORT"}, {"ruleset": "CH1"}, {"draw": 1}],
    ids=str,
)
def test_a_code_names_a_deal_of_the_rules_that_are_claimed(change: dict[str, Any]) -> None:
    assert flaw_in(committed(a_line("Ana"), **change)).code == "deal"


def test_the_first_move_that_is_not_legal_is_named_with_its_rule() -> None:
    line = a_line("Ana", WIN)
    line["moves"][4] = line["moves"][9] = "13"
    flaw = flaw_in(line)
    assert (flaw.code, flaw.place.move) == ("move", 5)
    assert flaw.detail.startswith("13: T1: ")


@pytest.mark.parametrize("text", ["sideways", "", "w", "1x3", "D"])
def test_what_is_no_move_or_only_a_tap_is_named(text: str) -> None:
    line = a_line("Ana", WIN)
    line["moves"][2] = text
    flaw = flaw_in(line)
    assert (flaw.code, flaw.place.move) == ("move", 3)


def test_after_the_win_nothing_is_played() -> None:
    for more in ("d", "u"):
        line = a_line("Ana", WIN)
        line["moves"].append(more)
        line["times_ms"].append(line["times_ms"][-1])
        line["result"]["actions"] += 1
        flaw = flaw_in(line)
        assert (flaw.code, flaw.place.move) == ("move", len(WIN) + 1)


def test_undo_is_only_where_it_is_allowed() -> None:
    first = UNDOING.index("u") + 1
    check(a_line("Ana", UNDOING))
    flaw = flaw_in(a_line("Ana", UNDOING, undo=False))
    assert (flaw.code, flaw.place.move) == ("move", first)
    check(a_line("Ana", UNDOING, undo=None))
    line = a_line("Ana", ["d"], code="CH1-D3-AAAAACL", undo=None)
    line |= {"moves": ["d", "u"], "times_ms": [1, 2]}
    assert flaw_in(line).place.move == 2


def test_there_are_as_many_times_as_moves() -> None:
    line = a_line("Ana", WIN)
    line["times_ms"].pop()
    assert flaw_in(line).code == "time"


@pytest.mark.parametrize(("number", "elapsed_ms"), [(1, -1), (3, 499), (3, 1001), (240, 900_000)])
def test_times_do_not_go_back_and_stay_within_the_limit(number: int, elapsed_ms: int) -> None:
    line = a_line("Ana", [*WIN[:-1], "d", "d"])
    line["times_ms"][number - 1] = elapsed_ms
    flaw = flaw_in(line)
    assert flaw.code == "time"
    assert flaw.place.move in {number, number + 1}


def test_the_last_millisecond_before_the_limit_is_in_time() -> None:
    line = a_line("Ana", ["d"], step_ms=899_999)
    check(line)
    assert flaw_in(line | {"times_ms": [900_000]}).place.move == 1
    check(line | {"times_ms": [900_000], "time_limit_s": None, "ended_at": None})


@pytest.mark.parametrize("name", ["placed", "score", "actions", "at_ms"])
@pytest.mark.parametrize("by", [-1, 1])
def test_a_result_follows_from_the_moves(name: str, by: int) -> None:
    line = a_line("Ana", WIN[:60])
    line["result"][name] += by
    flaw = flaw_in(line)
    assert flaw.code == "result"
    assert flaw.detail.startswith(f"{name} ")


def test_who_placed_all_cards_has_won_and_nobody_else() -> None:
    for moves, state in ((WIN, "resigned"), (WIN[:-1], "won")):
        line = a_line("Ana", moves)
        line["result"]["state"] = state
        assert flaw_in(line).code == "result"


def test_a_result_is_of_the_same_player() -> None:
    for change in ({"id": "p_bo"}, {"name": "Bo"}, {"kind": "bot"}):
        line = a_line("Ana", WIN)
        line["result"]["player"] = line["player"] | change
        assert flaw_in(line).code == "result"


def test_a_win_ends_with_its_last_move_and_nothing_ends_before_that() -> None:
    later, earlier = "2026-11-30T12:10:00.000Z", "2026-11-30T12:00:00.000Z"
    assert flaw_in(a_line("Ana", WIN, ended_at=later)).code == "result"
    assert flaw_in(a_line("Ana", WIN, ended_at=earlier)).code == "result"
    assert flaw_in(a_line("Ana", WIN[:60], ended_at=earlier)).code == "result"
    check(a_line("Ana", WIN[:60], ended_at=later))


@pytest.mark.parametrize(
    ("state", "ended_at"),
    [
        ("out_of_time", "2026-11-30T12:14:59.999Z"),
        ("out_of_time", "2027-11-30T12:15:00.000Z"),
        ("resigned", "2026-11-30T12:15:00.000Z"),
        ("resigned", "2026-11-30T12:15:00.001Z"),
    ],
)
def test_who_is_out_of_time_ends_with_the_limit_and_nobody_else(state: str, ended_at: str) -> None:
    flaw = flaw_in(a_line("Ana", state=state, ended_at=ended_at))

    assert flaw.code == "result"
    assert "time limit of 900000 ms" in flaw.detail


def test_times_beyond_any_calendar_are_only_wrong() -> None:
    line = a_line("Ana", ["12", "rf"], time_limit_s=None)
    line["times_ms"][1] = line["result"]["at_ms"] = 10**18
    assert flaw_in(line).code == "result"
