"""What the server counts of itself, for Prometheus; `server/api/metrics.py` shows it.

This stands at the bottom of the layers: whoever has something to count imports it, and it imports
nothing of ours. Every label is a word of a small, fixed set, looked up here and not where a move
passes; a player's name, a room's id or a token is never one.

With `PROMETHEUS_MULTIPROC_DIR` in the environment when this is imported, every process keeps its
numbers in a file there, and any of them can tell the sum.
"""

import asyncio
import os
from collections.abc import Callable, Iterable
from time import perf_counter

import structlog
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Metric,
    disable_created_metrics,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

log = structlog.get_logger()

SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
SAMPLE_EVERY_S = 1.0

OTHER = "other"
"""Stands for every label that is not of its set."""

seconds = perf_counter
"""Reads a watch in seconds, to measure how long something took: nothing is decided by it."""

disable_created_metrics()  # type: ignore[no-untyped-call] # they double the text, and nobody asks
_registry = CollectorRegistry()


# Moves and the journal

MOVES = Counter(
    "canfield_moves_total",
    "Moves by what was answered: ack (on disk), ack_again (sent again), or the code of a reject.",
    ["outcome"],
    registry=_registry,
)
REJECTS = (
    "bad_move",
    "illegal_move",
    "undo_off",
    "nothing_to_undo",
    "ply_gap",
    "ply_conflict",
    "not_racing",
    "unavailable",
    OTHER,
)
MOVES_ACKNOWLEDGED = MOVES.labels("ack")
MOVES_ACKNOWLEDGED_AGAIN = MOVES.labels("ack_again")
_moves_rejected = {code: MOVES.labels(code) for code in REJECTS}

ACK_SECONDS = Histogram(
    "canfield_move_ack_seconds",
    "Time from a move's being checked, on arrival, until its ack was put into the outbox.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
    registry=_registry,
)
BATCH_PLAYS = Histogram(
    "canfield_journal_batch_plays",
    "Moves that shared one commit.",
    buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256, 512),
    registry=_registry,
)
COMMIT_SECONDS = Histogram(
    "canfield_journal_commit_seconds",
    "Time that writing one batch took, failed ones included.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
    registry=_registry,
)
_unwritten = Counter(
    "canfield_journal_unwritten_plays_total",
    "Moves that were not written: refused (another node wrote the game), unknown (storage did not "
    "answer), turned_away (the queue was full, or the server stops).",
    ["outcome"],
    registry=_registry,
)
PLAYS_REFUSED = _unwritten.labels("refused")
PLAYS_UNKNOWN = _unwritten.labels("unknown")
PLAYS_TURNED_AWAY = _unwritten.labels("turned_away")

JOURNAL_QUEUE = Gauge(
    "canfield_journal_queue_plays",
    "Moves that wait to be written; sampled once a second.",
    multiprocess_mode="livesum",
    registry=_registry,
)


# Sockets

_sockets = Gauge(
    "canfield_sockets",
    "Open live sockets: a player's, a spectator's, or greeting (before hello, or being closed); "
    "sampled once a second.",
    ["role"],
    multiprocess_mode="livesum",
    registry=_registry,
)
_players, _spectators, _greeting = map(_sockets.labels, ("player", "spectator", "greeting"))

_closed = Counter(
    "canfield_sockets_closed_total",
    "Live sockets that ended, by close code.",
    ["code"],
    registry=_registry,
)
CLOSE_CODES = (
    *(1000, 1001, 1005, 1006, 1009, 1011, 1012),
    *(4400, 4401, 4404, 4408, 4409, 4413, 4429, 4500),
)
_closed_with = {code: _closed.labels(code) for code in CLOSE_CODES}
_closed_otherwise = _closed.labels(OTHER)

OUTBOX_OVERFLOWS = Counter(
    "canfield_outbox_overflows_total",
    "Sockets closed with 4413, and what waited dropped, because they were read too slowly.",
    registry=_registry,
)
STANDINGS_SENT = Counter(
    "canfield_standings_sent_total",
    "Standings frames put into outboxes: one for each socket that is told.",
    registry=_registry,
)
_resumes = Counter(
    "canfield_resumes_total",
    "Sockets that came back with a place to go on from, and whether it was recovered.",
    ["recovered"],
    registry=_registry,
)
RESUMES_RECOVERED = _resumes.labels("yes")
RESUMES_FRESH = _resumes.labels("no")


# Rooms, and what nodes tell each other

_room_events = Counter(
    "canfield_room_events_total",
    "What happened in rooms, as this node decided it: each event is counted by one node.",
    ["event"],
    registry=_registry,
)
ROOM_EVENTS = (
    *("joined", "left", "kicked", "ready", "renamed"),
    *("countdown", "started", "finished", "cancelled", "rematch"),
)
_room_event = {event: _room_events.labels(event) for event in (*ROOM_EVENTS, OTHER)}

_bus_up = Gauge(
    "canfield_bus_up",
    "1 while hints reach other nodes, 0 while the bus is away for any worker here; sampled once a "
    "second.",
    multiprocess_mode="livemin",
    registry=_registry,
)
_bus_up.set(1)  # until a bus says otherwise: a process may have none
BUS_LAG_SECONDS = Histogram(
    "canfield_bus_lag_seconds",
    "Time from a hint's being sent by one node until another had it; clocks may differ a little.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
    registry=_registry,
)
BUS_GAPS = Counter(
    "canfield_bus_gaps_total",
    "Times that a node saw that it had missed hints; it read back what the bus still had.",
    registry=_registry,
)
BUS_DROPPED = Counter(
    "canfield_bus_dropped_hints_total",
    "Hints not sent, because the bus was away or did not keep up; the database tells them later.",
    registry=_registry,
)
_made_up = Counter(
    "canfield_made_up_total",
    "What the look at the database each second found that no hint had told.",
    ["what"],
    registry=_registry,
)
MADE_UP = ("room", "standings", "takeover", "token")
_made_up_of = {what: _made_up.labels(what) for what in (*MADE_UP, OTHER)}


# The process

_calls = Counter(
    "canfield_http_requests_total",
    "REST calls by the path's template, method and class of status.",
    ["route", "method", "status"],
    registry=_registry,
)
_call_seconds = Histogram(
    "canfield_http_request_seconds",
    "Time that a REST call took, reading its body included.",
    ["route", "method"],
    buckets=(0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5),
    registry=_registry,
)
TASK_FAILURES = Counter(
    "canfield_task_failures_total",
    "Pieces of background work that ended with a fault; the log has each as task.failed.",
    registry=_registry,
)
LOOP_LAG_SECONDS = Histogram(
    "canfield_event_loop_lag_seconds",
    "How late what was due once a second ran: a process that is always late needs another core.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1),
    registry=_registry,
)


def count_reject(code: str) -> None:
    """Count a move that was answered with a reject."""
    (_moves_rejected.get(code) or _moves_rejected[OTHER]).inc()


def count_close(code: int | None) -> None:
    """Count a live socket that has ended."""
    counter = _closed_otherwise if code is None else _closed_with.get(code, _closed_otherwise)
    counter.inc()


def count_room_event(event: str) -> None:
    """Count what has been decided in a room, by the event's `type`."""
    (_room_event.get(event) or _room_event[OTHER]).inc()


def count_resume(*, recovered: bool) -> None:
    """Count a socket that said where to go on from."""
    (RESUMES_RECOVERED if recovered else RESUMES_FRESH).inc()


def count_made_up(what: str) -> None:
    """Count what only the database told: one of `MADE_UP`."""
    (_made_up_of.get(what) or _made_up_of[OTHER]).inc()


def count_call(*, route: str, method: str, status: int, took_s: float) -> None:
    """Count an answered call; `route` is the template of its path."""
    _calls.labels(route, method, f"{status // 100}xx").inc()
    _call_seconds.labels(route, method).observe(took_s)


def show_sockets(*, players: int, spectators: int, greeting: int) -> None:
    """Tell how many live sockets this process has now."""
    _players.set(players)
    _spectators.set(spectators)
    _greeting.set(greeting)


def show_bus(*, ready: bool) -> None:
    """Tell whether hints get through to other nodes now."""
    _bus_up.set(ready)


async def keep_sampling(*samples: Callable[[], None]) -> None:
    """Once a second, have shown what is a state and not an event; see how late that runs."""
    loop = asyncio.get_running_loop()
    while True:
        for sample in samples:
            try:
                sample()
            except Exception:
                log.exception("sample.failed")
        due = loop.time() + SAMPLE_EVERY_S
        await asyncio.sleep(SAMPLE_EVERY_S)
        LOOP_LAG_SECONDS.observe(loop.time() - due)


def collect() -> Iterable[Metric]:
    """Give everything that is counted here: of all processes, where they share a folder."""
    if SHARED_FOLDER in os.environ:
        return MultiProcessCollector(None).collect()  # type: ignore[no-untyped-call,no-any-return]
    return _registry.collect()


def forget_process(pid: int) -> None:
    """Leave a process that has ended out of what is a state; what it counted stays counted."""
    mark_process_dead(pid)  # type: ignore[no-untyped-call]
