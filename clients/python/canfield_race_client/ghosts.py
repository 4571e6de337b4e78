"""Ghosts: how the others stood at the same time on their own clocks, as if they raced now."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from msgspec.structs import replace

from canfield_race_client.shapes import Curve, Player, Standing
from canfield_race_client.standings import ranked

CARDS = 52


class Ghosts:
    """The progress of a room's players, to be asked for any time on the race clock.

    >>> ana, bo = Player(id="p_1", name="Ana"), Player(id="p_2", name="Bo")
    >>> ghosts = Ghosts([
    ...     Curve(player=ana, points=[(0, 1), (4_000, 2)]),
    ...     Curve(player=bo, points=[(0, 1), (2_500, 2), (9_000, 3)]),
    ... ])
    >>> [(s.rank, s.player.name, s.placed) for s in ghosts.at(5_000)]
    [(1, 'Bo', 2), (2, 'Ana', 2)]
    """

    def __init__(self, curves: Iterable[Curve] = ()) -> None:
        self._curves = {curve.player.id: curve for curve in curves if curve.points}

    def at(self, elapsed_ms: int, *, me: Standing | None = None) -> list[Standing]:
        """Who had how many cards placed at that time, best first, ranked as a race ranks.

        With `me`, my standing of now takes the place of my own ghost. The score and the actions of
        a ghost are not known, so that actions decide nothing; that it raced then is taken for
        granted.
        """
        ghosts = [
            _ghost(curve, elapsed_ms)
            for player_id, curve in self._curves.items()
            if me is None or player_id != me.player.id
        ]
        if me is None:
            return ranked(ghosts)
        standings = ranked([replace(me, actions=0), *ghosts])
        mine = next(n for n, s in enumerate(standings) if s.player.id == me.player.id)
        standings[mine] = replace(me, rank=standings[mine].rank)
        return standings


def around(standings: list[Standing], me: Player, *, count: int) -> list[Standing]:
    """At most so many standings in a row, with mine in their middle as far as that goes."""
    mine = next((n for n, s in enumerate(standings) if s.player.id == me.id), 0)
    first = max(0, min(mine - count // 2, len(standings) - count))
    return standings[first : first + count]


def _ghost(curve: Curve, elapsed_ms: int) -> Standing:
    """How the player of a curve stood; before its first point, as at the start."""
    after = bisect_right(curve.points, elapsed_ms, key=lambda point: point[0])
    at_ms, placed = curve.points[max(0, after - 1)]
    state = "won" if placed == CARDS else "racing"
    return Standing(player=curve.player, state=state, placed=placed, at_ms=at_ms)
