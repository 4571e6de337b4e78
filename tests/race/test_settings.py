from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from server.race.errors import Invalid
from server.race.settings import LONGEST_AHEAD, RoomWish, settle
from tests.race.builders import OPENED, after

SEALED_LETTERS = "CF1-D3-QWERTYUIOPASDFGHJKLZXCVBNMAB"

CONTRADICTIONS: list[tuple[dict[str, Any], str]] = [
    ({"ruleset": "CH1", "draw": 1}, "/draw"),
    ({"ruleset": "CH1", "undo": True}, "/undo"),
    ({"code": "CH1-D3-AAAAACL", "undo": True}, "/undo"),
    ({"code": "CH1-D3-AAAAACL", "draw": 1}, "/draw"),
    ({"code": "CF1-D3-AAAAACL", "ruleset": "CH1"}, "/ruleset"),
    ({"code": "CH1-D3-AAAAACL", "ruleset": "CF1"}, "/ruleset"),
    ({"code": "CF1-D3-AAAAACL", "draw": 1}, "/draw"),
    ({"code": "CF1-D1-AAAAACL", "draw": 3}, "/draw"),
    ({"code": "CF1-D3-AAAAACL", "sealed": True}, "/sealed"),
    ({"code": SEALED_LETTERS, "sealed": True}, "/sealed"),
    ({"code": "CF1-D3-AAAAACL", "winnable": True}, "/winnable"),
    ({"code": "CF1-D3-AAAAACL", "ranked": True}, "/ranked"),
    ({"code": "CF1-D3-AAAAAC"}, "/code"),
    ({"code": "CF1-D2-AAAAACL"}, "/code"),
    ({"code": "XX1-D3-AAAAACL"}, "/code"),
    ({"code": "CF1-D3-AAAA\x00CL"}, "/code"),
    ({"code": ""}, "/code"),
    ({"start": "at"}, "/start_at"),
    ({"start": "host", "start_at": after(60)}, "/start_at"),
    ({"start": "ready", "start_at": after(60)}, "/start_at"),
    ({"start": "at", "start_at": OPENED}, "/start_at"),
    ({"start": "at", "start_at": after(-1)}, "/start_at"),
    ({"start": "at", "start_at": OPENED + LONGEST_AHEAD + timedelta(seconds=1)}, "/start_at"),
    ({"start": "at", "start_at": datetime.max.replace(tzinfo=UTC)}, "/start_at"),
    ({"title": "two\nlines"}, "/title"),
    ({"title": "nothing\x00"}, "/title"),
    ({"title": "turned \u202e round"}, "/title"),
]

OUT_OF_RANGE: list[dict[str, Any]] = [
    {"seats": 0},
    {"seats": 101},
    {"seats": 2.5},
    {"time_limit_s": 59},
    {"time_limit_s": 7201},
    {"countdown_s": -1},
    {"countdown_s": 61},
    {"draw": 2},
    {"ruleset": "cf1"},
    {"visibility": "secret"},
    {"start": "now"},
    {"start_at": "2026-11-29T19:00:00"},
    {"title": "x" * 81},
    {"code": "x" * 65},
    {"sealed": "yes"},
    {"seat": 8},
]


def test_a_wish_for_nothing_is_the_contracts_defaults() -> None:
    settings, code = settle(RoomWish(), now=OPENED)

    assert code is None
    assert msgspec.to_builtins(settings) == {
        "ruleset": "CF1",
        "draw": 3,
        "sealed": False,
        "seats": 8,
        "visibility": "public",
        "time_limit_s": 900,
        "start": "host",
        "start_at": None,
        "countdown_s": 5,
        "undo": True,
        "ranked": True,
        "title": "",
    }


@pytest.mark.parametrize(("wish", "pointer"), CONTRADICTIONS)
def test_what_contradicts_is_refused_and_the_field_is_named(
    wish: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(Invalid) as refusal:
        settle(RoomWish(**wish), now=OPENED)

    assert refusal.value.pointer == pointer
    assert len(refusal.value.detail) > 15


@pytest.mark.parametrize("wish", OUT_OF_RANGE)
def test_a_wish_with_a_value_that_cannot_be_is_not_read(wish: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode(wish), type=RoomWish)


@pytest.mark.parametrize(
    "wish", [{"seats": 1}, {"seats": 100}, {"time_limit_s": 60}, {"time_limit_s": 7200}]
)
def test_the_ends_of_every_range_are_inside(wish: dict[str, Any]) -> None:
    settings, _ = settle(msgspec.convert(wish, RoomWish), now=OPENED)

    assert msgspec.to_builtins(settings).items() >= wish.items()


@pytest.mark.parametrize(
    ("text", "ruleset", "draw", "undo"),
    [
        ("CF1-D3-AAAAACL", "CF1", 3, True),
        ("cf1-d1-aaaaacl", "CF1", 1, True),
        ("CH1-D3-AAAAACL", "CH1", 3, False),
        (SEALED_LETTERS, "CF1", 3, True),
    ],
)
def test_a_typed_code_settles_ruleset_and_draw_and_is_never_ranked(
    text: str, ruleset: str, draw: int, undo: bool
) -> None:
    settings, code = settle(RoomWish(code=text), now=OPENED)

    assert str(code) == text.upper()
    assert (settings.ruleset, settings.draw, settings.undo) == (ruleset, draw, undo)
    assert not settings.ranked
    assert not settings.sealed


def test_undo_is_as_the_ruleset_has_it_unless_switched_off() -> None:
    wishes = [RoomWish(), RoomWish(undo=False), RoomWish(ruleset="CH1"), RoomWish(undo=True)]

    assert [settle(wish, now=OPENED)[0].undo for wish in wishes] == [True, False, False, True]


def test_a_room_with_a_random_deal_is_ranked_unless_it_asks_not_to_be() -> None:
    assert settle(RoomWish(sealed=True), now=OPENED)[0].ranked
    assert not settle(RoomWish(ranked=False), now=OPENED)[0].ranked


def test_a_wish_for_a_winnable_deal_settles_like_any_other() -> None:
    assert settle(RoomWish(winnable=True), now=OPENED) == settle(RoomWish(), now=OPENED)


def test_a_start_is_kept_in_utc_to_the_millisecond() -> None:
    wish = msgspec.convert(
        {"start": "at", "start_at": "2026-11-29T21:00:00.123999+01:00"}, RoomWish
    )

    settings, _ = settle(wish, now=OPENED)

    assert settings.start_at == datetime(2026, 11, 29, 20, 0, 0, 123000, tzinfo=UTC)
    assert settings.start_at is not None
    assert settings.start_at.utcoffset() == timedelta(0)


def test_a_start_may_lie_as_far_ahead_as_allowed() -> None:
    latest = OPENED + LONGEST_AHEAD

    assert settle(RoomWish(start="at", start_at=latest), now=OPENED)[0].start_at == latest


def test_blanks_of_a_title_are_tidied() -> None:
    settings, _ = settle(RoomWish(title="  Friday \u00a0 race "), now=OPENED)

    assert settings.title == "Friday race"
