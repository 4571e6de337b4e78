"""What one finished game has to fulfil: a deal fixed beforehand, legal moves, the right result."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from hashlib import sha256

from canfield_race_client.exported import ExportedGame, Flaw, Place
from canfield_race_client.rules import BadCode, BadMove, Board, GameCode, GameError, Move

CARDS = 52
UNDO = "u"
MILLISECOND = timedelta(milliseconds=1)


def check_deal(game: ExportedGame, place: Place) -> GameCode:
    """The code, which was fixed from the beginning and names a deal of these rules.

    Raises:
        Flaw: `commitment` or `deal`.
    """
    committed = sha256(f"{game.code}:{game.nonce}".encode()).hexdigest()
    if game.commitment != committed:
        raise Flaw("commitment", f"the SHA-256 of code and nonce is {committed}", place)
    try:
        code = GameCode.parse(game.code)
    except BadCode as error:
        raise Flaw("deal", str(error), place) from error
    if (game.ruleset, game.draw) != (code.ruleset.name, code.draw):
        claimed = f"{game.ruleset!a} with draw {game.draw} is claimed"
        raise Flaw("deal", f"{claimed}, and {code} is another game", place)
    return code


def check_play(game: ExportedGame, code: GameCode, place: Place) -> None:
    """Replay a game: every move is legal and in time, and the result follows.

    Raises:
        Flaw: `move`, `time` or `result`.
    """
    if len(game.times_ms) != len(game.moves):
        counts = f"{len(game.moves)} moves have {len(game.times_ms)} times"
        raise Flaw("time", counts, place)
    board = Board.deal(code, undo=False if game.undo is False else None)
    at_ms = last_ms = 0
    for number, (move, elapsed_ms) in enumerate(zip(game.moves, game.times_ms, strict=True), 1):
        if wrong := _what_is_wrong_with(elapsed_ms, last_ms, game.time_limit_s):
            raise Flaw("time", wrong, replace(place, move=number))
        placed = board.placed
        _make(move, board, replace(place, move=number))
        if board.placed != placed:
            at_ms = elapsed_ms
        last_ms = elapsed_ms
    _check_result(game, board, at_ms, place)
    _check_end(game, last_ms, place)


def _what_is_wrong_with(elapsed_ms: int, last_ms: int, time_limit_s: int | None) -> str | None:
    """What forbids a move at this time after one at `last_ms`, if anything does."""
    if elapsed_ms < last_ms:
        return f"{elapsed_ms} ms lies before {last_ms} ms"
    if time_limit_s is not None and elapsed_ms >= time_limit_s * 1000:
        return f"{elapsed_ms} ms lies beyond the time limit of {time_limit_s} s"
    return None


def _make(move: str, board: Board, place: Place) -> None:
    try:
        if move == UNDO:
            board.undo()
        else:
            board.push(Move.parse(move))
    except BadMove as error:
        raise Flaw("move", str(error), place) from error
    except GameError as error:
        raise Flaw("move", f"{move}: {error}", place) from error


def _check_result(game: ExportedGame, board: Board, at_ms: int, place: Place) -> None:
    result = game.result
    if result.player != game.player:
        raise Flaw("result", f"it is the result of {result.player.shown_name}", place)
    follows = {
        "placed": board.placed,
        "score": board.score,
        "actions": len(game.moves),
        "at_ms": at_ms,
    }
    for name, right in follows.items():
        claimed = getattr(result, name)
        if claimed != right:
            raise Flaw("result", f"{name} {claimed} is claimed, the moves give {right}", place)
    if (result.state == "won") is not board.is_won:
        claim = f"state {result.state} is claimed with {board.placed} of {CARDS} cards placed"
        raise Flaw("result", claim, place)


def _check_end(game: ExportedGame, last_ms: int, place: Place) -> None:
    """The end as far as it follows: a win ends with its last move, nothing ends before that.

    Nothing ends beyond the time limit either, and who is out of time ends with it.
    """
    if game.ended_at is None:
        return
    took_ms = (game.ended_at - game.started_at) // MILLISECOND
    if game.time_limit_s is not None:
        limit_ms = game.time_limit_s * 1000
        ran_out = game.result.state == "out_of_time"
        if took_ms > limit_ms or (took_ms == limit_ms) is not ran_out:
            claim = f"state {game.result.state} is claimed for an end {took_ms} ms after its start"
            raise Flaw("result", f"{claim}, with a time limit of {limit_ms} ms", place)
    too_late = game.result.state == "won" and took_ms > last_ms
    if too_late or took_ms < last_ms:
        claim = f"it ended {took_ms} ms after its start, its last move was at {last_ms} ms"
        raise Flaw("result", claim, place)
