"""Standard output: shows what others have written as they wrote it, and may be closed any time."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from canfield_race_client.errors import CanfieldError

UNSEEN = "\ufffd"


class OutputClosed(CanfieldError):
    """Nobody reads the output any more, as after `| head`."""


class Output(Console):
    """A console that takes titles, names and details for what they are: text of strangers.

    No markup, and no control character reaches the terminal but those that rich makes itself.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, highlight=False, emoji=False, **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Called by rich for everything it prints, and for every cell of a table."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else visible_lines(text), style, control)

    def on_broken_pipe(self) -> None:
        """Called by rich when a write finds the pipe broken.

        Raises:
            OutputClosed: always; from now on output goes nowhere.
        """
        try:
            super().on_broken_pipe()
        except SystemExit as error:
            raise OutputClosed("nobody reads the output any more") from error


def visible(text: str) -> str:
    r"""The text in one line, with a mark for every character that is no sign to be seen.

    Those are control characters, which a terminal obeys, invisible formatting and surrogates.

    >>> visible("Fri\x1b[31mday")
    'Fri�[31mday'
    """
    if text.isprintable():
        return text
    return "".join(UNSEEN if unicodedata.category(sign)[0] == "C" else sign for sign in text)


def visible_lines(text: str) -> str:
    """The same for a text that may have several lines."""
    return "\n".join(visible(line) for line in text.split("\n"))
