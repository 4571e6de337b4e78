from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import pytest
from canfield_race_client.errors import BadFrame
from canfield_race_client.game_view import fold_ack, means
from canfield_race_client.shapes import Ack, Foundations, Game
from msgspec.structs import replace

from tests.clients.builders import a_game

VECTORS = Path(__file__).parents[1] / "vectors"
GAMES: list[dict[str, Any]] = json.loads((VECTORS / "games.json").read_text())
DECKS = {deal["letters"]: deal["deck"] for deal in json.loads((VECTORS / "deals.json").read_text())}
PLAYABLE = [game for game in GAMES if game["code"].split("-")[2] in DECKS]


class Dealer:
    """Knows the hidden cards, and so what a move turns up."""

    def __init__(self, code: str, start: dict[str, Any]) -> None:
        _, draw, letters = code.split("-")
        deck = DECKS[letters]
        self.draws = int(draw[1])
        self.reserve, self.stock = list(deck[:13]), list(deck[18:])
        self.history: list[tuple[Game, list[str], list[str]]] = []
        base = deck[13]
        self.game = replace(
            a_game(),
            base=base[0],
            reserve_top=self.reserve[-1],
            columns=[[card] for card in deck[14:18]],
            foundations=Foundations(**{base[1]: 1}),
            position=start["position"],
            hash=start["hash"],
        )

    def ack(self, ply: int, step: dict[str, Any]) -> Ack:
        """What the server would answer."""
        ack = Ack(
            ply=ply,
            move=step["move"],
            placed=step["placed"],
            score=step["points"],
            hash=step["hash"],
        )
        if step["move"] == "u":
            game, self.reserve, self.stock = self.history.pop()
            return replace(ack, game=replace(game, ply=ply + 1))
        self.history.append((self.game, list(self.reserve), list(self.stock)))
        return replace(ack, revealed=self._turn_up(step["move"]))

    def _turn_up(self, move: str) -> list[str]:
        if move == "d":
            drawn, self.stock = self.stock[: self.draws], self.stock[self.draws :]
            if not drawn:
                self.stock = list(self.game.waste)
            return drawn
        if move[0] == "r" or (self._empties_a_column(move) and self.reserve):
            self.reserve.pop()
            return self.reserve[-1:]
        return []

    def _empties_a_column(self, move: str) -> bool:
        if not move[0].isdigit():
            return False
        count = int(move.partition("x")[2] or 1)
        return len(self.game.columns[int(move[0]) - 1]) == count


@pytest.mark.parametrize("game", PLAYABLE, ids=lambda game: f"{game['code']}-{game['won']}")
def test_folding_acks_gives_the_position_that_the_rules_give(game: dict[str, Any]) -> None:
    dealer = Dealer(game["code"], game["start"])
    for ply, step in enumerate(game["steps"]):
        dealer.game = fold_ack(dealer.game, dealer.ack(ply, step), undo=True)
        assert dealer.game.hash == hash_of(dealer.game.position) == step["hash"]
        assert dealer.game.position == step.get("position", dealer.game.position)
        assert dealer.game.ply == ply + 1


def test_there_are_games_to_fold() -> None:
    assert len(PLAYABLE) >= 10


def test_an_undo_replaces_the_whole_view() -> None:
    before = a_game(ply=9)
    undone = a_game(ply=10, undo_left=3, legal_moves=["d"])
    ack = Ack(ply=9, move="u", game=undone)
    assert fold_ack(before, ack, undo=True) is undone


def test_an_ack_leaves_no_legal_moves_that_would_lie() -> None:
    after = fold_ack(a_game(), drawn_ack("2C", "3C", "4C"), undo=True)
    assert after.legal_moves is None
    assert after.waste == ["2C", "3C", "4C"]


def test_the_undo_depth_stops_at_a_hundred_and_stays_none_where_undo_is_off() -> None:
    ack = drawn_ack("2C", "3C", "4C")
    assert fold_ack(a_game(undo_left=100), ack, undo=True).undo_left == 100
    assert fold_ack(a_game(undo_left=0), ack, undo=False).undo_left == 0


def test_a_card_taken_back_is_the_top_of_its_foundation_around_the_king() -> None:
    columns = [["2S"], ["JD"], ["5C"], ["5S"]]
    game = a_game(base="Q", columns=columns, foundations={"C": 0, "D": 0, "H": 3, "S": 0})
    position = "34||13:JD|2S.AH/JD/5C/5S|0,0,2,0"
    after = fold_ack(game, Ack(ply=0, move="H1", hash=hash_of(position)), undo=True)
    assert after.columns[0] == ["2S", "AH"]
    assert after.foundations.H == 2


@pytest.mark.parametrize(
    "ack",
    [
        Ack(ply=0, move="wf", hash="5f8aa2c9"),
        Ack(ply=0, move="12x3", hash="5f8aa2c9"),
        Ack(ply=0, move="sideways", hash="5f8aa2c9"),
        Ack(ply=0, move="d", revealed=["2C", "3C", "4C"], hash="00000000"),
    ],
)
def test_an_ack_that_does_not_fit_is_told_and_changes_nothing(ack: Ack) -> None:
    game = a_game()
    with pytest.raises(BadFrame):
        fold_ack(game, ack, undo=True)
    assert game == a_game()


@pytest.mark.parametrize(
    ("sent", "played", "same"),
    [
        ("12", "12", True),
        ("1", "14", True),
        ("1", "1f", True),
        ("1", "14x2", False),
        ("1x3", "12x3", True),
        ("r", "r2", True),
        ("12", "14", False),
        ("u", "u", True),
        ("u", "d", False),
    ],
)
def test_a_tap_means_any_move_from_its_card(sent: str, played: str, same: bool) -> None:
    assert means(sent, played) is same


def drawn_ack(*cards: str) -> Ack:
    position = f"{34 - len(cards)}|{','.join(cards)}|13:JD|QC/KH/3H/AS|0,0,1,0"
    return Ack(ply=0, move="d", revealed=list(cards), placed=1, hash=hash_of(position))


def hash_of(position: str) -> str:
    return f"{zlib.crc32(position.encode()):08x}"


def test_the_start_of_the_example_has_the_published_hash() -> None:
    game: Game = a_game()
    assert hash_of(game.position) == game.hash
