import msgspec
import pytest

from server.race.events import (
    Cancelled,
    Countdown,
    Finished,
    Joined,
    Left,
    PlayerKicked,
    ReadyChanged,
    RematchOpened,
    Renamed,
    RoomEvent,
    Started,
    read_event,
    write_event,
)
from server.race.standings import rank
from tests.race.builders import ANA, BO, an_entry

THEN = "2026-11-29T19:00:00.000Z"
LATER = "2026-11-29T19:15:00.000Z"

FRAMES: list[tuple[RoomEvent, str, set[str]]] = [
    (Joined(player=BO), "joined", {"player"}),
    (Left(player=BO, host=ANA), "left", {"player", "host"}),
    (PlayerKicked(player=BO), "kicked", {"player"}),
    (ReadyChanged(player=BO, ready=True), "ready", {"player", "ready"}),
    (Renamed(player=BO), "renamed", {"player"}),
    (Countdown(starts_at=THEN), "countdown", {"starts_at"}),
    (
        Started(started_at=THEN, ends_at=LATER, code=None, nonce=None),
        "started",
        {"started_at", "ends_at", "code", "nonce"},
    ),
    (
        Finished(finished_at=LATER, code="C", nonce="N", standings=rank([an_entry()])),
        "finished",
        {"finished_at", "code", "nonce", "standings"},
    ),
    (Cancelled(reason="idle"), "cancelled", {"reason"}),
    (RematchOpened(room="r_2"), "rematch", {"room"}),
]


@pytest.mark.parametrize(("event", "kind", "fields"), FRAMES, ids=[kind for _, kind, _ in FRAMES])
def test_an_event_is_written_as_the_contract_has_it(
    event: RoomEvent, kind: str, fields: set[str]
) -> None:
    frame = msgspec.json.decode(msgspec.json.encode(event))

    assert frame["type"] == kind
    assert set(frame) == {"type", "offset"} | fields


@pytest.mark.parametrize("event", [event for event, _, _ in FRAMES], ids=lambda e: type(e).__name__)
def test_an_event_that_was_written_down_is_read_again_as_it_was(event: RoomEvent) -> None:
    placed = msgspec.structs.replace(event, offset=7 * 2**32 + 5)

    for one in (event, placed):
        assert read_event(write_event(one)) == one


def test_what_is_no_event_is_not_read_as_one() -> None:
    for text in ('{"type": "standings", "entries": []}', '{"type": "joined"}', "{}", "joined"):
        with pytest.raises(msgspec.DecodeError):
            read_event(text)


def test_every_event_is_in_this_list() -> None:
    events = {e for e in RoomEvent.__subclasses__() if e.__module__ == RoomEvent.__module__}
    assert {type(event) for event, _, _ in FRAMES} == events


def test_an_event_has_no_place_in_the_stream_until_it_is_told() -> None:
    assert all(event.offset == 0 for event, _, _ in FRAMES)
