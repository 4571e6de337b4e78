"""What `live` needs of storage, as small protocols: `api/app.py` gives it the real ones."""

from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import Literal, Protocol

from server.game import GameCode
from server.race.daily import Daily
from server.race.events import RoomEvent
from server.race.marks import Claim, Look
from server.race.plays import Log, Play, Settler
from server.race.proof import Opening, Proof, ProvenDeal, Variant
from server.race.room import Change, Room
from server.race.seat import Seat


class Journal(Protocol):
    """Puts actions on disk."""

    def submit(self, play: Play, settler: Settler) -> None:
        """Have a play written; `settler.settle` is called later, never before this returns."""


class Rooms(Protocol):
    """Keeps rooms; every call raises `Unavailable` when storage does not answer."""

    async def create(
        self, room: Room, *, idempotency_key: str | None = None, proof: Proof | None = None
    ) -> Room:
        """Keep a new room, or give the one made before with the same key."""

    async def made_with(self, idempotency_key: str, *, host_id: str) -> Room | None:
        """Give the room that this player made with this key, or None."""

    async def load(self, room_id: str) -> Room:
        """Read a room, a daily without its seats; raises `NotFound`."""

    async def load_shown(self, room_id: str, *, asked_for: Collection[str] = ()) -> Room:
        """Read a room with all that is shown of it, and the seats of players asked for."""

    async def change_since(
        self, room_id: str, version: int, *, asked_for: Collection[str] = ()
    ) -> Change:
        """Read a room with what happened in it since a version; raises `NotFound`."""

    async def save(
        self, room: Room, events: Sequence[RoomEvent], *, opening: Opening | None = None
    ) -> bool:
        """Write a change if nobody else has changed the room; gives whether it was written."""

    async def due(self, at: datetime) -> list[str]:
        """Name rooms with a change due."""

    async def forget_events(self, *, before: datetime) -> int:
        """Delete events that nobody goes on from any more; gives how many."""


class Games(Protocol):
    """Keeps games; every call raises `Unavailable` when storage does not answer."""

    async def log(self, game_id: str) -> Log:
        """Read everything that was written of a game."""

    async def end(
        self, game_id: str, *, state: Literal["resigned", "out_of_time"], at: datetime
    ) -> bool:
        """End a game that is racing; gives whether this call has."""

    async def end_all(self, room_id: str, *, at: datetime) -> int:
        """Let time run out for everyone who still races in a room."""

    async def pack(self, game_id: str) -> None:
        """Move the log of an ended game out of the live table."""

    async def pack_ended(self, room_id: str) -> None:
        """Move the logs of ended games out of the live table."""


class RunOut(Protocol):
    """A game whose own clock has run out while it was played."""

    @property
    def game_id(self) -> str:
        """The game."""

    @property
    def room_id(self) -> str:
        """The daily that it is of."""

    @property
    def player_id(self) -> str:
        """Who plays it."""

    @property
    def ends_at(self) -> datetime:
        """When its clock ran out."""


class Attempts(Protocol):
    """Keeps attempts at dailies; every call raises `Unavailable` when storage does not answer."""

    async def enter(self, daily: Daily, seat: Seat) -> bool:
        """Take a player into a daily; gives whether this call has."""

    async def seat(self, room_id: str, player_id: str) -> Seat | None:
        """Read a player's seat; None for someone who has not joined."""

    async def run_out(self, at: datetime) -> Sequence[RunOut]:
        """List games that are played though their own clock has run out."""


class Truth(Protocol):
    """What a node compares its knowledge with; every call raises `Unavailable` as the others do."""

    async def look(
        self,
        room_ids: Collection[str],
        token_ids: Collection[str],
        *,
        entrants: Collection[str] = (),
    ) -> Look:
        """Tell how far rooms and their players are, and which tokens are valid.

        Of dailies' players it tells of `entrants` only.
        """

    async def claim(self, claims: Sequence[Claim]) -> None:
        """Write who plays on which socket, where nobody has written a newer one."""


class Dailies(Protocol):
    """Keeps which room is the daily of a day; every call raises `Unavailable` as the others do."""

    async def room_of(self, day: date) -> str | None:
        """Name the room of a day, or None for one that is not planned."""

    async def plan(self, room: Daily, proof: Proof, *, number: int, at: datetime) -> str:
        """Make a room the daily of its day, if it has none; gives the day's room."""

    async def replace(
        self,
        replaced: Daily,
        events: Sequence[RoomEvent],
        *,
        by: Daily,
        proof: Proof,
        number: int,
        at: datetime,
    ) -> bool:
        """Put another room in the place of a withdrawn one; gives whether it was done."""

    async def secret(self, *, fresh: str) -> str:
        """Give what all nodes choose dailies' deals from; `fresh` if there is none yet."""


class Proofs(Protocol):
    """Keeps the proofs that rooms' deals can be won."""

    async def of_room(self, room_id: str) -> Proof | None:
        """Give a room's proof, None without one; raises `Unavailable` as the others do."""


class ProvenDeals(Protocol):
    """Keeps deals that can be won; every call raises `Unavailable` as the others do."""

    async def add(self, deal: ProvenDeal, *, at: datetime) -> None:
        """Put a deal in stock."""

    async def take(self, variant: Variant) -> ProvenDeal | None:
        """Take out a deal, which nobody else gets; None when there is none of this kind."""

    async def count(self) -> dict[Variant, int]:
        """Count the deals of each kind."""


class Prover(Protocol):
    """Tries to win deals."""

    async def prove(self, code: GameCode, *, positions: int, short: bool) -> Proof | None:
        """Look for a line to the win; None if there is none, or none among so many positions.

        A short one, fit to be read, takes much longer.
        """
