"""The Python client of Canfield Race servers: an async SDK, a command line and a bot."""

from canfield_race_client.client import Client
from canfield_race_client.errors import (
    ApiError,
    CanfieldError,
    ConnectionClosed,
    MoveRejected,
    ServerUnreachable,
)
from canfield_race_client.live import Event, Live
from canfield_race_client.live_core import Reconnected
from canfield_race_client.rooms import RoomCalls
from canfield_race_client.shapes import Ack, Game, Player, Registered, Room, Standing
from canfield_race_client.wire import Disconnected

__all__ = [
    "Ack",
    "ApiError",
    "CanfieldError",
    "Client",
    "ConnectionClosed",
    "Disconnected",
    "Event",
    "Game",
    "Live",
    "MoveRejected",
    "Player",
    "Reconnected",
    "Registered",
    "Room",
    "RoomCalls",
    "ServerUnreachable",
    "Standing",
]
