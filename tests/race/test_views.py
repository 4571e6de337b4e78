from typing import Any, get_args

import msgspec
import pytest

from server.race.events import RoomEvent
from server.race.room import Room
from server.race.standings import rank
from server.race.states import RoomState
from server.race.views import view_room
from tests.race.builders import (
    ANA,
    BO,
    NONCE,
    OPEN_CODE,
    SEALED_CODE,
    a_room,
    a_room_in,
    after,
    an_entry,
    end_game,
    race,
)

STATES: list[RoomState] = list(get_args(RoomState))

OPEN: dict[str, Any] = {}
SEALED: dict[str, Any] = {"sealed": True}
TYPED: dict[str, Any] = {"code_is_known": True, "ranked": False}

MAY_BE_KNOWN: dict[tuple[str, RoomState], tuple[bool, bool]] = {
    ("open", "open"): (False, False),
    ("open", "countdown"): (False, False),
    ("open", "racing"): (True, True),
    ("open", "finished"): (True, True),
    ("open", "cancelled"): (False, False),
    ("sealed", "open"): (False, False),
    ("sealed", "countdown"): (False, False),
    ("sealed", "racing"): (False, False),
    ("sealed", "finished"): (True, True),
    ("sealed", "cancelled"): (False, False),
    ("typed", "open"): (True, False),
    ("typed", "countdown"): (True, False),
    ("typed", "racing"): (True, True),
    ("typed", "finished"): (True, True),
    ("typed", "cancelled"): (True, False),
}
"""Whether the code, and whether the nonce, is shown."""

WISHES = {"open": OPEN, "sealed": SEALED, "typed": TYPED}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("dealt", WISHES)
def test_code_and_nonce_are_shown_when_they_may_be_known_and_no_sooner(
    dealt: str, state: RoomState
) -> None:
    shown = view_room(a_room_in(state, **WISHES[dealt]))

    code = SEALED_CODE if dealt == "sealed" else OPEN_CODE
    code_known, nonce_known = MAY_BE_KNOWN[dealt, state]
    assert shown.code == (code if code_known else None)
    assert shown.nonce == (NONCE if nonce_known else None)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("dealt", WISHES)
def test_a_secret_is_in_no_other_field_either(dealt: str, state: RoomState) -> None:
    text = msgspec.json.encode(view_room(a_room_in(state, **WISHES[dealt])))

    code_known, nonce_known = MAY_BE_KNOWN[dealt, state]
    letters = (SEALED_CODE if dealt == "sealed" else OPEN_CODE).rpartition("-")[2]
    assert (letters.encode() in text) is code_known
    assert (NONCE.encode() in text) is nonce_known


@pytest.mark.parametrize("dealt", WISHES)
def test_events_tell_a_secret_exactly_when_the_room_shows_it(dealt: str) -> None:
    room = a_room(players=2, **WISHES[dealt])
    events: list[tuple[RoomState, RoomEvent]] = []

    def note(made: list[RoomEvent]) -> None:
        events.extend((room.state, event) for event in made)

    note(room.set_ready(BO, ready=True, at=after(3)))
    note(room.start(ANA, at=after(5)))
    note(room.advance(at=after(10)))
    for player in (ANA, BO):
        end_game(room, player)
    note(room.finish())

    letters = (SEALED_CODE if dealt == "sealed" else OPEN_CODE).rpartition("-")[2]
    assert [state for state, _ in events] == ["open", "countdown", "racing", "finished"]
    for state, event in events:
        text = msgspec.json.encode(event)
        revealed = MAY_BE_KNOWN[dealt, state][1]
        assert (NONCE.encode() in text) is revealed
        assert (letters.encode() in text) is revealed


@pytest.mark.parametrize("state", STATES)
def test_the_commitment_is_there_from_the_beginning_and_never_changes(state: RoomState) -> None:
    assert view_room(a_room_in(state)).commitment == a_room().deal.commitment


def test_a_room_is_shown_field_by_field() -> None:
    room = a_room(players=2, title="Friday race", countdown_s=0)
    race(room)

    shown = msgspec.to_builtins(view_room(room, spectators=3))

    del shown["standings"], shown["commitment"]
    assert shown == {
        "id": "r_1",
        "kind": "race",
        "state": "racing",
        "version": 4,
        "ruleset": "CF1",
        "draw": 3,
        "sealed": False,
        "seats": 8,
        "visibility": "public",
        "time_limit_s": 900,
        "start": "host",
        "start_at": None,
        "countdown_s": 0,
        "undo": True,
        "ranked": True,
        "title": "Friday race",
        "host": {"id": "p_ana", "name": "Ana", "kind": "human"},
        "code": OPEN_CODE,
        "nonce": NONCE,
        "created_at": "2026-11-29T19:00:00.000Z",
        "starts_at": "2026-11-29T19:00:10.000Z",
        "started_at": "2026-11-29T19:00:10.000Z",
        "ends_at": "2026-11-29T19:15:10.000Z",
        "finished_at": None,
        "player_count": 2,
        "spectators": 3,
        "rematch": None,
    }


def test_a_room_shows_its_own_standings_or_fresher_ones() -> None:
    room = a_room(players=2, racing=True)
    fresher = rank([an_entry(BO, placed=7), an_entry(ANA, placed=3)])

    assert view_room(room).standings == room.standings()
    assert view_room(room, standings=fresher).standings == fresher


def test_a_room_that_everyone_left_has_no_host() -> None:
    room: Room = a_room()
    room.leave(ANA, at=after(1))

    shown = view_room(room)

    assert (shown.state, shown.host, shown.player_count) == ("cancelled", None, 0)
