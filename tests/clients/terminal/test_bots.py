from __future__ import annotations

import random
import re

from canfield_race_client.terminal.bots import bot_names


def test_names_are_valid_different_and_hardly_ever_taken_already() -> None:
    names = bot_names(100, random.Random(1))
    assert len(set(names)) == 100
    assert all(re.fullmatch(r"[A-Za-z_-]{2,20}", name) for name in names)
    assert not set(names) & set(bot_names(100, random.Random(2)))
