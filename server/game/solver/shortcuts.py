"""The shortest way through the positions around a trail."""

from collections import deque
from heapq import heappop, heappush

from .lines import height_after, moves_for
from .position import placed_by
from .search import Limits
from .steps import steps_from
from .trail import Place, Trail, intent_of

Key = tuple[tuple[bytes, ...], int, bytes, int]
"""A place, in whichever order its columns are."""

Road = tuple[int, Key]
"""How many moves lead to a place."""


def key_of(place: Place) -> Key:
    """Give what a place has in common with all that differ in the order of columns only."""
    (columns, reserve, _, talon), height = place
    return tuple(sorted(columns)), reserve, talon.order, height


def by_short_cuts(trail: Trail, limits: Limits) -> Trail:
    """Give the shortest trail that places as much, among those that keep near this one."""
    land = _Land(trail, limits)
    return land.shortest(trail.placed) or trail


class _Land:
    """The places on a trail and those near it, with the roads between them."""

    def __init__(self, trail: Trail, limits: Limits) -> None:
        self._game = trail.game
        self._start = key_of(trail.places[0])
        self._places = {key_of(place): place for place in trail.places}
        self._roads: dict[Key, list[Road]] = {}
        unexplored = deque(self._places)
        while unexplored and not limits.reached(len(self._roads)):
            self._explore(unexplored.popleft(), unexplored)

    def _explore(self, key: Key, unexplored: deque[Key]) -> None:
        position, height = self._places[key]
        roads = self._roads[key] = []
        for step, after in steps_from(self._game, position):
            there = (after, height_after(height, step))
            key_there = key_of(there)
            roads.append((moves_for(self._game, position, height, step), key_there))
            if key_there not in self._places:
                self._places[key_there] = there
                unexplored.append(key_there)

    def shortest(self, goal: int) -> Trail | None:
        """Give the shortest trail to a place with so many cards on the foundations."""
        came_from: dict[Key, Key] = {}
        ways: list[tuple[int, Key, Key]] = [(0, self._start, self._start)]
        while ways:
            moves, key, before = heappop(ways)
            if key in came_from:
                continue
            came_from[key] = before
            if placed_by(self._places[key][0]) >= goal:
                return self._trail_to(key, came_from)
            for more, there in self._roads.get(key, ()):
                if there not in came_from:
                    heappush(ways, (moves + more, there, key))
        return None

    def _trail_to(self, key: Key, came_from: dict[Key, Key]) -> Trail:
        keys = []
        while key != self._start:
            keys.append(key)
            key = came_from[key]
        trail = Trail(self._game)
        for key in reversed(keys):
            position, height = trail.places[-1]
            _, step = min(
                (moves_for(self._game, position, height, step), step)
                for step, after in steps_from(self._game, position)
                if key_of((after, height_after(height, step))) == key
            )
            trail.follow(intent_of(self._game, position, step))
        return trail
