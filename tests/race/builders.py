"""Rooms, players and times that the tests of a room's life are built from."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import Any

import msgspec
import pytest

from server.game import GameCode
from server.race.daily import Daily, open_daily, start_of
from server.race.daily_deals import candidate
from server.race.deals import Deal
from server.race.errors import RaceError
from server.race.player import Player
from server.race.room import Room, open_room
from server.race.settings import RoomSettings, RoomWish, settle
from server.race.standings import Entry
from server.race.states import PlayerState, RoomState

OPENED = datetime(2026, 11, 29, 19, tzinfo=UTC)
"""When every room of these tests is opened."""

ANA, BO, CY, DI, EVA = (
    Player(id=f"p_{name.lower()}", name=name, kind="human")
    for name in ("Ana", "Bo", "Cy", "Di", "Eva")
)
COMPANY = [ANA, BO, CY, DI, EVA]
STRANGER = Player(id="p_stranger", name="Stranger", kind="bot")

OPEN_CODE, SEALED_CODE = "CF1-D3-AAAAACL", "CF1-D3-QWERTYUIOPASDFGHJKLZXCVBNMAB"
NONCE = "0123456789abcdef0123456789abcdef"


def after(seconds: float) -> datetime:
    """The instant so many seconds after the room was opened."""
    return OPENED + timedelta(seconds=seconds)


def settings_for(**wish: Any) -> RoomSettings:
    return settle(RoomWish(**wish), now=OPENED)[0]


def a_room(
    *, players: int = 1, racing: bool = False, code_is_known: bool = False, **wish: Any
) -> Room:
    """A room opened by Ana and joined by the next ones of the company; racing: since 10 s."""
    settings = settings_for(**wish)
    code = GameCode.parse(SEALED_CODE if settings.sealed else OPEN_CODE)
    room = open_room(
        "r_1",
        settings,
        Deal(code=code, nonce=NONCE),
        code_is_known=code_is_known,
        host=ANA,
        game_id="g_ana",
        at=OPENED,
    )
    for second, player in enumerate(COMPANY[1:players], start=1):
        room.join(player, game_id=f"g_{player.name.lower()}", at=after(second))
    if racing:
        race(room)
    return room


TODAY = OPENED.date()
"""The day that dailies of these tests are of."""


def a_daily(*, racing: bool = False, day: date = TODAY, room_id: str = "r_daily") -> Daily:
    """A day's room, opened two days ahead; racing: since the day began."""
    opened = start_of(day) - timedelta(days=2)
    daily = open_daily(room_id, candidate("a secret", day, 0), day=day, at=opened)
    if racing:
        daily.advance(at=daily.opens_at)
    return daily


def race(room: Room) -> None:
    """Have the race begin 10 s after the room was opened."""
    room.start(ANA, at=after(10) - timedelta(seconds=room.settings.countdown_s))
    room.advance(at=after(10))
    assert room.state == "racing"


def end_game(
    room: Room,
    player: Player,
    state: PlayerState = "resigned",
    *,
    elapsed_s: float = 60,
    **progress: int,
) -> None:
    """End a player's game as the store would have it read."""
    seat = room.seat_of(player.id)
    assert seat is not None
    assert room.started_at is not None
    seat.state, seat.ended_at = state, room.started_at + timedelta(seconds=elapsed_s)
    for name, value in progress.items():
        setattr(seat, name, value)


def a_room_in(state: RoomState, **wish: Any) -> Room:
    """A room of two in a state, come to it as rooms do."""
    room = a_room(players=2, **wish)
    if state == "cancelled":
        room.cancel(ANA, at=after(9))
    if state == "countdown":
        room.start(ANA, at=after(9))
    if state in ("racing", "finished"):
        race(room)
    if state == "finished":
        assert room.ends_at is not None
        for player in (ANA, BO):
            end_game(room, player, "out_of_time", elapsed_s=room.settings.time_limit_s)
        room.finish()
    assert room.state == state
    return room


def an_entry(player: Player = ANA, **fields: Any) -> Entry:
    entry: dict[str, Any] = {"state": "racing", "placed": 1, "score": 0, "actions": 0, "at_ms": 0}
    return Entry(player=player, **entry | fields)


def everything(room: Room) -> bytes:
    """All there is to know of a room."""
    return msgspec.json.encode(room)


@contextmanager
def refused(room: Room, error: type[RaceError]) -> Iterator[pytest.ExceptionInfo[Any]]:
    """Expect a refusal that leaves the room as it was."""
    before = everything(room)
    with pytest.raises(error) as refusal:
        yield refusal
    assert everything(room) == before


def numbered(prefix: str) -> Iterator[str]:
    """Identifiers without end."""
    return (f"{prefix}{number}" for number in count(1))
