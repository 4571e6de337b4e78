from __future__ import annotations

from datetime import UTC, datetime

import msgspec
from canfield_race_client.shapes import Game, Page, Player, Room, Token

from tests.clients.builders import a_game, a_room


def test_what_a_newer_server_adds_is_ignored() -> None:
    room = msgspec.to_builtins(a_room()) | {"weather": "fine"}
    assert msgspec.convert(room, Room) == a_room()


def test_instants_are_aware() -> None:
    room = msgspec.to_builtins(a_room()) | {"created_at": "2026-11-29T19:00:00.250Z"}
    created_at = msgspec.json.decode(msgspec.json.encode(room), type=Room).created_at
    assert created_at == datetime(2026, 11, 29, 19, 0, 0, 250_000, tzinfo=UTC)


def test_a_view_from_acks_and_one_from_the_server_tell_legal_moves_apart_from_none() -> None:
    fresh = msgspec.to_builtins(a_game(legal_moves=[]))
    assert msgspec.convert(fresh, Game).legal_moves == []
    del fresh["legal_moves"]
    assert msgspec.convert(fresh, Game).legal_moves is None


def test_a_page_knows_what_it_holds() -> None:
    page = msgspec.json.decode(b'{"items": [{"id": "t_1", "label": "laptop"}]}', type=Page[Token])
    assert page == Page(items=[Token(id="t_1", label="laptop")])


def test_a_token_never_shows_its_secret() -> None:
    token = Token(id="t_1", label="laptop", token="secret")
    assert "secret" not in f"{token} {token!r}"


def test_who_has_left_for_good_is_called_gone() -> None:
    assert Player(id="p_1", name="").shown_name == "(gone)"
    assert Player(id="p_1", name="Ana").shown_name == "Ana"
