from __future__ import annotations

import json

import pytest
from canfield_race_client import frames
from canfield_race_client.errors import BadFrame

from tests.clients.builders import ANA, BO, a_frame, a_game_frame, a_welcome


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (a_welcome(), frames.Welcome),
        (a_game_frame(), frames.GameFrame),
        (a_frame("ready", offset=3, player=ANA, ready=False), frames.ReadyChanged),
        (a_frame("left", offset=4, player=ANA, host=BO), frames.Left),
        (a_frame("rematch", offset=5, room="abcd1234"), frames.RematchOffered),
        (a_frame("error", code="not_a_player", detail="no"), frames.Fault),
        (
            a_frame("countdown", offset=6, starts_at="2026-11-29T19:00:00.000Z"),
            frames.CountdownStarted,
        ),
    ],
)
def test_a_frame_decodes_by_its_type(text: str, kind: type) -> None:
    assert type(frames.decode(text)) is kind


def test_an_unknown_type_is_none_and_an_unknown_field_is_ignored() -> None:
    assert frames.decode(a_frame("confetti", offset=3)) is None
    assert frames.decode(a_frame("pong", t=1, mood="good")) == frames.Pong(t=1)


@pytest.mark.parametrize("text", ["", "[]", "not json", '{"type": "welcome"}', '{"epoch": "e1"}'])
def test_what_breaks_the_contract_is_a_bad_frame(text: str) -> None:
    with pytest.raises(BadFrame):
        frames.decode(text)


def test_a_frame_for_the_server_leaves_out_what_is_none() -> None:
    hello = json.loads(frames.encode("hello", token=None, since={"epoch": "e1", "offset": 3}))
    assert hello == {"type": "hello", "since": {"epoch": "e1", "offset": 3}}
