import msgspec
import pytest

from server.race.player import Player


def test_a_player_is_id_name_and_kind_everywhere() -> None:
    player = Player(id="p_7f3k", name="Ana", kind="bot")

    assert msgspec.to_builtins(player) == {"id": "p_7f3k", "name": "Ana", "kind": "bot"}


def test_a_player_is_a_human_or_a_bot() -> None:
    with pytest.raises(msgspec.ValidationError, match="kind"):
        msgspec.convert({"id": "p_1", "name": "Ana", "kind": "dog"}, Player)
