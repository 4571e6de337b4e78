"""Comparing what this node's sockets know with the database, every second.

Other nodes' hints only make sooner what this finds anyway: events and progress that were not told
here, tokens revoked elsewhere, players who play on another node's socket now.
"""

from typing import Literal

import structlog

from server import metrics
from server.live.channel import Channel
from server.live.hub import Hub
from server.live.ports import Truth
from server.live.rounds import go_on
from server.race.errors import Unavailable
from server.race.marks import Claim, RoomMark
from server.race.states import ENDED

log = structlog.get_logger()

COMPARE_S = 1.0  # how often; a token revoked elsewhere closes its sockets within two seconds


class Reconciler:
    """Makes up what a node's sockets have missed."""

    def __init__(self, hub: Hub, truth: Truth) -> None:
        self._hub = hub
        self._truth = truth
        self._written: set[str] = set()  # the claims of sockets here, as far as they are
        self._seen: dict[str, RoomMark] = {}  # at the last look

    async def run(self) -> None:
        """Compare every second, for as long as it runs."""
        await go_on(self.compare, name="comparison", every_s=COMPARE_S)

    async def compare(self) -> None:
        """Compare once, and make up what is missing.

        Raises:
            Unavailable: storage did not answer.
        """
        channels = {
            room_id: channel
            for room_id, channel in self._hub.channels.items()
            if channel.room is not None
        }
        await self._write_claims(channels)
        tokens = _tokens(channels)
        entrants = {player_id for channel in channels.values() for player_id in channel.players}
        look = await self._truth.look(channels, tokens, entrants=entrants)
        if look.epoch != self._hub.epoch:
            log.info("epoch.began", epoch=look.epoch)
            await self._hub.begin(look.epoch)
        for token_id in tokens - look.tokens:
            metrics.count_made_up("token")
            self._hub.disconnect(token_id)
        # What could be read a second ago and is not known here yet, no hint is under way to tell.
        seen, self._seen = self._seen, look.rooms
        for room_id, channel in channels.items():
            if room_id in look.rooms:
                _close_replaced(channel, look.rooms[room_id])
            if room_id in seen and (what := self._what_is_missing(channel, seen[room_id])):
                metrics.count_made_up(what)
                await self._catch_up(room_id, channel)

    def _what_is_missing(
        self, channel: Channel, mark: RoomMark
    ) -> Literal["room", "standings"] | None:
        room = channel.room
        if room is None or room.version > mark.version:
            return None
        if room.version < mark.version:
            return "room"
        for entry in channel.scores.entries(room):
            seat = mark.seats.get(entry.player.id)
            known = (entry.actions, entry.state in ENDED)
            if seat is not None and (seat.actions, seat.ended) > known:
                return "standings"
        return "standings" if self._hub.games_are_behind(room, mark) else None

    async def _catch_up(self, room_id: str, channel: Channel) -> None:
        try:
            await self._hub.catch_up(channel)
        except Unavailable:
            raise
        except Exception:  # a room is a scope of its own: the others do not wait for it
            log.exception("room.not_caught_up", room=room_id)

    async def _write_claims(self, channels: dict[str, Channel]) -> None:
        """Write who plays here, as far as that is not written yet."""
        present = [
            (room_id, player_id, listener.claim)
            for room_id, channel in channels.items()
            for player_id, listener in channel.players.items()
        ]
        fresh = [Claim(*claim) for claim in present if claim[-1] not in self._written]
        if fresh:
            await self._truth.claim(fresh)
        self._written = {text for _, _, text in present}


def _tokens(channels: dict[str, Channel]) -> set[str]:
    return {
        listener.token_id
        for channel in channels.values()
        for listener in channel.listeners
        if listener.token_id is not None
    }


def _close_replaced(channel: Channel, mark: RoomMark) -> None:
    for player_id, seat in mark.seats.items():
        if seat.claim is not None and channel.yield_to(player_id, seat.claim):
            metrics.count_made_up("takeover")
