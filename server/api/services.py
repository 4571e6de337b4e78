"""What calls work with, put together in `app.py`."""

from dataclasses import dataclass

from server.api.rates import Rates
from server.clock import Clock
from server.live.deadlines import Deadlines
from server.live.hub import Hub
from server.live.lobby import Lobby
from server.live.referee import Referee
from server.live.tasks import Tasks
from server.race.deals import Chance
from server.settings import Settings
from server.store.database import Database
from server.store.games import Games
from server.store.journal import Journal
from server.store.players import Players
from server.store.rooms import Rooms


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of a running server."""

    settings: Settings
    clock: Clock
    chance: Chance
    database: Database
    journal: Journal
    players: Players
    rooms: Rooms
    games: Games
    hub: Hub
    referee: Referee
    lobby: Lobby
    deadlines: Deadlines
    tasks: Tasks
    rates: Rates
