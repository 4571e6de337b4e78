"""Claims: which of a player's sockets is the newest, wherever it is connected."""

import secrets


def claim_at(now_ms: int) -> str:
    """Give a socket's claim to play, made when it says hello; of two, the greater is newer.

    Nodes keep the same time, so claims can be compared across them; two of the same millisecond
    are told apart by chance, and everywhere the same way.
    """
    return f"{now_ms:015d}.{secrets.token_hex(4)}"
