"""Opening rooms: the first one, and the next one of the same company."""

from typing import NamedTuple

from server.clock import Clock, now
from server.game import RULESETS
from server.live.attempts import Attempts
from server.live.deadlines import Deadlines
from server.live.ports import Proofs, Rooms
from server.live.referee import Referee
from server.live.winnable.stock import Stock
from server.race.daily import Daily
from server.race.deals import Chance, Deal
from server.race.errors import NotAPlayer, NotAvailable, NotInADaily
from server.race.player import Player
from server.race.proof import Opening, Proof, Variant
from server.race.room import Room, open_room
from server.race.settings import RoomSettings, RoomWish, settle


class Dealt(NamedTuple):
    """A deal for a new room, with the proof that it can be won where one was asked for."""

    deal: Deal
    proof: Proof | None = None


class Lobby:
    """Opens rooms, and has players join them."""

    def __init__(
        self,
        *,
        rooms: Rooms,
        proofs: Proofs,
        referee: Referee,
        attempts: Attempts,
        deadlines: Deadlines,
        stock: Stock | None,
        clock: Clock,
        chance: Chance,
    ) -> None:
        """Without a stock no room is winnable."""
        self._rooms = rooms
        self._proofs = proofs
        self._stock = stock
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
            Unavailable: storage did not answer, or no deal proven winnable is ready.
        """
        settings, code = settle(wish, now=now(self._clock))
        if wish.winnable and idempotency_key is not None:  # a deal is not taken for nothing
            made = await self._rooms.made_with(idempotency_key, host_id=host.id)
            if made is not None:
                return made
        if code is None:
            dealt = await self._deal(settings, winnable=wish.winnable)
        else:
            dealt = Dealt(self._chance.commit(code))
        room = self._new(settings, dealt.deal, host=host, code_is_known=code is not None)
        room = await self._rooms.create(room, idempotency_key=idempotency_key, proof=dealt.proof)
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

        If this room's deal was proven winnable, so is the new one.

        Raises:
            NotAPlayer: the player was not in this race.
            NotInADaily: the next one comes with the next day.
            WrongState: the race is not finished, or the rematch has begun without the player.
            RoomFull: the rematch is full.
            NotAvailable: the deal is to be proven winnable, and no deals are proven here.
            Unavailable: storage did not answer, or no deal proven winnable is ready.
        """
        finished = await self._referee.present(room_id)
        if isinstance(finished, Daily):
            raise NotInADaily("a daily has no rematch: the next one comes with the next day")
        if finished.seat_of(player.id) is None:
            raise NotAPlayer("a rematch is for those who were in the race; open a room instead")
        if finished.rematch is None:
            over = finished.finished_at is not None  # else it is refused, and takes no deal
            winnable = over and await self._proofs.of_room(room_id) is not None
            dealt = await self._deal(finished.settings, winnable=winnable)
            room = self._new(finished.settings, dealt.deal, host=player)
            finished = await self._referee.change(
                room_id,
                lambda old, at: old.open_rematch(player, room_id=room.id, at=at),
                opening=Opening(room, dealt.proof),
            )
        return await self.join(str(finished.rematch), player=player, arrived_ms=arrived_ms)

    async def _deal(self, settings: RoomSettings, *, winnable: bool) -> Dealt:
        """Give a random deal, among those proven winnable if it has to be."""
        variant = Variant(settings.ruleset, settings.draw, settings.sealed)
        if not winnable:
            ruleset = RULESETS[variant.ruleset]
            return Dealt(
                self._chance.deal(ruleset=ruleset, draw=variant.draw, sealed=variant.sealed)
            )
        if self._stock is None:
            raise NotAvailable(
                "this server proves no deals winnable; leave winnable out", pointer="/winnable"
            )
        proven = await self._stock.take(variant)
        return Dealt(self._chance.commit(proven.code), proven.proof)

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
