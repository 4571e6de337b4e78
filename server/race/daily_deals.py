"""The dailies' deals: chosen by a secret, so that every node chooses the same, and nobody guesses.

A day has candidates without end, in an order that the secret alone decides; the first one that
is proven winnable becomes the day's deal.
"""

import hashlib
import hmac
from collections.abc import Iterator
from datetime import date
from itertools import count

from server.game import CF1, SEALED_LENGTH, GameCode, random_letters
from server.race.deals import NONCE_BYTES, Deal


def candidate(secret: str, day: date, number: int) -> Deal:
    """Give the day's candidate with a number, from 0: a sealed `CF1` draw 3 deal with its nonce.

    >>> deal = candidate("a secret", date(2026, 11, 30), 0)
    >>> deal == candidate("a secret", date(2026, 11, 30), 0)
    True
    """
    seed = f"{day.isoformat()}/{number}"
    numbers = _numbers(secret, f"{seed}/letters")
    letters = random_letters(SEALED_LENGTH, lambda below: _below(below, numbers))
    nonce = _digest(secret, f"{seed}/nonce")[:NONCE_BYTES].hex()
    return Deal(code=GameCode(CF1, 3, letters), nonce=nonce)


def _numbers(secret: str, seed: str) -> Iterator[int]:
    """Give bytes without end."""
    for part in count():
        yield from _digest(secret, f"{seed}/{part}")


def _below(limit: int, numbers: Iterator[int]) -> int:
    """Give a number below a limit of up to 256, each as likely as any other."""
    fair = 256 - 256 % limit
    return next(number for number in numbers if number < fair) % limit


def _digest(secret: str, text: str) -> bytes:
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).digest()
