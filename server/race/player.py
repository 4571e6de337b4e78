"""Who plays."""

from typing import Literal

from msgspec import Struct

Kind = Literal["human", "bot"]


class Player(Struct, frozen=True):
    """A player as everyone sees one; the name is empty once the player has left for good."""

    id: str
    name: str
    kind: Kind
