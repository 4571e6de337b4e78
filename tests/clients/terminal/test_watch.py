from __future__ import annotations

from canfield_race_client import Disconnected, Reconnected
from canfield_race_client.frames import Pong
from canfield_race_client.terminal.watch import note_of, title_of

from tests.clients.builders import a_room


def test_a_break_is_told_with_how_long_the_next_attempt_takes() -> None:
    note = note_of(Disconnected(close_code=1006, reason="", retry_in_s=0.5))
    assert note == "connection lost (1006); trying again in 0.5 s"
    assert note_of(Reconnected(recovered=True, unanswered=0)) == "connected again"
    back = Reconnected(recovered=False, unanswered=2)
    assert note_of(back) == "connected again; moves sent again: 2"
    assert note_of(Pong()) is None


def test_a_room_without_a_title_goes_by_its_id() -> None:
    assert title_of(a_room(title="")) == "k3x9q2ab: CF1 draw 3, racing"
