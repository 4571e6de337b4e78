"""Who is ahead: standings folded from what the server sends, ranked by the four keys."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from canfield_race_client.shapes import Player, Standing

ENDED_STATES = frozenset({"won", "resigned", "out_of_time"})


def ranking_key(standing: Standing) -> tuple[bool, int, int, int]:
    """What standings rank by: won, then more placed, then smaller `at_ms`, then fewer actions."""
    return standing.state != "won", -standing.placed, standing.at_ms, standing.actions


def ranked(standings: Iterable[Standing]) -> list[Standing]:
    """The standings, best first, with exact ranks: equal on all four keys is an equal rank.

    >>> ana, bo, cy = (Player(id=name, name=name) for name in ("ana", "bo", "cy"))
    >>> [s.rank for s in ranked([
    ...     Standing(player=ana, state="racing", placed=5),
    ...     Standing(player=bo, state="racing", placed=5),
    ...     Standing(player=cy, state="resigned", placed=2),
    ... ])]
    [1, 1, 3]
    """
    in_order = sorted(standings, key=ranking_key)
    ranks: list[int] = []
    for place, standing in enumerate(in_order):
        ties = place > 0 and ranking_key(in_order[place - 1]) == ranking_key(standing)
        ranks.append(ranks[-1] if ties else place + 1)
    return [replace(standing, rank=rank) for standing, rank in zip(in_order, ranks, strict=True)]


class Standings:
    """One standing per player, each the newest that was heard of."""

    def __init__(self, standings: Iterable[Standing] = ()) -> None:
        self._by_player = {standing.player.id: standing for standing in standings}

    def fold(self, standing: Standing) -> None:
        """Take in a standing unless a newer one is here: more actions hold, an end is final."""
        here = self._by_player.get(standing.player.id)
        if here is None or _age(standing) >= _age(here):
            self._by_player[standing.player.id] = standing

    def __len__(self) -> int:
        """How many players have a standing here."""
        return len(self._by_player)

    def remove(self, player: Player) -> None:
        """Forget a player who is no longer in the room."""
        self._by_player.pop(player.id, None)

    def change(self, player: Player, *, state: str | None = None) -> None:
        """Give a player the name of `player` and, if it is given, another state."""
        here = self._by_player.get(player.id)
        if here is not None:
            changed = replace(here, player=player, state=state or here.state)
            self._by_player[player.id] = changed

    def start(self) -> None:
        """Everybody who waited races now."""
        for standing in self._by_player.values():
            if standing.state in {"joined", "ready"}:
                self.change(standing.player, state="racing")

    def of(self, player_id: str) -> Standing | None:
        """A player's standing, without rank."""
        return self._by_player.get(player_id)

    def ranked(self) -> list[Standing]:
        """All standings, best first, with exact ranks."""
        return ranked(self._by_player.values())


def _age(standing: Standing) -> tuple[int, bool]:
    return standing.actions, standing.state in ENDED_STATES
