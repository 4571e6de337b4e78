"""How far everyone in a room has come, as the freshest news of each player tells."""

from collections.abc import Iterable

from server.race.room import Room
from server.race.standings import Entry, Standing, rank, with_rank
from server.race.states import ENDED, STARTED


class Scoreboard:
    """The newest entry of each player, and which of them the room's sockets have not been told."""

    def __init__(self) -> None:
        self._entries: dict[str, Entry] = {}
        self._untold: set[str] = set()
        self._left: set[str] = set()  # the window of a daily, and that is still to be told

    def open(self, room: Room) -> None:
        """Begin with the entries of a room whose sockets are told it whole."""
        self._entries.clear()
        self._untold.clear()
        self._left.clear()
        if room.state in STARTED:
            self._entries.update((seat.player.id, seat.entry) for seat in room.seats)

    def fold(self, entries: Iterable[Entry]) -> None:
        """Take over what is further on than what is known; it is to be told."""
        for entry in entries:
            known = self._entries.get(entry.player.id)
            if known is None or how_far(entry) > how_far(known):
                self._entries[entry.player.id] = entry
                self._untold.add(entry.player.id)

    def move_window(self, known: Room, room: Room) -> None:
        """Have told who has come among the shown of a daily under way, and who has left them.

        Who was only overtaken has left with what was told before.
        """
        if known.state != "racing":
            return
        before = {seat.player.id for seat in known.seats}
        shown = {seat.player.id for seat in room.seats}
        self.fold(seat.entry for seat in (*room.seats, *room.asked))
        self._untold |= shown - before
        self._left |= (before - shown) & self._untold

    def asked(self, room: Room) -> list[Standing]:
        """Give how a daily's further players stand, each with the rank it had when it was read."""
        return [with_rank(self._freshest(seat.entry), seat.rank or 0) for seat in room.asked]

    def forget(self, player_id: str) -> None:
        """Drop a player who has no seat any more."""
        self._entries.pop(player_id, None)
        self._untold.discard(player_id)

    def all_told(self) -> None:
        """Note that everything known has been told in another way."""
        self._untold.clear()

    def take_untold(self, room: Room) -> list[Entry]:
        """Give the entries that have not been told, in the order of the seats.

        Of a daily, those of players who are shown, or were until now.
        """
        seats = (*room.seats, *(seat for seat in room.asked if seat.player.id in self._left))
        entries = [seat.entry for seat in seats if seat.player.id in self._untold]
        self._untold.clear()
        self._left.clear()
        return [self._freshest(entry) for entry in entries]

    def entries(self, room: Room) -> list[Entry]:
        """Give everyone's entry, in the order of the seats."""
        return [self._freshest(seat.entry) for seat in room.seats]

    def standings(self, room: Room) -> list[Standing]:
        """Rank the room's players."""
        return rank(self.entries(room))

    def _freshest(self, stored: Entry) -> Entry:
        live = self._entries.get(stored.player.id)
        if live is None or how_far(live) < how_far(stored):
            return stored
        return Entry(
            player=stored.player,  # who may have a new name
            state=live.state,
            placed=live.placed,
            score=live.score,
            actions=live.actions,
            at_ms=live.at_ms,
        )


def how_far(entry: Entry) -> tuple[int, bool, bool]:
    """Order what was said of one player: more actions, the race on, then the end."""
    return (entry.actions, entry.state not in ("joined", "ready"), entry.state in ENDED)
