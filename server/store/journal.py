"""The journal: every accepted action on disk before it is acknowledged, committed in groups.

While one batch is being written the next collects. Idle, an action is written at once; busy,
hundreds share one commit.
"""

import asyncio
from collections import deque
from typing import Literal, Protocol

import structlog

from server import metrics
from server.race.plays import Outcome, Play, Settler

log = structlog.get_logger()

MOST_WAITING = 10_000  # plays; full: the play is answered `unavailable`, the client resends it
MOST_IN_BATCH = 512  # plays; more wait for the next commit

JournalState = Literal["ready", "full", "stopped"]


class BatchWriter(Protocol):
    """Writes a batch of plays in one transaction; one for each kind of database."""

    async def write(self, plays: list[Play]) -> set[str]:
        """Write the plays of each game whose row stands at their first ply, and is racing.

        Gives the ids of those games. Raises anything when the outcome is unknown.
        """

    async def close(self) -> None:
        """Give the connection back."""


class Journal:
    """Takes plays, writes them in batches, and tells each one's sender how it went."""

    def __init__(self, writer: BatchWriter) -> None:
        self._writer = writer
        self._waiting: deque[tuple[Play, Settler, float]] = deque()  # with the time it came in
        self._wake = asyncio.Event()
        self._closing = False
        self._task: asyncio.Task[None] | None = None

    @property
    def state(self) -> JournalState:
        """Whether plays are taken: not when too many wait, nor before opening or after closing."""
        if self._closing or self._task is None or self._task.done():
            return "stopped"
        return "full" if len(self._waiting) >= MOST_WAITING else "ready"

    def sample(self) -> None:
        """Have it counted how many plays wait."""
        metrics.JOURNAL_QUEUE.set(len(self._waiting))

    def open(self) -> None:
        """Begin to write."""
        self._task = asyncio.create_task(self._run(), name="journal")

    async def close(self) -> None:
        """Write what waits, then stop; once a batch fails, the rest is answered unwritten."""
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await self._task
        await self._writer.close()

    def submit(self, play: Play, settler: Settler) -> None:
        """Have a play written; `settler.settle` is called once its fate is known, never before.

        Plays of one game are written in the order they come in.
        """
        if self._closing or len(self._waiting) >= MOST_WAITING:
            metrics.PLAYS_TURNED_AWAY.inc()
            asyncio.get_running_loop().call_soon(settler.settle, play, Outcome.UNKNOWN)
            return
        self._waiting.append((play, settler, metrics.seconds()))
        if not self._wake.is_set():
            self._wake.set()

    async def _run(self) -> None:
        while not (self._closing and not self._waiting):
            await self._wake.wait()
            if self._waiting:
                await self._write_batch()
            if not self._waiting and not self._closing:
                self._wake.clear()

    async def _write_batch(self) -> None:
        size = min(len(self._waiting), MOST_IN_BATCH)
        batch = [self._waiting.popleft() for _ in range(size)]
        began_s = metrics.seconds()
        written = await self._write([play for play, _, _ in batch])
        metrics.BATCH_PLAYS.observe(size)
        metrics.COMMIT_SECONDS.observe(metrics.seconds() - began_s)
        if written is None:
            if self._closing:  # whoever stops the server shall not wait for every batch to fail
                batch += self._waiting
                self._waiting.clear()
            for play, settler, _ in batch:
                _settle(settler, play, Outcome.UNKNOWN)
            metrics.PLAYS_UNKNOWN.inc(len(batch))
            return
        for play, settler, _ in batch:
            _settle(settler, play, Outcome.WRITTEN if play.game_id in written else Outcome.REFUSED)
        _count([since_s for play, _, since_s in batch if play.game_id in written], of=size)

    async def _write(self, plays: list[Play]) -> set[str] | None:
        """Give the games that the batch was written of; None when nobody knows."""
        try:
            return await self._writer.write(plays)
        except Exception:
            log.warning("journal.batch_failed", plays=len(plays), exc_info=True)
            return None


def _count(since_s: list[float], *, of: int) -> None:
    """Count a batch that has been settled: when each play came in that is acknowledged now."""
    settled_s = metrics.seconds()
    for came_in_s in since_s:
        metrics.ACK_SECONDS.observe(settled_s - came_in_s)
    metrics.MOVES_ACKNOWLEDGED.inc(len(since_s))
    if len(since_s) < of:
        metrics.PLAYS_REFUSED.inc(of - len(since_s))


def _settle(settler: Settler, play: Play, outcome: Outcome) -> None:
    """Tell one sender; a fault in what it does with that is not the other senders' fault."""
    try:
        settler.settle(play, outcome)
    except Exception:
        log.exception("journal.settler_failed", game=play.game_id, ply=play.ply)


def last_plays(plays: list[Play]) -> dict[str, tuple[int, Play]]:
    """Give, for each game in order of its id, the first ply and the last play of a batch.

    A game whose plays do not follow one another is left out: it cannot be written.
    """
    games: dict[str, tuple[int, Play]] = {}
    broken: set[str] = set()
    for play in plays:
        first, last = games.get(play.game_id, (play.ply, None))
        games[play.game_id] = (first, play)
        if last is not None and play.ply != last.ply + 1:
            broken.add(play.game_id)
    return {game_id: games[game_id] for game_id in sorted(games.keys() - broken)}
