"""Names that people can tell apart.

A name is 2 to 20 letters of one script, digits, `_` and `-`. Two names are the same when they
differ only in case, in compatibility forms, or in characters that look alike.
"""

import unicodedata
from functools import lru_cache

from confusable_homoglyphs import categories, confusables

from server.race.errors import Invalid

SHORTEST, LONGEST = 2, 20

RESERVED = frozenset(
    {"me", "you", "admin", "administrator", "moderator", "host", "server", "system", "root"}
    | {"null", "none", "nobody", "anonymous", "deleted", "bot", "canfield", "support", "staff"}
)
"""Words that a client or a person could take for something other than a player."""

MENDING = f"a name is {SHORTEST} to {LONGEST} letters of one script, digits, _ and -"

WRITTEN_TOGETHER = ({"HAN", "HIRAGANA", "KATAKANA"}, {"HAN", "HANGUL"}, {"HAN", "BOPOMOFO"})
"""Scripts that are used side by side in one writing system, and count as one."""

INVISIBLE = frozenset(
    chr(point)
    for first, last in [
        (0x034F, 0x034F),  # combining grapheme joiner
        (0x115F, 0x1160),  # Hangul fillers
        (0x17B4, 0x17B5),  # Khmer inherent vowels
        (0x180B, 0x180F),  # Mongolian variation selectors
        (0x3164, 0x3164),  # Hangul filler
        (0xFE00, 0xFE0F),  # variation selectors
        (0xFFA0, 0xFFA0),  # halfwidth Hangul filler
        (0xE0100, 0xE01EF),  # more variation selectors
    ]
    for point in range(first, last + 1)
)
"""Letters and marks that show nothing: Unicode's Default_Ignorable_Code_Point among them."""

LOOK_ALIKE_IN_PRINT = str.maketrans({"0": "o", "1": "l", "i": "l", "_": "-", "5": "s", "|": "l"})
"""Pairs inside ASCII that fonts do not tell apart; capital `i` looks like `l`."""


def check_name(name: str) -> str:
    """Give the name in composed form (NFC), the way it is kept and shown.

    Raises:
        Invalid: saying what about the name cannot be.
    """
    name = unicodedata.normalize("NFC", name)
    if not SHORTEST <= len(name) <= LONGEST:
        raise _bad(f"{len(name)} characters")
    for character in name:
        if not _may_stand_in_a_name(character):
            raise _bad(f"{character!r} (U+{ord(character):04X}) may not stand in it")
    scripts = {categories.alias(c) for c in name} - {"COMMON", "INHERITED"}
    if len(scripts) > 1 and not any(scripts <= together for together in WRITTEN_TOGETHER):
        raise _bad("its letters are of several scripts: " + ", ".join(sorted(scripts)).title())
    if not any(unicodedata.category(c)[0] in "LN" for c in name):
        raise _bad("it needs a letter or a digit")
    if unicodedata.category(name[0])[0] == "M":
        raise _bad("it begins with a mark that belongs on a letter")
    if name_key(name) in RESERVED_KEYS:
        raise Invalid(f"the name {name!r} is reserved; choose another", pointer="/name")
    return name


def name_key(name: str) -> str:
    r"""Give what two names share when people could take one for the other.

    >>> name_key("Ana") == name_key("ANA") == name_key("\u0410na")  # a Cyrillic A
    True
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    alike = "".join(map(_latin_look_alike, folded))
    return alike.translate(LOOK_ALIKE_IN_PRINT).replace("rn", "m").replace("vv", "w")


@lru_cache(maxsize=4096)
def _latin_look_alike(character: str) -> str:
    """Give the Latin letters that a character is mistaken for, or the character itself.

    Its capital decides where it can: Greek and Cyrillic capitals are drawn as Latin ones are
    (a Greek `ANNA`), their small letters often are not.
    """
    if character.isascii():
        return character
    for form in (character.upper(), character):
        found = confusables.is_confusable(form, greedy=False, preferred_aliases=[])
        for look_alike in found[0]["homoglyphs"] if found else ():
            if (text := look_alike["c"]).isascii() and text.isalnum():
                return str(text.casefold())
    return character


def _may_stand_in_a_name(character: str) -> bool:
    if character in INVISIBLE:
        return False
    category = unicodedata.category(character)
    return character in "_-" or category[0] == "L" or category in ("Nd", "Mn", "Mc")


def _bad(what: str) -> Invalid:
    return Invalid(f"{what}; {MENDING}", pointer="/name")


RESERVED_KEYS = frozenset(map(name_key, RESERVED))
