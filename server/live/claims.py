"""Claims: which of a player's sockets is the newest, wherever it is connected."""

import secrets
from itertools import count

_numbers = count()


def claim_at(now_ms: int) -> str:
    """Give a socket's claim to play, made when it says hello; of two, the greater is newer.

    Nodes keep the same time, so claims can be compared across them. Within a millisecond, those of
    one node are in the order they were made; of two nodes either may be the greater, and it is so
    everywhere.
    """
    return f"{now_ms:015d}.{next(_numbers) % 10**8:08d}.{secrets.token_hex(2)}"
