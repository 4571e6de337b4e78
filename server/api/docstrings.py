"""Docstrings as public text: what a reader of the contract sees of them."""

import inspect
import re

SECTION = re.compile(r"\n\n(?=(?:Attributes|Args|Raises):\n)")
ENTRY = re.compile(r"^ {4}(?P<names>\w+(?:, \w+)*): (?P<text>.+)$")


def describe(docstring: str | None) -> str:
    r"""Give a docstring's prose, one line per paragraph, without its sections.

    >>> describe("Take a seat.\n\nJoining again\nis fine.\n\nRaises:\n    Kicked: no.")
    'Take a seat.\n\nJoining again is fine.'
    """
    prose = SECTION.split(inspect.cleandoc(docstring or ""))[0]
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in prose.split("\n\n"))


def summarize(docstring: str | None) -> str:
    """Give the first sentence, without its full stop.

    >>> summarize("Take a seat. Joining again changes nothing.")
    'Take a seat'
    """
    return re.split(r"\.(?:\s|$)", describe(docstring), maxsplit=1)[0]


def attributes(docstring: str | None) -> dict[str, str]:
    r"""Give what the section "Attributes" says of each field; names may share a line.

    >>> attributes("A.\n\nAttributes:\n    x, y: where\n        it is.\n    z: how high.")
    {'x': 'where it is.', 'y': 'where it is.', 'z': 'how high.'}
    """
    found: dict[str, str] = {}
    names: list[str] = []
    for section in SECTION.split(inspect.cleandoc(docstring or ""))[1:]:
        header, *lines = section.splitlines()
        for line in lines if header == "Attributes:" else ():
            if entry := ENTRY.match(line):
                names = entry["names"].split(", ")
                found |= dict.fromkeys(names, entry["text"])
            else:
                found |= {name: f"{found[name]} {line.strip()}" for name in names}
    return found
