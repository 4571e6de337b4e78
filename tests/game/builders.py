"""Boards and positions that the tests of the rules are built from."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import strategies as st

from server.game import CF1, CH1, Board, GameCode, Move, Ruleset, parse_action

VECTORS = Path(__file__).parents[1] / "vectors"

LETTERS = st.sampled_from([7, 28]).flatmap(
    lambda length: st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=length, max_size=length)
)

Play = tuple[GameCode, list[Move]]
"""A code and legal moves from its deal on."""

CODES = st.builds(
    lambda variant, letters: GameCode(variant[0], variant[1], letters),
    st.sampled_from([(CF1, 3), (CF1, 1), (CH1, 3)]),
    LETTERS,
)
"""Codes of any deal in every variant."""


def vectors(name: str) -> Any:
    return json.loads((VECTORS / name).read_text())


def a_board(code: str = "CF1-D3-AAAAACL", *, undo: bool | None = None) -> Board:
    return Board.deal(GameCode.parse(code), undo=undo)


def a_board_after(moves: str, code: str = "CF1-D3-AAAAACL") -> Board:
    board = a_board(code)
    for text in moves.split():
        board.play(parse_action(text))
    return board


def a_position(
    columns: str,
    *,
    ruleset: Ruleset = CF1,
    base: str = "7",
    reserve: Sequence[str] = (),
    waste: Sequence[str] = (),
    stock: Sequence[str] = (),
    foundations: Mapping[str, int] | None = None,
) -> Board:
    """Columns are written as in positions: `KH.QC/3H/-/AS`."""
    return Board.from_piles(
        ruleset,
        base=base,
        draw=3,
        columns=[[] if column == "-" else column.split(".") for column in columns.split("/")],
        reserve=reserve,
        waste=waste,
        stock=stock,
        foundations={"C": 0, "D": 0, "H": 0, "S": 0, **(foundations or {})},
    )


def a_won_board(variant: str = "CF1-D3") -> Board:
    """A published game of the variant, played to its win."""
    for game in vectors("games.json"):
        if game["won"] and game["code"].startswith(variant):
            board = a_board(game["code"])
            for step in game["steps"]:
                board.play(parse_action(step["move"]))
            return board
    raise LookupError(variant)


def everything(board: Board) -> tuple[object, ...]:
    """All there is to know of a board, hidden cards and history included."""
    piles = board._piles
    return (
        [pile.copy() for pile in piles.all],
        piles.wanted.copy(),
        piles.loose.copy(),
        piles.placed,
        board.score,
        [*board._history],
    )


def published_wins() -> list[Play]:
    return [
        (GameCode.parse(game["code"]), [Move.parse(step["move"]) for step in game["steps"]])
        for game in vectors("games.json")
        if game["won"]
    ]


def a_play_from(opening: Play, *, steps: int, seed: int) -> Play:
    """The opening, then so many legal moves as chance has it; fewer if the game is won or stuck."""
    code, moves = opening[0], [*opening[1]]
    board = Board.deal(code)
    for move in moves:
        board.push(move)
    chance = Random(seed)
    for _ in range(steps):
        if legal := list(board.legal_moves):
            moves.append(chance.choice(legal))
            board.push(moves[-1])
    return code, moves


OPENINGS: st.SearchStrategy[Play] = CODES.map(lambda code: (code, [])) | st.sampled_from(
    published_wins()
).flatmap(lambda win: st.integers(0, len(win[1])).map(lambda length: (win[0], win[1][:length])))

PLAYS = st.builds(a_play_from, OPENINGS, steps=st.integers(0, 200), seed=st.integers(min_value=0))
"""Legal plays: any deal played by chance, or a published win left by chance at any move."""


def a_board_played(play: Play) -> Board:
    code, moves = play
    board = Board.deal(code)
    for move in moves:
        board.push(move)
    return board
