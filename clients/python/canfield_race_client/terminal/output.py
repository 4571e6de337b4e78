"""Standard output, which whoever reads it may close at any time."""

from __future__ import annotations

from rich.console import Console

from canfield_race_client.errors import CanfieldError


class OutputClosed(CanfieldError):
    """Nobody reads the output any more, as after `| head`."""


class Output(Console):
    """A console that raises `OutputClosed`, which ends a command, and not the interpreter."""

    def on_broken_pipe(self) -> None:
        """Called by rich when a write finds the pipe broken.

        Raises:
            OutputClosed: always; from now on output goes nowhere.
        """
        try:
            super().on_broken_pipe()
        except SystemExit as error:
            raise OutputClosed("nobody reads the output any more") from error
