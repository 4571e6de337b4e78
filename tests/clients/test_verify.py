from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from canfield_race_client.exported import Flaw
from canfield_race_client.rules import Board, GameCode, parse_action
from canfield_race_client.rules.move import MOVES, TAPS
from canfield_race_client.verify import Report, Verifier, verify_export
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.clients.exports import CODE, Line, a_line, a_race, as_text, in_one_room, published

WIN = published(won=True)
RACE = a_race()
"""Di without a move, Bo and Cy who tie, Ana who won, Ed with undo."""

FIELDS = [
    "room", "player", "code", "nonce", "commitment", "ruleset", "draw", "undo", "time_limit_s",
    "players", "result",
]  # fmt: skip
"""What of a line any change is found in."""


def verify(lines: list[Line]) -> Report:
    return verify_export(as_text(lines))


def flaw_in(lines: list[Line]) -> Flaw:
    with pytest.raises(Flaw) as found:
        verify(lines)
    return found.value


def changed(line: int, path: tuple[str | int, ...], value: object) -> list[Line]:
    """The race with one value of one line changed."""
    lines = copy.deepcopy(RACE)
    there: Any = lines[line]
    for key in path[:-1]:
        there = there[key]
    there[path[-1]] = value
    return lines


@pytest.mark.parametrize("code", [CODE, "CF1-D1-ZZZZZZZ", "CH1-D3-KEMUBCR"])
def test_a_whole_race_holds_ties_included(code: str) -> None:
    lines = a_race(code=code)
    ranks = [line["result"]["rank"] for line in lines]
    assert len(set(ranks)) == len(ranks) - 1
    report = verify(lines)
    assert (report.games, report.ranks_checked) == (5, True)
    assert report.moves == sum(len(line["moves"]) for line in lines)
    assert f"5 games of room k3x9q2ab ({code})" in str(report)
    assert str(report).endswith("ranks included")


def test_one_game_holds_without_its_rank_being_checked() -> None:
    report = verify([RACE[4]])
    assert (report.games, report.ranks_checked) == (1, False)
    assert "rank not checked" in str(report)
    alone = a_line("Ana", WIN[:10])
    assert verify([alone]).ranks_checked
    assert not verify([alone | {"players": None}]).ranks_checked


def test_the_rank_of_one_of_many_is_one_that_there_can_be() -> None:
    line = json.loads(json.dumps(RACE[4]))
    line["result"]["rank"] = line["players"] + 1

    assert flaw_in([line]).code == "rank"


def test_the_rank_of_a_player_alone_is_the_first() -> None:
    line = a_line("Ana", WIN)
    line["result"]["rank"] = 2
    assert flaw_in([line]).code == "rank"


def test_a_file_without_a_game_is_no_proof() -> None:
    assert flaw_in([]).code == "missing"


def test_games_that_are_missing_are_counted() -> None:
    flaw = flaw_in(RACE[:3])
    assert (flaw.code, flaw.detail) == ("missing", "2 of 5 games are missing")


def test_games_that_are_too_many_are_told() -> None:
    lines = [line | {"players": 4} for line in RACE]
    assert flaw_in(lines).code == "other_room"


def test_where_nobody_says_how_many_there_are_the_ranks_of_all_lines_are_checked() -> None:
    lines = [line | {"players": None} for line in RACE]
    assert verify(lines).ranks_checked
    assert flaw_in([lines[2], lines[4]]).code == "rank"


@pytest.mark.parametrize("same", ["id", "player"])
def test_no_game_and_no_player_is_there_twice(same: str) -> None:
    lines = copy.deepcopy(RACE)
    lines[3][same] = lines[1][same]
    lines[3]["result"]["player"] = lines[3]["player"]
    flaw = flaw_in(lines)
    assert (flaw.code, flaw.place.line) == ("twice", 4)
    assert "line 2" in flaw.detail


def test_ties_share_a_rank_and_the_next_one_skips() -> None:
    tied = [line["result"]["rank"] for line in RACE]
    assert sorted(tied) == [1, 2, 2, 4, 5]
    flaw = flaw_in(changed(3, ("result", "rank"), 3))
    assert (flaw.code, flaw.place.line, flaw.place.game) == ("rank", 4, "g_cy")
    assert flaw.place.player is not None
    assert flaw.place.player.name == "Cy"
    assert flaw.detail == "rank 3 is claimed, the results give 2"


def test_fewer_actions_and_an_earlier_time_are_better_ranks() -> None:
    slower = a_line("Ana", [*WIN[:10], "d"])
    earlier = a_line("Bo", WIN[:10], step_ms=240)
    lines = in_one_room(slower, earlier, a_line("Cy", WIN[:10]))
    assert [line["result"]["rank"] for line in lines] == [3, 1, 2]
    assert verify(lines).ranks_checked


def test_the_first_line_with_a_flaw_is_named_and_nothing_after_it_is_read() -> None:
    read: list[bytes] = []

    def lines() -> Iterator[bytes]:
        for text in as_text(changed(1, ("moves", 7), "sideways")):
            read.append(text)
            yield text

    with pytest.raises(Flaw) as found:
        verify_export(lines())
    assert str(found.value).startswith("line 2, game g_bo, player Bo, move 8: 'sideways'")
    assert len(read) == 2


def test_a_verifier_takes_lines_as_they_come() -> None:
    verifier = Verifier()
    players = [verifier.add(text).player.name for text in as_text(RACE)]
    assert players == ["Di", "Bo", "Ana", "Cy", "Ed"]
    assert verifier.finish() == verify(RACE)


def paths(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The ways to every value that holds no others."""
    if isinstance(value, dict):
        return [way for key, within in value.items() for way in paths(within, (*path, key))]
    return [path]


SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=40)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_whatever_value_is_changed_it_is_found(data: st.DataObject) -> None:
    line = data.draw(st.integers(0, len(RACE) - 1), label="line")
    checked = {name: RACE[line][name] for name in FIELDS}
    path = data.draw(st.sampled_from(paths(checked)), label="path")
    before: Any = RACE[line]
    for key in path:
        before = before[key]
    near: st.SearchStrategy[Any] = SCALARS
    if type(before) is int:
        near = st.integers(before - 3, before + 3) | SCALARS
    value = data.draw(
        near.filter(lambda drawn: type(drawn) is not type(before) or drawn != before), label="value"
    )
    flaw_in(changed(line, path, value))


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_move_that_the_rules_forbid_there_is_found_at_its_place(data: st.DataObject) -> None:
    line = data.draw(st.sampled_from([1, 2, 3, 4]), label="line")
    moves = RACE[line]["moves"]
    number = data.draw(st.integers(0, len(moves) - 1), label="number")
    board = Board.deal(GameCode.parse(CODE))
    for move in moves[:number]:
        board.play(parse_action(move))
    legal = {str(move) for move in board.legal_moves}
    readable = st.sampled_from(sorted(set(MOVES) - legal)) | st.sampled_from(sorted(TAPS))
    unreadable = st.text(max_size=9).filter(lambda text: text not in MOVES and text != "u")
    flaw = flaw_in(changed(line, ("moves", number), data.draw(readable | unreadable)))
    assert (flaw.code, flaw.place.line, flaw.place.move) == ("move", line + 1, number + 1)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_time_out_of_order_is_found_at_its_place(data: st.DataObject) -> None:
    line = data.draw(st.sampled_from([1, 2, 3, 4]), label="line")
    times = RACE[line]["times_ms"]
    number = data.draw(st.integers(0, len(times) - 2), label="number")
    earlier = st.integers(max_value=times[number - 1] - 1 if number else -1)
    later = st.integers(min_value=times[number + 1] + 1)
    flaw = flaw_in(changed(line, ("times_ms", number), data.draw(earlier | later)))
    if flaw.code == "time":
        assert flaw.place.move in {number + 1, number + 2}
    else:
        assert flaw.code == "unreadable"


def test_a_move_left_out_a_line_left_out_and_a_line_moved_in_are_found() -> None:
    for line in range(1, len(RACE)):
        lines = copy.deepcopy(RACE)
        del lines[line]["moves"][-1], lines[line]["times_ms"][-1]
        assert flaw_in(lines).place.line == line + 1
        assert flaw_in(RACE[:line] + RACE[line + 1 :]).code == "missing"
    assert flaw_in([*RACE, a_line("Fay", players=5)]).code == "other_room"


SHORT = in_one_room(
    a_line("Ana", WIN[:8]), a_line("Bo", WIN[:8]), a_line("Cy", ["d", "u"]), a_line("Di")
)


def facts(text: bytes) -> object:
    """What a check of an export vouches for, as far as it can be told without the rules."""
    return [{name: json.loads(line).get(name) for name in FIELDS} for line in text.splitlines()]


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_a_changed_byte_is_found_or_changes_nothing_that_was_vouched_for(
    data: st.DataObject,
) -> None:
    text = b"".join(as_text(SHORT))
    at = data.draw(st.integers(0, len(text) - 1), label="at")
    byte = data.draw(st.integers(0, 127).filter(lambda byte: byte != text[at]), label="byte")
    tampered = text[:at] + bytes([byte]) + text[at + 1 :]
    try:
        verify_export(tampered.splitlines(keepends=True))
    except Flaw:
        return
    assert facts(tampered) == facts(text)
