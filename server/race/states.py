"""The states of rooms and players, and every transition there is."""

from typing import Literal

RoomState = Literal["open", "countdown", "racing", "finished", "cancelled"]
PlayerState = Literal["joined", "ready", "racing", "won", "resigned", "out_of_time"]

Verb = Literal["join", "leave", "ready", "kick", "start", "go", "cancel", "finish", "rematch"]

ROOM: dict[RoomState, dict[Verb, RoomState]] = {
    "open": {
        "join": "open",
        "leave": "open",
        "ready": "open",
        "kick": "open",
        "start": "countdown",
        "cancel": "cancelled",
    },
    "countdown": {
        "join": "countdown",
        "leave": "countdown",
        "kick": "countdown",
        "go": "racing",
        "cancel": "cancelled",
    },
    "racing": {"finish": "finished"},
    "finished": {"rematch": "finished"},
    "cancelled": {},
}
"""What may be done to a room in each state, and the state it leaves."""

WAITING: frozenset[RoomState] = frozenset({"open", "countdown"})
"""The room's race lies ahead."""

STARTED: frozenset[RoomState] = frozenset({"racing", "finished"})
"""The room has dealt: its players have games."""

OVER: frozenset[RoomState] = frozenset({"finished", "cancelled"})
"""Nothing happens in the room any more."""

ENDED: frozenset[PlayerState] = frozenset({"won", "resigned", "out_of_time"})
"""The player's game takes no further action."""
