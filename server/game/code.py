"""Game codes: `CF1-D3-AAAAACL` names a ruleset, a draw and a deal."""

from collections.abc import Callable
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Final, Self

from .deal import deck_of
from .errors import BadCode
from .ruleset import RULESETS, Ruleset

SHORT_LENGTH: Final = 7
"""The letters of a code that people share."""

SEALED_LENGTH: Final = 28
"""The letters of a code that nobody can guess."""

LENGTHS: Final = (SHORT_LENGTH, SEALED_LENGTH)

_BLANKS = " \t\r\n"


def random_letters(length: int, randbelow: Callable[[int], int]) -> str:
    """Pick the letters of a new code by a source of chance, such as `secrets.randbelow`.

    >>> random_letters(7, lambda below: below - 1)
    'ZZZZZZZ'
    """
    return "".join(ascii_uppercase[randbelow(26)] for _ in range(length))


@dataclass(frozen=True, slots=True)
class GameCode:
    """The name of a game: whoever holds it can deal it.

    >>> code = GameCode.parse(" cf1-d3-aaaaacl ")
    >>> print(code)
    CF1-D3-AAAAACL
    >>> code.is_sealable
    False

    Raises:
        BadCode: if the ruleset has no such draw, or the letters are not 7 or 28 of A to Z.
    """

    ruleset: Ruleset
    draw: int
    letters: str

    def __post_init__(self) -> None:
        if self.draw not in self.ruleset.draws:
            allowed = " or ".join(f"D{draw}" for draw in self.ruleset.draws)
            reason = f"{self.ruleset} is played with {allowed}"
            raise BadCode(reason, text=str(self), part="draw", position=len(str(self.ruleset)) + 2)
        self._check_letters()

    def _check_letters(self) -> None:
        text = str(self)
        for position, character in enumerate(self.letters, start=len(text) - len(self.letters) + 1):
            if character not in ascii_uppercase:
                raise BadCode(
                    f"character {position}, {character!a}, is not one of the letters A-Z",
                    text=text,
                    part="letters",
                    position=position,
                )
        if len(self.letters) not in LENGTHS:
            raise BadCode(
                f"it has {len(self.letters)} letters; {SHORT_LENGTH} make a code to share, "
                f"{SEALED_LENGTH} a sealed one",
                text=text,
                part="letters",
            )

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a code in either case, with or without blanks around it.

        Raises:
            BadCode: saying which part or which character is wrong, and what to write instead.
        """
        stripped = text.strip(_BLANKS)
        _check_ascii(stripped, text=text)
        parts = stripped.upper().split("-")
        if len(parts) != 3:
            reason = "write ruleset, draw and letters with a - between them, as in CF1-D3-AAAAACL"
            raise BadCode(reason, text=text, part="shape")
        name, draw_name, letters = parts
        ruleset = RULESETS.get(name)
        if ruleset is None:
            reason = f"the ruleset is {' or '.join(RULESETS)}"
            raise BadCode(reason, text=text, part="ruleset", position=1)
        draws = {f"D{draw}": draw for draw in ruleset.draws}
        if draw_name not in draws:
            reason = f"{name} is played with {' or '.join(draws)}"
            raise BadCode(reason, text=text, part="draw", position=len(name) + 2)
        return cls(ruleset, draws[draw_name], letters)

    @property
    def is_sealable(self) -> bool:
        """Tell whether the code is long enough that nobody can guess it or try them all."""
        return len(self.letters) == SEALED_LENGTH

    def deck(self) -> tuple[int, ...]:
        """Give the 52 cards as numbers, in dealing order (rule D1).

        >>> from .cards import card_name
        >>> [card_name(n) for n in GameCode.parse("CF1-D3-AAAAACL").deck()[12:18]]
        ['JD', '7H', 'QC', 'KH', '3H', 'AS']
        """
        return deck_of(self.letters)

    def __str__(self) -> str:
        return f"{self.ruleset}-D{self.draw}-{self.letters}"


def _check_ascii(stripped: str, *, text: str) -> None:
    """Refuse what only looks like a letter, before upper-casing could turn it into one."""
    for position, character in enumerate(stripped, start=1):
        if not character.isascii():
            raise BadCode(
                f"character {position}, {character!a}, is none of A-Z, 0-9 and -",
                text=text,
                part="shape",
                position=position,
            )
