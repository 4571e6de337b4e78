"""Choosing by chance: above all a room's deal, and binding the server to it beforehand."""

import hashlib
import secrets
from collections.abc import Callable

from msgspec import Struct

from server.game import SEALED_LENGTH, SHORT_LENGTH, GameCode, Ruleset, random_letters

SECRET_BYTES = 32

NONCE_BYTES = 16
"""128 bits: enough that nobody finds a short code by trying all of them against a commitment."""


class Deal(Struct, frozen=True):
    """A deal and the nonce that its commitment hides it with."""

    code: GameCode
    nonce: str

    @property
    def commitment(self) -> str:
        """The SHA-256 of `<code>:<nonce>` in hex, published before the race."""
        return hashlib.sha256(f"{self.code}:{self.nonce}".encode()).hexdigest()


class Chance:
    """Where deals, tokens and identifiers come from.

    That is the system's secure randomness, unless a test brings its own.
    """

    def __init__(
        self,
        randbelow: Callable[[int], int] = secrets.randbelow,
        token_hex: Callable[[int], str] = secrets.token_hex,
    ) -> None:
        self._randbelow = randbelow
        self._token_hex = token_hex

    def deal(self, *, ruleset: Ruleset, draw: int, sealed: bool) -> Deal:
        """Choose a random deal: 28 letters that nobody can guess when sealed, else 7 to share."""
        letters = random_letters(SEALED_LENGTH if sealed else SHORT_LENGTH, self._randbelow)
        return self.commit(GameCode(ruleset, draw, letters))

    def commit(self, code: GameCode) -> Deal:
        """Bind a given code with a fresh nonce."""
        return Deal(code=code, nonce=self._token_hex(NONCE_BYTES))

    def token(self) -> str:
        """Make a token that nobody can guess: 256 bits."""
        return f"cr_{self.secret()}"

    def secret(self) -> str:
        """Make something that nobody can guess: 256 bits in hex."""
        return self._token_hex(SECRET_BYTES)

    def identifier(self, length: int = 10) -> str:
        """Give a fresh public identifier: `length` letters and digits, without look-alikes."""
        return "".join(ALPHABET[self._randbelow(len(ALPHABET))] for _ in range(length))


ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""What identifiers are made of; 10 of these are 49 bits."""
