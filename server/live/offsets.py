"""Offsets: a frame's place in what a room's sockets are told, the same on every node.

An offset holds the room's version and, within that, how late it is in the race: so what a client
has missed can be told from the offset alone, by any node, whatever has been restarted meanwhile.
"""

from typing import NamedTuple

STEP = 2**32
"""Offsets per version: more than there are milliseconds in the longest race, and two million
versions stay below 2^53, up to where every JSON reader counts exactly."""


class Place(NamedTuple):
    """What an offset says.

    Attributes:
        version: the room's, as of the newest event told.
        tick: rises with the standings told since, at least as fast as the race's milliseconds.
    """

    version: int
    tick: int

    @property
    def offset(self) -> int:
        """The number that frames carry."""
        return self.version * STEP + self.tick


def place_of(offset: int) -> Place:
    """Read an offset.

    >>> place_of(Place(version=7, tick=1200).offset)
    Place(version=7, tick=1200)
    """
    return Place(*divmod(offset, STEP))
