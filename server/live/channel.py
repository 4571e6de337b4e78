"""One room as this node's sockets see it."""

import asyncio
from collections.abc import Iterable, Iterator
from typing import Protocol

from server.live.messages import StandingsFrame, You, encode
from server.live.offsets import Place
from server.live.outbox import REPLACED, Outbox
from server.live.scoreboard import Scoreboard
from server.race.events import Joined, Left, PlayerKicked, RoomEvent
from server.race.instants import from_epoch_ms, instant, to_epoch_ms
from server.race.player import Player
from server.race.room import Change, Room
from server.race.standings import Standing
from server.race.states import PlayerState

MOST_AHEAD_MS = 10_000  # how far ahead of this node's clock an offset of another node may be


class Listener(Protocol):
    """A socket that has said hello.

    Attributes:
        player: who holds it; None for a socket without a token.
        token_id: the token it said hello with.
        claim: when it said hello, so that of two sockets of a player the newer one is known.
        outbox: what is to be sent on it.
    """

    player: Player | None
    token_id: str | None
    claim: str
    outbox: Outbox

    async def enter_game(self, room: Room) -> None:
        """Begin to play: the player's game is there."""


class Channel:
    """A room, its freshest standings, and the sockets that watch it.

    Attributes:
        room: as of the last event told here; None before it has been read.
        newest: the newest version heard of; where it is greater than the room's, events are
            missing here.
        scores: how far everyone has come.
        catching_up: held by whoever reads what is missing.
        sockets: every socket, those that have not said hello included; the channel goes with
            the last one.
        listeners: those that have been welcomed, players' and spectators'.
        players: the one socket that plays, for each player who has one here.
    """

    def __init__(self) -> None:
        self.room: Room | None = None
        self.newest = 0
        self.scores = Scoreboard()
        self.catching_up = asyncio.Lock()
        self.sockets: set[Listener] = set()
        self.listeners: dict[Listener, None] = {}  # in the order of their hello
        self.players: dict[str, Listener] = {}
        self._tick = 0
        self._told: dict[str, You] = {}

    # What is told, and where it stands in the stream

    @property
    def is_behind(self) -> bool:
        """Whether events that happened have not been told here."""
        return self.room is not None and self.room.version < self.newest

    @property
    def place(self) -> Place:
        """Where everything told here ends."""
        return Place(0 if self.room is None else self.room.version, self._tick)

    def open(self, room: Room) -> None:
        """Begin with a room as it is, untold: every socket is to be welcomed to it."""
        self._take_over(room)
        self._told.clear()
        self.scores.open(room)
        present = [seat.player.id for seat in (*room.seats, *room.asked)]
        for player_id in self.players.keys() - set(present):
            self.demote(player_id)
        for player_id in present:
            self.promote(player_id)

    def follow(self, change: Change) -> list[RoomEvent] | None:
        """Tell what of a change has not been told; gives those events.

        Gives None, and does nothing, where events between the known version and the change are
        missing.
        """
        room = change.room
        if self.room is None:
            self.open(room)
            return []
        missed = [] if room.version <= self.room.version else change.since(self.room.version)
        if missed is None:
            return None
        known = self.room
        if missed:
            self._take_over(room)
            if room.state != "racing":
                self.scores.all_told()  # by `finished`; nothing older may follow it
        for version, event in missed:
            self._tell(event, Place(version, 0))
        if room.state == "racing":
            self.scores.move_window(known, room if missed else known)
            self.scores.fold(seat.entry for seat in room.seats)
        return [event for _, event in missed]

    def refresh(self, room: Room) -> list[Listener]:
        """Take over a daily as it has just been read; gives the sockets that play from now on."""
        known, self.room = self.room, room
        if known is not None:
            self.scores.move_window(known, room)
        waiting = self.identified - self.players.keys()
        joined = [player_id for player_id in waiting if room.seat_of(player_id) is not None]
        return [one for player_id in joined if (one := self.promote(player_id)) is not None]

    def standings_frame(self, *, now_ms: int, everyone: bool = False) -> StandingsFrame | None:
        """Give the entries that have not been told, or everyone's, as the next frame.

        None where there are none, and before and after the race: `started` and `finished` tell.
        """
        room = self.room
        if room is None or room.state != "racing":
            return None
        entries = self.scores.entries(room) if everyone else self.scores.take_untold(room)
        if not entries:
            return None
        self._tick = max(self._tick + 1, self._race_ms(now_ms))
        at = instant(from_epoch_ms(now_ms))
        return StandingsFrame(offset=self.place.offset, at=at, entries=entries)

    def go_on_from(self, place: Place, *, now_ms: int) -> bool:
        """Let what is told from here on come after a place that a client has been told elsewhere.

        Gives False for a place that no node can have come to.
        """
        latest = self._race_ms(now_ms) + MOST_AHEAD_MS
        if place.version != self.place.version or place.tick > latest:
            return False
        self._tick = max(self._tick, place.tick)
        return True

    def broadcast(self, frame: bytes) -> None:
        """Send the same bytes to every socket."""
        for listener in self.listeners:
            listener.outbox.push(frame)

    def _take_over(self, room: Room) -> None:
        self.room = room
        self.newest = max(self.newest, room.version)
        self._tick = 0

    def _tell(self, event: RoomEvent, place: Place) -> None:
        event.offset = place.offset
        self.broadcast(encode(event))
        match event:
            case Joined(player=player):
                self.promote(player.id)
            case Left(player=player) | PlayerKicked(player=player):
                self.demote(player.id)
            case _:
                pass

    def _race_ms(self, now_ms: int) -> int:
        started_at = self.room.started_at if self.room else None
        return 0 if started_at is None else max(0, now_ms - to_epoch_ms(started_at))

    # The sockets

    @property
    def spectators(self) -> int:
        """How many sockets only watch."""
        return len(self.listeners) - len(self.players)

    def add(self, listener: Listener) -> bool:
        """Take a socket in; gives whether it plays. Of the player's two, the older is closed."""
        self.listeners[listener] = None
        player = listener.player
        if player is None or self.room is None or self.room.seat_of(player.id) is None:
            return False
        other = self.players.get(player.id)
        if other is not None and other.claim > listener.claim:
            self._replace(listener)  # it said hello before the other, and had to wait for longer
            return False
        if other is not None:
            self._replace(other)
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

    @property
    def identified(self) -> set[str]:
        """The players who have a socket here, whether they have joined or not."""
        return {one.player.id for one in self.sockets if one.player is not None}

    @property
    def concerned(self) -> set[str]:
        """The players whose seats have to be known here: with a socket, or shown until now."""
        shown = () if self.room is None else self.room.seats
        return self.identified | {seat.player.id for seat in shown}

    def has_waiting(self, player_ids: Iterable[str]) -> bool:
        """Whether one of these players has a socket here that only watches."""
        return bool(self.identified.intersection(player_ids) - self.players.keys())

    def close_all(self, code: int, reason: str) -> None:
        """Close every socket, those that have not said hello included."""
        for listener in self.sockets:
            listener.outbox.close(code, reason)

    def promote(self, player_id: str) -> Listener | None:
        """Let the newest socket of someone who has joined play; the older ones are closed.

        Gives the socket that plays from now on, if there is one that did not before.
        """
        if player_id in self.players:
            return None
        own = [one for one in self.listeners if one.player and one.player.id == player_id]
        own.sort(key=lambda one: one.claim)
        if own:
            self.players[player_id] = own.pop()
        for older in own:
            self._replace(older)
        return self.players.get(player_id)

    def demote(self, player_id: str) -> None:
        """Let the socket of someone who has no seat any more only watch."""
        self.players.pop(player_id, None)
        self._told.pop(player_id, None)
        self.scores.forget(player_id)

    def yield_to(self, player_id: str, claim: str) -> bool:
        """Close a player's socket here, if the claim is that of a newer one; gives whether it was.

        A claim is the time of a hello, see `server.live.claims`.
        """
        listener = self.players.get(player_id)
        if listener is None or listener.claim >= claim:
            return False
        del self.players[player_id]
        self._replace(listener)
        return True

    def tell_news(self, *, racing_too: bool = False) -> None:
        """Tell the players' sockets who they are here, where that has changed.

        With `racing_too` those who race are told how they stand even if only that has changed.
        """
        for listener, news in self._news(racing_too):
            listener.outbox.push(encode(news))

    def _news(self, racing_too: bool) -> Iterator[tuple[Listener, You]]:  # noqa: FBT001 — see above
        if self.room is None:
            return
        for standing in (*self.scores.standings(self.room), *self.scores.asked(self.room)):
            player = standing.player
            if (listener := self.players.get(player.id)) is None:
                continue
            you = self._you(self.room, standing)
            told = self._told.get(player.id)
            unchanged = told and _who(told) == _who(you)
            if unchanged and not (racing_too and standing.state == "racing"):
                continue
            self._told[player.id] = you
            yield listener, you

    def _you(self, room: Room, standing: Standing) -> You:
        player = standing.player
        seat = room.seat_of(player.id)
        clock = {} if seat is None else seat.own_clock
        return You(
            player=player,
            host=room.host_id == player.id,
            state=standing.state,
            entry=standing,
            **{name: instant(at) for name, at in clock.items()},
        )

    def _replace(self, older: Listener) -> None:
        self.listeners.pop(older, None)
        older.outbox.close(REPLACED, "you play on another socket now")


def _who(you: You) -> tuple[Player, bool, PlayerState]:
    return (you.player, you.host, you.state)
