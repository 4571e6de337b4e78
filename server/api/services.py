"""What calls work with, put together in `app.py`."""

from dataclasses import dataclass

from server.api.page import Page
from server.api.rates import Rates
from server.clock import Clock
from server.live.attempts import Attempts
from server.live.bookkeeping import Bookkeeping
from server.live.buses.bus import Bus
from server.live.deadlines import Deadlines
from server.live.hub import Hub
from server.live.lobby import Lobby
from server.live.reconciler import Reconciler
from server.live.referee import Referee
from server.live.tasks import Tasks
from server.live.upkeep import Upkeep
from server.live.winnable.planner import Planner
from server.live.winnable.solving import Solvers
from server.live.winnable.stock import Stock
from server.race.deals import Chance
from server.settings import Settings
from server.store.attempts import Attempts as KeptAttempts
from server.store.boards import Boards
from server.store.dailies import Dailies
from server.store.database import Database
from server.store.games import Games
from server.store.journal import Journal
from server.store.players import Players
from server.store.proofs import Proofs
from server.store.rooms import Rooms
from server.store.truth import Truth


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of a running server; one that proves no deals has no solvers, stock and planner."""

    settings: Settings
    clock: Clock
    chance: Chance
    database: Database
    journal: Journal
    players: Players
    rooms: Rooms
    dailies: Dailies
    proofs: Proofs
    boards: Boards
    games: Games
    bus: Bus
    hub: Hub
    truth: Truth
    reconciler: Reconciler
    bookkeeping: Bookkeeping
    upkeep: Upkeep
    referee: Referee
    attempts: Attempts
    kept_attempts: KeptAttempts
    solvers: Solvers | None
    stock: Stock | None
    planner: Planner | None
    lobby: Lobby
    deadlines: Deadlines
    tasks: Tasks
    rates: Rates
    page: Page
