import json
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from server.live.messages import (
    FRAMES,
    Hello,
    MoveFrame,
    PingFrame,
    Pong,
    ReadyFrame,
    ResignFrame,
    Since,
    StartFrame,
    SyncFrame,
    UnknownFrame,
    decode,
    encode,
)
from server.race.errors import Invalid

KNOWN = [
    ({"type": "hello"}, Hello()),
    ({"type": "hello", "token": "cr_x"}, Hello("cr_x")),
    (
        {"type": "hello", "since": {"epoch": "e", "offset": 17}},
        Hello(since=Since(epoch="e", offset=17)),
    ),
    ({"type": "move", "ply": 3, "move": "r1"}, MoveFrame(ply=3, move="r1")),
    ({"type": "ready", "ready": False}, ReadyFrame(ready=False)),
    ({"type": "start"}, StartFrame()),
    ({"type": "resign"}, ResignFrame()),
    ({"type": "sync"}, SyncFrame()),
    ({"type": "ping", "t": 1.5}, PingFrame(t=1.5)),
    ({"type": "ping", "t": "x"}, PingFrame(t="x")),
    ({"type": "ping"}, PingFrame()),
]


@pytest.mark.parametrize(("sent", "read"), KNOWN)
def test_every_frame_of_the_contract_is_read(sent: dict[str, Any], read: object) -> None:
    assert decode(json.dumps(sent)) == read


WRONG = [
    ('{"type": "hello", "token": 5}', "/token"),
    ('{"type": "hello", "tokens": "x"}', "/tokens"),
    ('{"type": "hello", "since": {"epoch": "e"}}', "/since/offset"),
    ('{"type": "hello", "since": {"epoch": "e", "offset": "1"}}', "/since/offset"),
    ('{"type": "move", "ply": 3}', "/move"),
    ('{"type": "move", "ply": -1, "move": "d"}', "/ply"),
    ('{"type": "move", "ply": 2147483648, "move": "d"}', "/ply"),
    ('{"type": "move", "ply": true, "move": "d"}', "/ply"),
    ('{"type": "move", "ply": 1.5, "move": "d"}', "/ply"),
    ('{"type": "move", "ply": 1, "move": ["d"]}', "/move"),
    ('{"type": "ready", "ready": "yes"}', "/ready"),
    ('{"type": "start", "a/b~c": 1}', "/a~1b~0c"),
    ('{"type": "ping", "t": {}}', "/t"),
    ('{"type": "ping", "t": 1e999}', "/t"),
    ('{"type": "ping", "t": 9007199254740993}', "/t"),
]


@pytest.mark.parametrize(("text", "pointer"), WRONG)
def test_wrong_fields_are_pointed_at(text: str, pointer: str) -> None:
    with pytest.raises(Invalid) as refusal:
        decode(text)

    assert refusal.value.pointer == pointer
    assert str(refusal.value)


DEEP = "[" * 2000 + "]" * 2000


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        '"hello"',
        "{}",
        '{"type": 5}',
        '{"type": null}',
        '{"type": "shout"}',
        '{"type": "Hello"}',
        '{"kind": "hello"}',
        '{"type": "hello"} {"type": "hello"}',
        '{"type": "hello", "token": "\\ud800"}',
        DEEP,
    ],
)
def test_what_is_no_json_object_of_a_known_type_is_no_frame(text: str) -> None:
    with pytest.raises(UnknownFrame):
        decode(text)


def test_how_deep_json_may_go_is_pythons_to_say_but_it_is_refused_either_way() -> None:
    with pytest.raises((UnknownFrame, Invalid)):
        decode('{"type": "hello", "zzz": ' + DEEP + "}")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
LIKE_A_FRAME = st.dictionaries(
    st.sampled_from(["type", "ply", "move", "token", "since", "ready", "t"]) | st.text(),
    st.sampled_from(sorted(FRAMES)) | JSON,
).map(json.dumps)


@given(text=st.text() | JSON.map(json.dumps) | LIKE_A_FRAME)
@example(text='{"type": "ping", "t": ' + "9" * 400 + "}")
def test_whatever_comes_is_a_frame_or_refused_as_such(text: str) -> None:
    try:
        frame = decode(text)
    except (UnknownFrame, Invalid):
        return
    assert type(frame).__struct_config__.tag in FRAMES
    if isinstance(frame, PingFrame):
        pong = msgspec.json.decode(encode(Pong(t=frame.t, server_time="now")))
        assert pong["t"] == frame.t
