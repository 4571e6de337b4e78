"""One room as this node's sockets see it."""

from collections.abc import Iterator
from typing import Protocol

from server.live.messages import You
from server.live.outbox import REPLACED, Outbox
from server.race.player import Player
from server.race.room import Room
from server.race.standings import Entry, Standing, rank
from server.race.states import ENDED


class Listener(Protocol):
    """A socket that has said hello.

    Attributes:
        player: who holds it; None for a socket without a token.
        token_id: the token it said hello with.
        outbox: what is to be sent on it.
    """

    player: Player | None
    token_id: str | None
    outbox: Outbox

    async def enter_game(self) -> None:
        """Begin to play: the player's game is there."""


class Channel:
    """A room, its freshest standings, and the sockets that watch it.

    Attributes:
        room: as of the last change that reached this node; None before it has been loaded.
        sockets: every socket, those that have not said hello included; the channel goes with
            the last one.
        listeners: those that have been welcomed, players' and spectators'.
        players: the one socket that plays, for each player who has one here.
    """

    def __init__(self) -> None:
        self.room: Room | None = None
        self.sockets: set[Listener] = set()
        self.listeners: dict[Listener, None] = {}  # in the order of their hello
        self.players: dict[str, Listener] = {}
        self._entries: dict[str, Entry] = {}
        self._told: dict[str, You] = {}

    @property
    def spectators(self) -> int:
        """How many sockets only watch."""
        return len(self.listeners) - len(self.players)

    def renew(self, room: Room) -> None:
        """Take over a room that is newer than the one known."""
        if self.room is None or room.version >= self.room.version:
            self.room = room

    def fold(self, entries: list[Entry]) -> None:
        """Take over changed entries; of two for one player the one further on holds."""
        for entry in entries:
            known = self._entries.get(entry.player.id)
            if known is None or how_far(entry) >= how_far(known):
                self._entries[entry.player.id] = entry

    def standings(self, room: Room) -> list[Standing]:
        """Rank the room's players by what is freshest of each."""
        return rank(self._freshest(seat.entry) for seat in room.seats)

    def broadcast(self, frame: bytes) -> None:
        """Send the same bytes to every socket."""
        for listener in self.listeners:
            listener.outbox.push(frame)

    def add(self, listener: Listener) -> bool:
        """Take a socket in; gives whether it plays. The player's older one is closed."""
        self.listeners[listener] = None
        player = listener.player
        if player is None or self.room is None or self.room.seat_of(player.id) is None:
            return False
        older = self.players.get(player.id)
        if older is not None:
            self._replace(older)
        self.players[player.id] = listener
        self._told.pop(player.id, None)
        return True

    def remove(self, listener: Listener) -> None:
        """Let a socket go."""
        self.sockets.discard(listener)
        self.listeners.pop(listener, None)
        player = listener.player
        if player is not None and self.players.get(player.id) is listener:
            del self.players[player.id]

    def promote(self, player_id: str) -> None:
        """Let the newest socket of someone who has joined play; the older ones are closed."""
        if player_id in self.players:
            return
        own = [one for one in self.listeners if one.player and one.player.id == player_id]
        if own:
            self.players[player_id] = own.pop()
        for older in own:
            self._replace(older)

    def demote(self, player_id: str) -> None:
        """Let the socket of someone who has no seat any more only watch."""
        self.players.pop(player_id, None)
        self._told.pop(player_id, None)
        self._entries.pop(player_id, None)

    def news(self) -> Iterator[tuple[Listener, You]]:
        """Tell the players' sockets who they are here, where that has changed."""
        if self.room is None:
            return
        for standing in self.standings(self.room):
            player = standing.player
            if (listener := self.players.get(player.id)) is None:
                continue
            host = self.room.host_id == player.id
            you = You(player=player, host=host, state=standing.state, entry=standing)
            told = self._told.get(player.id)
            if told and (told.player, told.host, told.state) == (player, host, standing.state):
                continue
            self._told[player.id] = you
            yield listener, you

    def _replace(self, older: Listener) -> None:
        self.listeners.pop(older, None)
        older.outbox.close(REPLACED, "you play on another socket now")

    def _freshest(self, stored: Entry) -> Entry:
        live = self._entries.get(stored.player.id)
        if live is None or how_far(live) < how_far(stored):
            return stored
        return Entry(
            player=stored.player,
            state=live.state,
            placed=live.placed,
            score=live.score,
            actions=live.actions,
            at_ms=live.at_ms,
        )


def how_far(entry: Entry) -> tuple[int, bool, bool]:
    """Order what was said of one player: more actions, the race on, then the end."""
    return (entry.actions, entry.state not in ("joined", "ready"), entry.state in ENDED)
