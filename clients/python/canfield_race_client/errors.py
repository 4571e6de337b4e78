"""Everything that can go wrong, as types with attributes: handlers never have to read a text."""

from __future__ import annotations

from typing import NamedTuple


class CanfieldError(Exception):
    """Anything this package raises about the server or the race."""


class ServerUnreachable(CanfieldError):
    """Nobody answers at `url`, or the connection broke before there was an answer."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"cannot reach the server at {url}: {reason}")
        self.url = url
        self.reason = reason


class HandshakeRefused(CanfieldError):
    """The server answered the opening of a socket with an HTTP `status` instead."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the server refused the live socket with HTTP status {status}")
        self.status = status


class BadUrl(CanfieldError):
    """This is no address of a server: it takes `http://` or `https://` and a host."""


class Unsendable(CanfieldError):
    """What was given cannot be written into a request; nothing has been sent."""


class NotConnected(CanfieldError):
    """The connection is down at the moment, and another one is being made: try again."""


class BadFrame(CanfieldError):
    """The server said something that the contract does not know."""


class NoGame(CanfieldError):
    """There is no game of mine to move in: the race has not begun, or I only watch."""


class OutboxFull(CanfieldError):
    """Too many moves are waiting for their acks: await some before sending more."""


class ApiError(CanfieldError):
    """A problem (RFC 9457) that the server answered a request with.

    `pointer` is the JSON pointer of a wrong field, `state` the room's state where that is what is
    wrong, and `retry_after_s` how long to wait before the same request can succeed.
    """

    code = ""

    def __init__(
        self,
        detail: str,
        *,
        status: int,
        code: str,
        pointer: str | None = None,
        state: str | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(f"{detail or code} ({pointer})" if pointer else detail or code)
        self.detail = detail
        self.status = status
        self.code = code
        self.pointer = pointer
        self.state = state
        self.retry_after_s = retry_after_s


class Invalid(ApiError):
    """A field is wrong: `pointer` says which."""

    code = "invalid"


class Unauthorized(ApiError):
    """No token, or one that is not valid any more."""

    code = "unauthorized"


class Forbidden(ApiError):
    """Not for this player."""

    code = "forbidden"


class NotFound(ApiError):
    """There is no such thing."""

    code = "not_found"


class NameTaken(ApiError):
    """Somebody has this name, or one that looks like it."""

    code = "name_taken"


class RoomFull(ApiError):
    """Every seat is taken."""

    code = "room_full"


class WrongState(ApiError):
    """Not while the room is in `state`."""

    code = "wrong_state"


class NotHost(ApiError):
    """Only the host may."""

    code = "not_host"


class NotAPlayer(ApiError):
    """Only who has joined may."""

    code = "not_a_player"


class KickedOut(ApiError):
    """The host has removed this player from the room."""

    code = "kicked"


class DailyOver(ApiError):
    """That day's daily takes nobody any more."""

    code = "daily_over"


class NotInADaily(ApiError):
    """The daily has no host and starts for everybody alone: there is nothing of that kind in it."""

    code = "not_in_a_daily"


class NotAvailable(ApiError):
    """The server does not offer this."""

    code = "not_available"


class TooManyRequests(ApiError):
    """Slow down: try again after `retry_after_s`."""

    code = "too_many_requests"


class Unavailable(ApiError):
    """The server cannot right now: try again after `retry_after_s`."""

    code = "unavailable"


class MoveRejected(CanfieldError):
    """A move was refused and changed nothing; the game goes on at `next_ply`."""

    code = ""

    def __init__(
        self, detail: str, *, move: str, ply: int, code: str, next_ply: int | None = None
    ) -> None:
        super().__init__(f"{move}: {detail or code}")
        self.detail = detail
        self.move = move
        self.ply = ply
        self.code = code
        self.next_ply = next_ply


class BadMove(MoveRejected):
    """The text is no move."""

    code = "bad_move"


class IllegalMove(MoveRejected):
    """The rules do not allow it here."""

    code = "illegal_move"


class UndoOff(MoveRejected):
    """This room is played without undo."""

    code = "undo_off"


class NothingToUndo(MoveRejected):
    """The history is used up."""

    code = "nothing_to_undo"


class PlyGap(MoveRejected):
    """A move that was sent before this one was refused, so this one was not tried."""

    code = "ply_gap"


class PlyConflict(MoveRejected):
    """Another move stands there, played from another socket or over REST."""

    code = "ply_conflict"


class NotRacing(MoveRejected):
    """My game has not begun or is over."""

    code = "not_racing"


class StorageUnavailable(MoveRejected):
    """Storage did not answer, for longer than resending was worth; perhaps played."""

    code = "unavailable"


class CloseCode(NamedTuple):
    """What a close code means, and whether to come back after it."""

    meaning: str
    reconnect: bool


CLOSE_CODES = {
    1000: CloseCode("closed", reconnect=False),
    1001: CloseCode("the server is going away", reconnect=True),
    1006: CloseCode("the connection broke", reconnect=True),
    1009: CloseCode("a frame was over 4 KiB", reconnect=False),
    1011: CloseCode("a fault in the server", reconnect=True),
    1012: CloseCode("the server restarts", reconnect=True),
    4400: CloseCode("a frame was not of the contract", reconnect=False),
    4401: CloseCode("the token is bad or revoked: register, or give another one", reconnect=False),
    4404: CloseCode("there is no such room", reconnect=False),
    4408: CloseCode("the hello came too late", reconnect=True),
    4409: CloseCode("replaced by a newer socket of the same player", reconnect=False),
    4413: CloseCode("this client read too slowly", reconnect=True),
    4429: CloseCode("too many frames", reconnect=True),
    4500: CloseCode("a fault in the server", reconnect=True),
}
UNKNOWN_CLOSE = CloseCode("closed for a reason this client does not know", reconnect=False)


class ConnectionClosed(CanfieldError):
    """The live socket is closed for good, with `close_code`.

    `reconnect` tells whether the code invites to come back: if it does, the attempts to were used
    up; if it does not, only the user may decide to open another socket.
    """

    def __init__(self, close_code: int, reason: str = "") -> None:
        meaning, self.reconnect = CLOSE_CODES.get(close_code, UNKNOWN_CLOSE)
        super().__init__(f"{meaning} (close code {close_code}{f', {reason}' if reason else ''})")
        self.close_code = close_code
        self.reason = reason


API_ERRORS: dict[str, type[ApiError]] = {kind.code: kind for kind in ApiError.__subclasses__()}
MOVE_ERRORS: dict[str, type[MoveRejected]] = {
    kind.code: kind for kind in MoveRejected.__subclasses__()
}


def move_rejected(
    code: str, detail: str, *, move: str, ply: int, next_ply: int | None = None
) -> MoveRejected:
    """The error for a reject, of the class of its code (`MoveRejected` itself for a new code)."""
    kind = MOVE_ERRORS.get(code, MoveRejected)
    return kind(detail, move=move, ply=ply, code=code, next_ply=next_ply)
