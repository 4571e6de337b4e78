"""Refusals of the race, as data: handlers read `code` and attributes, never the text."""

from typing import ClassVar


class RaceError(Exception):
    """Something that may not be done; nothing has changed.

    Attributes:
        code: the stable word of the contract.
        detail: what is wrong and how to mend it, for a person.
    """

    code: ClassVar[str] = "invalid"

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class Invalid(RaceError):
    """A value that cannot be, or contradicts another.

    Attributes:
        pointer: the JSON pointer of the field at fault; "" is the whole document.
    """

    code = "invalid"

    def __init__(self, detail: str, *, pointer: str = "") -> None:
        super().__init__(detail)
        self.pointer = pointer


class NotAvailable(Invalid):
    """A thing of the contract that this server does not offer."""

    code = "not_available"


class NotFound(RaceError):
    """No such room, game or player."""

    code = "not_found"


class WrongState(RaceError):
    """The room is not in a state in which this may be done.

    Attributes:
        state: the room's present state.
    """

    code = "wrong_state"

    def __init__(self, detail: str, *, state: str) -> None:
        super().__init__(detail)
        self.state = state


class RoomFull(RaceError):
    """Every seat is taken."""

    code = "room_full"


class DailyOver(RaceError):
    """The day is over: nobody joins its race any more."""

    code = "daily_over"


class NotInADaily(RaceError):
    """A daily is everyone's: nobody may do this to it."""

    code = "not_in_a_daily"


class NotHost(RaceError):
    """Only the room's host may do this."""

    code = "not_host"


class NotAPlayer(RaceError):
    """Only someone who has joined the room may do this."""

    code = "not_a_player"


class Kicked(RaceError):
    """The host has removed this player from the room for good."""

    code = "kicked"


class NameTaken(RaceError):
    """Another player has this name, or one that looks like it."""

    code = "name_taken"


class Forbidden(RaceError):
    """Not for this player to see or do."""

    code = "forbidden"


class Unauthorized(RaceError):
    """No token, or one that is not valid (any more)."""

    code = "unauthorized"


class Unavailable(RaceError):
    """Storage did not answer; perhaps done, perhaps not: ask again.

    Attributes:
        retry_after_s: when asking again makes sense.
    """

    code = "unavailable"

    def __init__(self, detail: str, *, retry_after_s: int = 1) -> None:
        super().__init__(detail)
        self.retry_after_s = retry_after_s


class TooManyRequests(Unavailable):
    """More than the stated limits allow; they are at `GET /api/v1/limits`."""

    code = "too_many_requests"
