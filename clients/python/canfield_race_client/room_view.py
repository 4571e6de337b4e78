"""The room kept up to date: a snapshot plus the events after it equals a fresh snapshot."""

from __future__ import annotations

from msgspec.structs import replace

from canfield_race_client import frames
from canfield_race_client.shapes import Player, Room, Standing
from canfield_race_client.standings import Standings

SHOWN = 100
"""How many standings a server tells of: in a daily there may be more players."""


class RoomView:
    """A room as its events leave it, and where in the stream of events that is."""

    def __init__(self) -> None:
        self.standings = Standings()
        self._room: Room | None = None
        self._epoch: str | None = None
        self._offset = -1

    @property
    def room(self) -> Room | None:
        """The room now, its standings ranked; None before the first welcome."""
        if self._room is None:
            return None
        return replace(self._room, standings=self.ranked())

    def ranked(self) -> list[Standing]:
        """The first 100 standings, best first, with exact ranks."""
        return self.standings.ranked()[:SHOWN]

    def standing_of(self, me: Player, *, told: Standing | None) -> Standing | None:
        """How I stand, beyond the first 100 too: there the rank is as the server has `told` it."""
        for standing in self.ranked():
            if standing.player.id == me.id:
                return standing
        mine = self.standings.of(me.id)
        return replace(mine, rank=told.rank) if mine and told else told

    @property
    def is_over(self) -> bool:
        """Whether the room is finished or cancelled."""
        return self._room is not None and self._room.state in {"finished", "cancelled"}

    @property
    def allows_undo(self) -> bool:
        """Whether the room is played with undo."""
        return self._room is None or self._room.undo

    @property
    def since(self) -> dict[str, object] | None:
        """Up to where this view has heard, as a `hello` says it."""
        if self._epoch is None:
            return None
        return {"epoch": self._epoch, "offset": self._offset}

    def welcome(self, frame: frames.Welcome) -> None:
        """Start from a snapshot; a recovered stream goes on from where it broke off instead."""
        self._epoch = frame.epoch
        if frame.room is not None:
            self._room = frame.room
            self._offset = frame.offset
            self.standings = Standings(frame.room.standings)

    def fold(self, event: frames.RoomEvent) -> bool:
        """Take in an event; False if it is not newer than what is here, and so ignored."""
        if self._room is None or event.offset <= self._offset:
            return False
        self._offset = event.offset
        self._room = self._changed_by(event, self._room)
        return True

    def _changed_by(self, event: frames.RoomEvent, room: Room) -> Room:
        match event:
            case frames.StandingsChanged():
                for entry in event.entries:
                    self.standings.fold(entry)
                # In a daily nobody is said to have joined: who is not known here is a newcomer.
                return replace(room, player_count=max(room.player_count, len(self.standings)))
            case frames.Joined() | frames.Left() | frames.Kicked():
                return self._moved(event, room)
            case frames.ReadyChanged():
                self.standings.change(event.player, state="ready" if event.ready else "joined")
                return room
            case frames.Renamed():
                self.standings.change(event.player)
                is_host = room.host is not None and room.host.id == event.player.id
                return replace(room, host=event.player) if is_host else room
            case frames.RematchOffered():
                return replace(room, rematch=event.room)
            case _:
                return self._moved_on(event, room)

    def _moved(self, event: frames.Joined | frames.Left | frames.Kicked, room: Room) -> Room:
        """The room after somebody came or went."""
        if isinstance(event, frames.Joined):
            self.standings.fold(Standing(player=event.player, state="joined"))
            return replace(room, player_count=room.player_count + 1)
        self.standings.remove(event.player)
        host = event.host if isinstance(event, frames.Left) and event.host else room.host
        return replace(room, player_count=room.player_count - 1, host=host)

    def _moved_on(self, event: frames.RoomEvent, room: Room) -> Room:
        """The room after it came to another state."""
        match event:
            case frames.CountdownStarted():
                return replace(room, state="countdown", starts_at=event.starts_at)
            case frames.Started():
                self.standings.start()
                return replace(
                    room,
                    state="racing",
                    started_at=event.started_at,
                    ends_at=event.ends_at,
                    code=event.code,
                    nonce=event.nonce,
                )
            case frames.Finished():
                self.standings = Standings(event.standings)
                return replace(
                    room,
                    state="finished",
                    finished_at=event.finished_at,
                    code=event.code,
                    nonce=event.nonce,
                )
            case frames.Cancelled():
                return replace(room, state="cancelled")
            case _:
                return room
