"""Logs: one line per event on standard error, with its fields; tokens never."""

import logging
import sys
from typing import Any

import structlog


def configure_logs(level: str) -> None:
    """Write events of this level (`debug`, `info`, `warning`, `error`) and above.

    Tracebacks are plain: those that show local variables would show tokens. What somebody has
    configured before is left alone.
    """
    if structlog.is_configured():
        return
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.dev.ConsoleRenderer(
                colors=False, exception_formatter=structlog.dev.plain_traceback
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[level.upper()]
        ),
        logger_factory=_to_standard_error,
    )


def _to_standard_error(*_names: Any) -> structlog.PrintLogger:
    return structlog.PrintLogger(sys.stderr)
