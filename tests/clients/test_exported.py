from __future__ import annotations

import json

import pytest
from canfield_race_client.exported import Flaw, Place, read_game
from canfield_race_client.shapes import Player

from tests.clients.exports import a_line, as_text

OPTIONAL = {"undo", "time_limit_s", "ended_at", "players"}
NEEDED = [name for name in a_line("Ana") if name not in OPTIONAL]


def test_a_line_is_read_with_all_that_it_says() -> None:
    [text] = as_text([a_line("Ana", ["12", "rf"])])
    game = read_game(text, line=1)
    assert (game.player.name, game.moves, game.times_ms) == ("Ana", ["12", "rf"], [250, 500])
    assert (game.result.placed, game.result.state, game.undo) == (2, "resigned", True)


def test_what_a_newer_server_adds_is_ignored_and_what_an_older_leaves_out_is_unknown() -> None:
    line = a_line("Ana") | {"weather": "fine"}
    for name in OPTIONAL:
        del line[name]
    game = read_game(json.dumps(line), line=1)
    assert (game.undo, game.time_limit_s, game.ended_at, game.players) == (None, None, None, None)


@pytest.mark.parametrize("name", NEEDED)
def test_what_a_check_needs_must_be_there(name: str) -> None:
    line = a_line("Ana")
    del line[name]
    with pytest.raises(Flaw) as found:
        read_game(json.dumps(line), line=7)
    assert (found.value.code, found.value.place) == ("unreadable", Place(line=7))
    assert name in found.value.detail


DEEP = b'{"x": ' + b"[" * 200_000


@pytest.mark.parametrize(
    "text",
    [b"", b"\n", b"[]", b"{", b"\xff", b"null", '{"id": "\ud800"}', b'{"id": 1}', b"[[", DEEP],
    ids=lambda text: ascii(text[:20]),
)
def test_what_is_no_game_is_told(text: bytes | str) -> None:
    with pytest.raises(Flaw) as found:
        read_game(text, line=2)
    assert found.value.code == "unreadable"
    assert str(found.value).startswith("line 2: ")


@pytest.mark.parametrize(
    "change",
    [
        {"state": "racing"}, {"placed": -1}, {"placed": "2"}, {"actions": None}, {"rank": 0},
        {"at_ms": 1.5}, {"score": "5"},
    ],
    ids=str,
)  # fmt: skip
def test_a_result_that_can_be_none_is_no_result(change: dict[str, object]) -> None:
    line = a_line("Ana")
    line["result"] |= change
    with pytest.raises(Flaw, match="no exported game"):
        read_game(json.dumps(line), line=1)


def test_what_a_player_is_must_be_said() -> None:
    line = a_line("Ana") | {"player": {"id": "p_1", "name": "Ana"}}
    with pytest.raises(Flaw, match="kind"):
        read_game(json.dumps(line), line=1)


def test_an_instant_without_its_zone_is_none() -> None:
    line = a_line("Ana", started_at="2026-11-30T12:00:00.000")
    with pytest.raises(Flaw, match="started_at"):
        read_game(json.dumps(line), line=1)


def test_a_place_says_only_what_is_known_of_it() -> None:
    assert str(Place()) == ""
    assert str(Place(line=2)) == "line 2"
    assert str(Place(line=2, player=Player(id="p_1", name=""))) == "line 2, player (gone)"
    assert str(Flaw("missing", "there is no game in it", Place())) == "there is no game in it"
