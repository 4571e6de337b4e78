"""Exports as a server writes them, built with the rules from published games."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from canfield_race_client.rules import Board, GameCode, parse_action

CODE = "CF1-D3-AAAAACL"
NONCE = "0123456789abcdef0123456789abcdef"
TIME_LIMIT_S = 900
STEP_MS = 250
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
VECTORS = Path(__file__).parents[1] / "vectors"

Line = dict[str, Any]


def published(code: str = CODE, *, won: bool) -> list[str]:
    """The moves of a published game; those that are not won have undo in them, where it is on."""
    for game in json.loads((VECTORS / "games.json").read_text()):
        if (game["code"], game["won"]) == (code, won):
            return [step["move"] for step in game["steps"]]
    raise LookupError(code)


def a_line(
    player: str,
    moves: Sequence[str] = (),
    *,
    code: str = CODE,
    state: str = "resigned",
    step_ms: int = STEP_MS,
    **fields: object,
) -> Line:
    """One game, a move every `step_ms`; it is won if its moves win."""
    board = Board.deal(GameCode.parse(code))
    at_ms = 0
    for number, move in enumerate(moves, start=1):
        placed = board.placed
        board.play(parse_action(move))
        if board.placed != placed:
            at_ms = number * step_ms
    who = {"id": f"p_{player.lower()}", "name": player, "kind": "human"}
    took_ms = TIME_LIMIT_S * 1000 if state == "out_of_time" else step_ms * len(moves)
    ended_at = NOON + timedelta(milliseconds=took_ms)
    return {
        "id": f"g_{player.lower()}",
        "room": "k3x9q2ab",
        "player": who,
        "code": code,
        "nonce": NONCE,
        "commitment": sha256(f"{code}:{NONCE}".encode()).hexdigest(),
        "ruleset": code[:3],
        "draw": int(code[5]),
        "started_at": written(NOON),
        "ended_at": written(ended_at),
        "undo": code.startswith("CF1"),
        "time_limit_s": TIME_LIMIT_S,
        "players": 1,
        "moves": [*moves],
        "times_ms": [number * step_ms for number in range(1, len(moves) + 1)],
        "result": {
            "player": {**who},
            "state": "won" if board.is_won else state,
            "placed": board.placed,
            "score": board.score,
            "actions": len(moves),
            "at_ms": at_ms,
            "rank": 1,
        },
        **fields,
    }


def a_race(*, code: str = CODE) -> list[Line]:
    """A whole room in no order: a win, one by undo and luck, two that tie, one who never moved."""
    win, luck = published(code, won=True), published(code, won=False)
    return in_one_room(
        a_line("Di", code=code, state="out_of_time"),
        a_line("Bo", win[:60], code=code),
        a_line("Ana", win, code=code),
        a_line("Cy", win[:60], code=code),
        a_line("Ed", luck, code=code, step_ms=400),
    )


def in_one_room(*lines: Line) -> list[Line]:
    """The lines with how many they are, and with their ranks: one more than are better."""
    for line in lines:
        line["players"] = len(lines)
        line["result"]["rank"] = 1 + sum(_key(other) < _key(line) for other in lines)
    return [*lines]


def as_text(lines: Sequence[Line]) -> list[bytes]:
    """The lines as they are in a file."""
    return [json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines]


def written(at: datetime) -> str:
    """An instant as the contract writes it."""
    return f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z"


def _key(line: Line) -> tuple[bool, int, int, int]:
    result = line["result"]
    return (result["state"] != "won", -result["placed"], result["at_ms"], result["actions"])
