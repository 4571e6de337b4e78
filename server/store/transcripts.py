"""A whole game's log as compact text: `<move>@<ms since the action before>`, blank-separated.

>>> pack([Action("12", 900), Action("rf", 1500)])
'12@900 rf@600'
>>> unpack("12@900 rf@600")
[Action(move='12', elapsed_ms=900), Action(move='rf', elapsed_ms=1500)]
"""

from server.race.plays import Action


def pack(actions: list[Action]) -> str:
    """Write a log as text."""
    words, previous_ms = [], 0
    for action in actions:
        words.append(f"{action.move}@{action.elapsed_ms - previous_ms}")
        previous_ms = action.elapsed_ms
    return " ".join(words)


def unpack(transcript: str) -> list[Action]:
    """Read a log that `pack` wrote."""
    actions, elapsed_ms = [], 0
    for word in transcript.split():
        move, _, delta_ms = word.partition("@")
        elapsed_ms += int(delta_ms)
        actions.append(Action(move=move, elapsed_ms=elapsed_ms))
    return actions
