"""How fast the rules engine is, on the published games: `python -m tests.bench.rules`.

Rates count the time that this process keeps a core busy, not what others take of it.
"""

import json
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter_ns, process_time_ns

from rich.console import Console
from rich.table import Table

from server.game import Board, GameCode

GAMES = Path(__file__).parents[1] / "vectors" / "games.json"
RUNS = 7

Game = tuple[GameCode, list[str]]


def load_games() -> list[Game]:
    """The published games: won games and random ones, of every variant."""
    return [
        (GameCode.parse(game["code"]), [step["move"] for step in game["steps"]])
        for game in json.loads(GAMES.read_text())
    ]


def moves_per_second(games: list[Game]) -> float:
    """Play every game from text: read, check, make, and hash after each move."""
    boards = [(Board.deal(code), moves) for code, moves in games]
    begin = process_time_ns()
    for board, moves in boards:
        for text in moves:
            board.play(board.parse_move(text))
            _ = board.hash
    elapsed_ns = process_time_ns() - begin
    return sum(len(moves) for _, moves in games) / elapsed_ns * 1e9


def listing_us(games: list[Game]) -> float:
    """The median time to list the legal moves, over every position of the games."""
    times_ns: list[int] = []
    for code, moves in games:
        board = Board.deal(code)
        for text in moves:
            board.play(board.parse_move(text))
            begin = perf_counter_ns()
            board.legal_moves.texts()
            times_ns.append(perf_counter_ns() - begin)
    return median(times_ns) / 1e3


def deal_us(games: list[Game]) -> float:
    """The median time to read a code and deal it."""
    times_ns: list[int] = []
    for code, _ in games:
        text = str(code)
        begin = perf_counter_ns()
        Board.deal(GameCode.parse(text))
        times_ns.append(perf_counter_ns() - begin)
    return median(times_ns) / 1e3


def undos_per_second(games: list[Game]) -> float:
    """Take the last actions of every unfinished game back, with a hash after each."""
    undone = 0
    elapsed_ns = 0
    for code, moves in games:
        board = Board.deal(code)
        for text in moves:
            board.play(board.parse_move(text))
        count = board.undo_left
        begin = process_time_ns()
        for _ in range(count):
            board.undo()
            _ = board.hash
        elapsed_ns += process_time_ns() - begin
        undone += count
    return undone / elapsed_ns * 1e9


MEASURES: list[tuple[str, str, Callable[[list[Game]], float]]] = [
    ("moves read, checked, made and hashed", "per second", moves_per_second),
    ("undos made and hashed", "per second", undos_per_second),
    ("all legal moves listed", "µs", listing_us),
    ("a code read and dealt", "µs", deal_us),
]


def main() -> None:
    """Print the median of several runs of each measure."""
    games = load_games()
    positions = sum(len(moves) for _, moves in games)
    table = Table(
        title=f"Rules engine: {len(games)} games, {positions} moves, {RUNS} runs, one core"
    )
    table.add_column("what")
    table.add_column("median", justify="right")
    table.add_column("worst", justify="right")
    table.add_column("unit")
    for what, unit, measure in MEASURES:
        results = sorted(measure(games) for _ in range(RUNS))
        worst = results[0] if unit == "per second" else results[-1]
        table.add_row(what, f"{median(results):,.1f}", f"{worst:,.1f}", unit)
    Console().print(table)


if __name__ == "__main__":
    main()
