"""Opening rooms: the first one, and the next one of the same company."""

from server.clock import Clock, now
from server.game import RULESETS
from server.live.attempts import Attempts
from server.live.deadlines import Deadlines
from server.live.ports import Rooms
from server.live.referee import Referee
from server.race.daily import Daily
from server.race.deals import Chance, Deal
from server.race.errors import NotAPlayer, NotInADaily
from server.race.player import Player
from server.race.proof import Opening
from server.race.room import Room, open_room
from server.race.settings import RoomSettings, RoomWish, settle


class Lobby:
    """Opens rooms, and has players join them."""

    def __init__(
        self,
        *,
        rooms: Rooms,
        referee: Referee,
        attempts: Attempts,
        deadlines: Deadlines,
        clock: Clock,
        chance: Chance,
    ) -> None:
        self._rooms = rooms
        self._referee = referee
        self._attempts = attempts
        self._deadlines = deadlines
        self._clock = clock
        self._chance = chance

    async def open(
        self, wish: RoomWish, *, host: Player, idempotency_key: str | None = None
    ) -> Room:
        """Open a room, or give the one that this player opened with the same key.

        Raises:
            Invalid, NotAvailable: the wish cannot be.
        """
        settings, code = settle(wish, now=now(self._clock))
        deal = self._random_deal(settings) if code is None else self._chance.commit(code)
        room = self._new(settings, deal, host=host, code_is_known=code is not None)
        room = await self._rooms.create(room, idempotency_key=idempotency_key)
        self._deadlines.arm(room)
        return room

    async def join(self, room_id: str, *, player: Player, arrived_ms: int) -> Room:
        """Take a seat for a player; see `Room.join`, and for a daily `Daily.admit`."""
        if isinstance(await self._referee.present(room_id), Daily):
            return await self._attempts.enter(room_id, player=player, arrived_ms=arrived_ms)
        game_id = self._chance.identifier()
        return await self._referee.change(
            room_id, lambda room, at: room.join(player, game_id=game_id, at=at)
        )

    async def rematch(self, room_id: str, *, player: Player, arrived_ms: int) -> Room:
        """Give everyone who asks the same next room, joined, with a new deal.

        Raises:
            NotAPlayer: the player was not in this race.
            NotInADaily: the next one comes with the next day.
            WrongState: the race is not finished, or the rematch has begun without the player.
            RoomFull: the rematch is full.
        """
        finished = await self._referee.present(room_id)
        if isinstance(finished, Daily):
            raise NotInADaily("a daily has no rematch: the next one comes with the next day")
        if finished.seat_of(player.id) is None:
            raise NotAPlayer("a rematch is for those who were in the race; open a room instead")
        if finished.rematch is None:
            deal = self._random_deal(finished.settings)
            room = self._new(finished.settings, deal, host=player)
            finished = await self._referee.change(
                room_id,
                lambda old, at: old.open_rematch(player, room_id=room.id, at=at),
                opening=Opening(room),
            )
        return await self.join(str(finished.rematch), player=player, arrived_ms=arrived_ms)

    def _random_deal(self, settings: RoomSettings) -> Deal:
        ruleset = RULESETS[settings.ruleset]
        return self._chance.deal(ruleset=ruleset, draw=settings.draw, sealed=settings.sealed)

    def _new(
        self, settings: RoomSettings, deal: Deal, *, host: Player, code_is_known: bool = False
    ) -> Room:
        return open_room(
            self._chance.identifier(),
            settings,
            deal,
            code_is_known=code_is_known,
            host=host,
            game_id=self._chance.identifier(),
            at=now(self._clock),
        )
