"""Logs: one line per event on standard error, with its fields; tokens never.

A line that a REST call causes has its `request_id`, one of a room's work or of a socket its `room`:
both are bound here, and go along to whatever is awaited meanwhile.
"""

import logging
import re
import sys
from contextlib import AbstractContextManager
from typing import Any, Literal
from uuid import uuid4

import structlog
from structlog.contextvars import bound_contextvars

LogFormat = Literal["text", "json"]

REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
"""What a caller's, or a proxy's, id may look like to be taken over: it goes into log lines."""

ROOM_ID = re.compile(r"[a-z0-9_]{1,16}")

log = structlog.get_logger()


def configure_logs(level: str, *, form: LogFormat = "text") -> None:
    """Write events of this level (`debug`, `info`, `warning`, `error`) and above.

    As `text` for people, or as `json`, an object on each line. Tracebacks are plain: those that
    show local variables would show tokens. What somebody has configured before is left alone.
    """
    if structlog.is_configured():
        return
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            _renderer(form),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[level.upper()]
        ),
        logger_factory=_to_standard_error,
    )
    _take_over_the_libraries()


def about_call(request_id: str, *, room_id: str | None) -> AbstractContextManager[None]:
    """Have the block's log lines tell which call they are of, and of which room."""
    return bound_contextvars(request_id=request_id, **_room(room_id))


def about_room(room_id: str) -> AbstractContextManager[None]:
    """Have the block's log lines tell which room they are of."""
    return bound_contextvars(**_room(room_id))


def request_id_of(given: str | None) -> str:
    """Give the id that a call came with, if it is fit for a log line, or else a new one.

    >>> request_id_of("edge-7f3a.1")
    'edge-7f3a.1'
    """
    if given is not None and REQUEST_ID.fullmatch(given):
        return given
    return uuid4().hex


def _room(room_id: str | None) -> dict[str, str]:
    """Give the field of a room; what cannot be a room's id is anybody's text, and stays out."""
    return {"room": room_id} if room_id is not None and ROOM_ID.fullmatch(room_id) else {}


def _renderer(form: LogFormat) -> structlog.types.Processor:
    if form == "json":
        return structlog.processors.JSONRenderer()
    return structlog.dev.ConsoleRenderer(
        colors=False,
        repr_native_str=True,  # a line break in a value begins no line of its own
        exception_formatter=structlog.dev.plain_traceback,
    )


def _to_standard_error(*_names: Any) -> structlog.WriteLogger:
    """Write each line in one piece: several processes may share standard error."""
    return structlog.WriteLogger(sys.stderr)


class _LibraryEvents(logging.Handler):
    """Writes what libraries log as lines of the same form."""

    def emit(self, record: logging.LogRecord) -> None:
        log.log(
            record.levelno,
            "library.said",
            library=record.name,
            message=record.getMessage(),
            exc_info=record.exc_info,
        )


def _take_over_the_libraries() -> None:
    """Have warnings of libraries go the same way, those of uvicorn too, which has its own."""
    root = logging.getLogger()
    if not any(isinstance(handler, _LibraryEvents) for handler in root.handlers):
        root.addHandler(_LibraryEvents(logging.WARNING))
    for name in ("uvicorn", "uvicorn.access"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
