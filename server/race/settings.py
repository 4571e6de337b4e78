"""What a room is played by, and which wishes contradict each other."""

import unicodedata
from datetime import datetime, timedelta
from typing import Annotated, Literal

from msgspec import Meta, Struct

from server.game import CH1, RULESETS, BadCode, GameCode
from server.race.errors import Invalid
from server.race.instants import whole_milliseconds

Visibility = Literal["public", "unlisted"]
StartMode = Literal["host", "ready", "at"]
RulesetName = Literal["CF1", "CH1"]
Draw = Literal[1, 3]

LONGEST_AHEAD = timedelta(days=7)
"""How far ahead a start may be set."""


class RoomWish(Struct, frozen=True, forbid_unknown_fields=True):
    """What the creator of a room asks for; every field has a default.

    Attributes:
        code: a fixed deal; it settles `ruleset` and `draw` where those are not given.
        winnable: a random deal proven winnable.
        start_at: when the race starts; required by, and only for, `start` "at".
        undo: as the ruleset has it unless switched off.
        ranked: true unless `code` is given.
    """

    ruleset: RulesetName | None = None
    draw: Draw | None = None
    code: Annotated[str, Meta(max_length=64)] | None = None
    winnable: bool = False
    sealed: bool = False
    seats: Annotated[int, Meta(ge=1, le=100)] = 8
    visibility: Visibility = "public"
    time_limit_s: Annotated[int, Meta(ge=60, le=7200)] = 900
    start: StartMode = "host"
    start_at: Annotated[datetime, Meta(tz=True)] | None = None
    countdown_s: Annotated[int, Meta(ge=0, le=60)] = 5
    undo: bool | None = None
    ranked: bool | None = None
    title: Annotated[str, Meta(max_length=80)] | None = None


class RoomSettings(Struct, frozen=True):
    """What a room is played by, settled and without contradictions."""

    ruleset: RulesetName
    draw: Draw
    sealed: bool
    seats: int
    visibility: Visibility
    time_limit_s: int
    start: StartMode
    start_at: datetime | None
    countdown_s: int
    undo: bool
    ranked: bool
    title: str


def settle(wish: RoomWish, *, now: datetime) -> tuple[RoomSettings, GameCode | None]:
    """Settle a wish into settings and, where one was typed, the fixed code.

    Where none was, the deal is random, among those proven winnable if that is wished.

    Raises:
        Invalid: two wishes contradict, or a value cannot be; `pointer` names the field.
    """
    code = _typed_code(wish)
    ruleset: RulesetName = wish.ruleset or ("CF1" if code is None else _ruleset_of(code))
    draw: Draw = wish.draw or (3 if code is None or code.draw == 3 else 1)
    _refuse_contradictions(wish, code, ruleset=ruleset, draw=draw)
    _check_start(wish, now=now)
    rules = RULESETS[ruleset]
    settings = RoomSettings(
        ruleset=ruleset,
        draw=draw,
        sealed=wish.sealed,
        seats=wish.seats,
        visibility=wish.visibility,
        time_limit_s=wish.time_limit_s,
        start=wish.start,
        start_at=None if wish.start_at is None else whole_milliseconds(wish.start_at),
        countdown_s=wish.countdown_s,
        undo=rules.undo_depth > 0 if wish.undo is None else wish.undo,
        ranked=(code is None) if wish.ranked is None else wish.ranked,
        title=_clean_title(wish.title or ""),
    )
    return settings, code


def _ruleset_of(code: GameCode) -> RulesetName:
    return "CH1" if code.ruleset is CH1 else "CF1"


def _typed_code(wish: RoomWish) -> GameCode | None:
    if wish.code is None:
        return None
    try:
        return GameCode.parse(wish.code)
    except BadCode as error:
        raise Invalid(str(error), pointer="/code") from error


def _refuse_contradictions(
    wish: RoomWish, code: GameCode | None, *, ruleset: str, draw: int
) -> None:
    if draw not in RULESETS[ruleset].draws:
        raise Invalid(f"{ruleset} is played with draw 3 only; leave draw out", pointer="/draw")
    if wish.undo and not RULESETS[ruleset].undo_depth:
        raise Invalid(f"{ruleset} has no undo; leave undo out or set it to false", pointer="/undo")
    if code is not None:
        _refuse_beside_code(wish, code, ruleset=ruleset, draw=draw)


def _refuse_beside_code(wish: RoomWish, code: GameCode, *, ruleset: str, draw: int) -> None:
    if code.ruleset.name != ruleset:
        raise Invalid(f"{code} is not a {ruleset} code; leave ruleset out", pointer="/ruleset")
    if code.draw != draw:
        raise Invalid(f"{code} is not a draw {draw} code; leave draw out", pointer="/draw")
    why = "whoever typed a code knows the deal; leave out either this or code"
    for field in ("sealed", "winnable", "ranked"):
        if getattr(wish, field):
            raise Invalid(f"code contradicts {field}: {why}", pointer=f"/{field}")


def _check_start(wish: RoomWish, *, now: datetime) -> None:
    if (wish.start == "at") != (wish.start_at is not None):
        raise Invalid('start_at goes with start "at", and only with it', pointer="/start_at")
    if wish.start_at is not None and not now < wish.start_at <= now + LONGEST_AHEAD:
        raise Invalid(
            f"start_at must lie ahead, by {LONGEST_AHEAD.days} days at most", pointer="/start_at"
        )


def _clean_title(title: str) -> str:
    if any(unicodedata.category(character)[0] == "C" for character in title):
        raise Invalid(
            "a title is one line without control characters or formatting", pointer="/title"
        )
    return " ".join(title.split())
