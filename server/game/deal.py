"""The 52-card order that a code's letters stand for."""

from collections.abc import Iterator
from hashlib import sha256
from struct import unpack

_SALT = "CF1/454787518"  # chosen so that AAAAACL deals the well-known example
_WORDS = 1 << 32


def deck_of(letters: str) -> tuple[int, ...]:
    """Give the cards, as numbers in dealing order, that belong to a code's letters.

    The order depends on the letters alone, not on the ruleset or the draw.
    Does not check the letters: for those of a `GameCode` only.
    """
    words = _words(letters)
    deck = list(range(52))
    for i in range(51):
        left = 52 - i
        fair = _WORDS - _WORDS % left  # from here on the remainders would not be even
        word = next(words)
        while word >= fair:
            word = next(words)
        j = i + word % left
        deck[i], deck[j] = deck[j], deck[i]
    return tuple(deck)


def _words(letters: str) -> Iterator[int]:
    """Yield the 32-bit numbers of one SHA-256 digest after the other, without end."""
    n = 0
    while True:
        yield from unpack(">8I", sha256(f"{_SALT}/{letters}/{n}".encode()).digest())
        n += 1
