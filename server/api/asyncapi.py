"""The live socket as an AsyncAPI 3.0 document, from the structs of its frames."""

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from msgspec import Struct

from server.api.docstrings import describe, summarize
from server.api.endpoint import PREFIX
from server.api.schemas import Schema, components
from server.live.messages import (
    Ack,
    Error,
    GameFrame,
    Hello,
    MoveFrame,
    PingFrame,
    Pong,
    ReadyFrame,
    Reject,
    ResignFrame,
    StandingsFrame,
    StartFrame,
    SyncFrame,
    Welcome,
    You,
)
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
    Started,
)

Document = dict[str, Any]
Frame = type[Struct]

FROM_CLIENTS: dict[Frame, tuple[Frame, ...]] = {
    Hello: (Welcome, You, GameFrame),
    MoveFrame: (Ack, Reject, Error),
    ReadyFrame: (ReadyChanged, Error),
    StartFrame: (Countdown, Error),
    ResignFrame: (StandingsFrame, Error),
    SyncFrame: (GameFrame, Error),
    PingFrame: (Pong,),
}
"""What clients send, each with the frames that it is answered with."""

ROOM_EVENTS: tuple[Frame, ...] = (
    Joined,
    Left,
    PlayerKicked,
    ReadyChanged,
    Renamed,
    Countdown,
    Started,
    StandingsFrame,
    Finished,
    Cancelled,
    RematchOpened,
)

TO_CLIENTS: list[Frame] = [Welcome, You, GameFrame, Ack, Reject, *ROOM_EVENTS, Pong, Error]

CLOSE_CODES: tuple[tuple[int, str, bool], ...] = (
    (1001, "the other side goes away", True),
    (1006, "the connection broke", True),
    (1009, "a frame is longer than the limit", False),
    (1012, "the server restarts", True),
    (4400, "not JSON, binary, of no known type, or not hello first", False),
    (4401, "the token is not valid, or not any more", False),
    (4404, "there is no such room", False),
    (4408, "no hello in time", True),
    (4409, "the player plays on a newer socket", False),
    (4413, "frames were read too slowly", True),
    (4429, "too many frames; wait the retry_after_ms of the error before it", True),
    (4500, "the server has a fault", True),
)
"""Every way that a socket ends: the code, why, and whether reconnecting helps."""

ABOUT = f"""One socket watches one room: `{PREFIX}/rooms/{{room}}/live`. Frames are JSON objects in
text frames, told apart by `type`, and are processed in the order they arrive.

The first frame is `hello`. With the token of someone who has joined, the socket is that player's
and plays; without one it watches. `ack` is sent only when the move is validated and on disk, so
whatever has not been acknowledged may be sent again, on any socket, and counts once."""


def describe_live() -> Document:
    """Give the AsyncAPI document of the live socket."""
    frames = [*FROM_CLIENTS, *TO_CLIENTS]
    references, schemas = components(frames)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Canfield Race, live",
            "version": version("canfield-race"),
            "description": ABOUT,
        },
        "defaultContentType": "application/json",
        "channels": {"live": _channel(frames)},
        "operations": _operations(),
        "components": {
            "schemas": schemas,
            "messages": {
                frame.__name__: _message(frame, payload)
                for frame, payload in zip(frames, references, strict=True)
            },
        },
    }


def _channel(frames: Sequence[Frame]) -> Document:
    codes = "\n".join(
        f"- {code}: {why}. {'Reconnect.' if again else 'Do not reconnect.'}"
        for code, why, again in CLOSE_CODES
    )
    return {
        "address": f"{PREFIX}/rooms/{{room}}/live",
        "title": "A room, live",
        "description": f"Close codes:\n\n{codes}",
        "parameters": {"room": {"description": "the room's id", "examples": ["k3x9q2abmn"]}},
        "messages": {
            frame.__name__: {"$ref": f"#/components/messages/{frame.__name__}"} for frame in frames
        },
        "bindings": {"ws": {"method": "GET"}},
        "x-close-codes": [
            {"code": code, "reason": why, "reconnect": again} for code, why, again in CLOSE_CODES
        ],
    }


def _message(frame: Frame, payload: Schema) -> Document:
    return {
        "name": str(frame.__struct_config__.tag),
        "title": frame.__name__,
        "summary": summarize(frame.__doc__),
        "description": describe(frame.__doc__),
        "payload": payload,
    }


def _operations() -> Document:
    """Give the server's side: it receives each client frame, and sends everything else."""
    received = {
        f"receive{frame.__name__.removesuffix('Frame')}": {
            "action": "receive",
            "channel": {"$ref": "#/channels/live"},
            "summary": summarize(frame.__doc__),
            "messages": _in_channel([frame]),
            "reply": {"channel": {"$ref": "#/channels/live"}, "messages": _in_channel(answers)},
        }
        for frame, answers in FROM_CLIENTS.items()
    }
    told = {
        "action": "send",
        "channel": {"$ref": "#/channels/live"},
        "summary": "Answer the player, and tell everyone who watches what happens",
        "messages": _in_channel(TO_CLIENTS),
    }
    return {**received, "send": told}


def _in_channel(frames: Sequence[Frame]) -> list[Document]:
    return [{"$ref": f"#/channels/live/messages/{frame.__name__}"} for frame in frames]
