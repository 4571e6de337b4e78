"""Every published vector, replayed."""

from typing import Any

import pytest

from server.game import (
    CF1,
    RULESETS,
    BadMove,
    Board,
    GameCode,
    IllegalMove,
    Move,
    NothingToUndo,
    Ruleset,
    Tap,
    card_name,
    parse_action,
)
from tests.game.builders import VECTORS, a_board, vectors

DEALS = vectors("deals.json")
GAMES = vectors("games.json")
EDGES = vectors("edges.json")
VERDICTS = vectors("verdicts.json")
TAPS = vectors("taps.json")
EXAMPLE_WIN = vectors("example_win.json")

LINES = [
    pytest.param(
        verdict["deck"], variant, verdict[variant]["line"], id=f"{verdict['id']}-{variant}"
    )
    for verdict in VERDICTS
    for variant in ("CF1-D3", "CF1-D1", "CH1-D3")
    if verdict[variant] and verdict[variant].get("line")
]


def a_board_from_deck(deck: list[str], variant: str) -> Board:
    name, draw = variant.split("-D")
    foundations = dict.fromkeys("CDHS", 0)
    foundations[deck[13][1]] = 1
    return Board.from_piles(
        RULESETS[name],
        base=deck[13][0],
        draw=int(draw),
        columns=[[card] for card in deck[14:18]],
        reserve=deck[:13],
        stock=deck[18:],
        foundations=foundations,
    )


def a_board_from_edge(piles: dict[str, Any], edge: dict[str, Any], ruleset: Ruleset) -> Board:
    return Board.from_piles(ruleset, base=edge["base"], draw=edge["draw"], **piles)


@pytest.mark.parametrize("deal", DEALS, ids=lambda deal: deal["letters"])
def test_the_letters_deal_the_published_deck(deal: dict[str, Any]) -> None:
    code = GameCode(CF1, 3, deal["letters"])

    assert [card_name(number) for number in code.deck()] == deal["deck"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game['code']}-{len(game['steps'])}")
def test_the_game_goes_as_published(game: dict[str, Any]) -> None:
    board = a_board(game["code"])
    start = game["start"]
    assert board.position == start["position"]
    assert board.hash == start["hash"]
    assert board.score == start["points"]
    assert board.legal_moves.texts() == start["legal"]

    for step in game["steps"]:
        played = board.play(parse_action(step["move"]))

        assert played.move == step["move"]
        assert (board.hash, board.score, board.placed) == (
            step["hash"],
            step["points"],
            step["placed"],
        )
        if "position" in step:
            assert board.position == step["position"]
        if "legal" in step:
            assert board.legal_moves.texts() == step["legal"]

    assert board.is_won == game["won"]


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=str)
@pytest.mark.parametrize("edge", EDGES, ids=lambda edge: edge["name"])
def test_the_edge_case_is_decided_as_published(edge: dict[str, Any], ruleset: Ruleset) -> None:
    board = a_board_from_edge(edge["before"], edge, ruleset)

    if edge[ruleset.name]:
        board.push(Move.parse(edge["move"]))
        after = a_board_from_edge(edge["after"], edge, ruleset)
        assert board.position == after.position
        assert all_cards(board) == all_cards(after)
    else:
        before = board.position
        with pytest.raises((BadMove, IllegalMove)):
            board.push(Move.parse(edge["move"]))
        assert board.position == before


def all_cards(board: Board) -> list[list[str]]:
    """The hidden cards too: what the reserve and the stock hold, found by drawing and playing."""
    return [list(pile) for pile in board._piles.all]


@pytest.mark.parametrize(("deck", "variant", "line"), LINES)
def test_the_winning_line_wins(deck: list[str], variant: str, line: str) -> None:
    board = a_board_from_deck(deck, variant)

    for text in line.split():
        board.push(Move.parse(text))

    assert board.is_won
    assert board.placed == 52


@pytest.mark.parametrize("case", TAPS["taps"], ids=lambda case: f"{case['code']}")
def test_the_taps_become_the_published_moves(case: dict[str, Any]) -> None:
    board = a_board(case["code"])
    for text in case["moves"]:
        board.play(parse_action(text))

    for text, expected in case["taps"].items():
        tap = parse_action(text)
        assert isinstance(tap, Tap)
        if expected is None:
            with pytest.raises(IllegalMove, match=r"^A1: "):
                board.tap(tap)
        else:
            assert board.tap(tap).text == expected


def test_the_example_is_won_without_taking_a_card_back() -> None:
    board = a_board("CF1-D3-AAAAACL")

    for text in EXAMPLE_WIN:
        board.push(Move.parse(text))

    assert EXAMPLE_WIN[:3] == ["12", "rf", "24x2"]
    assert (board.is_won, board.placed, board.score) == (True, 52, 255)


def test_the_client_ships_the_same_example() -> None:
    root = VECTORS.parents[1]
    shipped = root / "clients" / "python" / "canfield_race_client" / "example_win.txt"

    assert shipped.read_text().split() == EXAMPLE_WIN


def test_a_hundred_undos_go_back_as_published_and_the_next_is_refused() -> None:
    case = TAPS["undo"]
    board = a_board(case["code"])
    for text in case["moves"]:
        board.push(Move.parse(text))

    hashes = []
    for _ in range(100):
        board.undo()
        hashes.append(board.hash)

    assert hashes == case["hashes_after_each_undo"]
    with pytest.raises(NothingToUndo) as refused:
        board.undo()
    assert refused.value.code == case["then"]
