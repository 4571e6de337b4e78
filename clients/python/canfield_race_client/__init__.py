"""The Python client of Canfield Race servers: an async SDK, a command line and a bot."""

from canfield_race_client.client import Client
from canfield_race_client.errors import (
    ApiError,
    CanfieldError,
    ConnectionClosed,
    MoveRejected,
    ServerUnreachable,
)
from canfield_race_client.exported import Flaw
from canfield_race_client.ghosts import Ghosts
from canfield_race_client.live import Event, Live
from canfield_race_client.live_core import Reconnected
from canfield_race_client.rooms import RoomCalls
from canfield_race_client.shapes import Ack, Daily, Game, Player, Registered, Room, Standing
from canfield_race_client.verify import Report, Verifier, verify_export
from canfield_race_client.wire import Disconnected

__all__ = [
    "Ack",
    "ApiError",
    "CanfieldError",
    "Client",
    "ConnectionClosed",
    "Daily",
    "Disconnected",
    "Event",
    "Flaw",
    "Game",
    "Ghosts",
    "Live",
    "MoveRejected",
    "Player",
    "Reconnected",
    "Registered",
    "Report",
    "Room",
    "RoomCalls",
    "ServerUnreachable",
    "Standing",
    "Verifier",
    "verify_export",
]
