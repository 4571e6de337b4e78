"""How far things have come, in short: for comparing what is known here with what is written."""

from msgspec import Struct


class SeatMark(Struct, frozen=True):
    """How far one player has come.

    Attributes:
        actions: accepted actions so far.
        ended: whether the player's game takes no further one.
        claim: of the newest socket that plays it, as far as it has been written.
    """

    actions: int
    ended: bool
    claim: str | None


class RoomMark(Struct, frozen=True):
    """How far a room has come.

    Attributes:
        version: counts its events.
        seats: by player; none for a room that is over.
    """

    version: int
    seats: dict[str, SeatMark]


class Claim(Struct, frozen=True):
    """That a socket is the newest of a player in a room; of two, the greater text is newer."""

    room_id: str
    player_id: str
    text: str


class Look(Struct, frozen=True):
    """What a node's knowledge is compared with.

    Attributes:
        epoch: names the history that the database is in.
        rooms: those asked about, by id.
        tokens: of those asked about, the ones that are valid.
    """

    epoch: str
    rooms: dict[str, RoomMark]
    tokens: set[str]
