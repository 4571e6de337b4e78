"""Attempts at dailies: let in by arrival, and out of time by clocks of their own."""

import asyncio

import structlog

from server.clock import Clock, now
from server.live import ports
from server.live.hub import Hub
from server.live.referee import DRAIN_S, Referee
from server.live.rounds import go_on
from server.live.sessions import Sessions
from server.race.course import GRACE
from server.race.daily import Daily
from server.race.deals import Chance
from server.race.errors import DailyOver, NotFound
from server.race.instants import from_epoch_ms
from server.race.player import Player
from server.race.room import Room

log = structlog.get_logger()

SWEEP_S = 1.0  # how often the database is asked whose clock has run out


class Attempts:
    """Begins and ends players' games in dailies."""

    def __init__(
        self,
        kept: ports.Attempts,
        games: ports.Games,
        *,
        referee: Referee,
        sessions: Sessions,
        hub: Hub,
        clock: Clock,
        chance: Chance,
    ) -> None:
        self._kept = kept
        self._games = games
        self._referee = referee
        self._sessions = sessions
        self._hub = hub
        self._clock = clock
        self._chance = chance

    async def enter(self, room_id: str, *, player: Player, arrived_ms: int) -> Room:
        """Begin a player's attempt at the instant of arrival, unless there is one already.

        Raises:
            DailyOver: the day was over by then.
            WrongState: the day had not begun.
            NotFound: there is no such daily.
        """
        daily = await self._daily(room_id, player)
        if daily.seat_of(player.id) is not None:
            return daily
        at = from_epoch_ms(arrived_ms)
        seat = daily.admit(player, game_id=self._chance.identifier(), at=at)
        entered = await self._kept.enter(daily, seat)
        daily = await self._daily(room_id, player)
        if entered:
            log.info("daily.entered", room=room_id, player=player.id)
            self._hub.pulse.entered(daily, seat)
        elif daily.seat_of(player.id) is None:
            raise DailyOver(f"the daily of {daily.day} has finished meanwhile")
        return daily

    async def sweep(self) -> None:
        """End every second what has run out, for as long as it runs."""
        await go_on(self.end_run_out, name="attempts", every_s=SWEEP_S)

    async def end_run_out(self) -> None:
        """End the games whose clock has run out, and put them away.

        Raises:
            Unavailable: storage did not answer.
        """
        for attempt in await self._kept.run_out(now(self._clock) - GRACE):
            await self._end(attempt)

    async def _end(self, attempt: ports.RunOut) -> None:
        session = self._sessions.find(attempt.room_id, attempt.player_id)
        if session is not None:
            try:
                async with asyncio.timeout(DRAIN_S):
                    await session.settled()
            except TimeoutError:
                log.warning("game.moves_left_behind", game=attempt.game_id)
        ended = await self._games.end(attempt.game_id, state="out_of_time", at=attempt.ends_at)
        if session is not None:
            session.expire()
        if ended:
            seat = await self._kept.seat(attempt.room_id, attempt.player_id)
            if seat is not None:
                self._hub.ticker.progress(attempt.room_id, seat.entry)
            await self._games.pack(attempt.game_id)

    async def _daily(self, room_id: str, player: Player) -> Daily:
        room = await self._referee.present(room_id, asking=player)
        if not isinstance(room, Daily):
            raise NotFound(f"the room {room_id!r} is no daily; GET /api/v1/daily shows today's")
        return room
