"""Several server processes on one listening socket: started, replaced when they die, stopped."""

import asyncio
import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection

import structlog

from server import process
from server.clock import monotonic_ms
from server.settings import CannotRun, Settings

log = structlog.get_logger()

SPAWN = get_context("spawn")  # each begins as a new process: no thread and no loop is copied

EARLY_MS = 10_000  # who dies younger may do so again, and is replaced after a pause
LONGEST_PAUSE_S = 30
MOST_EARLY_DEATHS = 5  # of one place, in a row: if nobody else serves either, that is the end
STOP_WITHIN_S = process.STOP_WITHIN_S + 0.5  # the worker's own limit comes first, and tells more

SIGNALS = (signal.SIGINT, signal.SIGTERM)

Work = Callable[[Connection], None]
"""What a worker does. It says something to its parent as soon as it serves."""


class CannotStart(CannotRun):
    """No worker can serve; the message says where to read why."""


class Worker:
    """A worker process, as its parent sees it.

    Attributes:
        serves: whether it has said that it does.
        settled: set once it serves, or has ended without that.
        ended: set once it has ended.
    """

    def __init__(self, work: Work) -> None:
        loop = asyncio.get_running_loop()
        self.started = monotonic_ms()
        self.serves = False
        self.settled = asyncio.Event()
        self.ended = asyncio.Event()
        self._pipe, its_end = SPAWN.Pipe()
        self._process = SPAWN.Process(target=work, args=(its_end,), daemon=True)
        self._process.start()
        its_end.close()
        loop.add_reader(self._pipe.fileno(), self._hear)
        loop.add_reader(self._process.sentinel, self._end)

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid or 0

    @property
    def exit_code(self) -> int | None:
        """How it ended; negative for a signal."""
        return self._process.exitcode

    def stop(self) -> None:
        """Have it end in good order."""
        self._process.terminate()

    def kill(self) -> None:
        """Have it end now."""
        self._process.kill()

    def _hear(self) -> None:
        asyncio.get_running_loop().remove_reader(self._pipe.fileno())
        with suppress(EOFError, OSError):  # its end of the pipe ends with it
            self._pipe.recv_bytes()
            self.serves = True
            self.settled.set()

    def _end(self) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._process.sentinel)
        loop.remove_reader(self._pipe.fileno())
        self._process.join()
        self._pipe.close()
        self.settled.set()
        self.ended.set()


class Workers:
    """Keeps so many workers until SIGINT or SIGTERM."""

    def __init__(
        self,
        count: int,
        work: Work,
        *,
        on_serving: Callable[[], None],
        on_death: Callable[[int], None],
        on_stop: Callable[[], None],
    ) -> None:
        self._count = count
        self._work = work
        self._on_serving = on_serving
        self._on_death = on_death
        self._on_stop = on_stop
        self._alive: set[Worker] = set()
        self._have_served = False

    async def run(self) -> None:
        """Start the workers, replace those that die, and stop them all in the end.

        Raises:
            CannotStart: one ended before all of them served for the first time, or later none
                served any more and new ones went on ending.
        """
        loop = asyncio.get_running_loop()
        told_to_stop = asyncio.Event()
        for sig in SIGNALS:
            loop.add_signal_handler(sig, told_to_stop.set)
        waiting = asyncio.create_task(told_to_stop.wait())
        places = [asyncio.create_task(self._keep_filled()) for _ in range(self._count)]
        try:
            done, _ = await asyncio.wait({waiting, *places}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in (waiting, *places):
                task.cancel()
            await self._stop()
            for sig in SIGNALS:
                loop.remove_signal_handler(sig)

    async def _keep_filled(self) -> None:
        """Have a worker in one place, and another one when that has died."""
        early_deaths = 0
        while True:
            worker = Worker(self._work)
            self._alive.add(worker)
            await worker.settled.wait()
            self._tell(worker)
            await worker.ended.wait()
            self._alive.remove(worker)
            self._on_death(worker.pid)
            log.warning("worker.died", pid=worker.pid, exit_code=worker.exit_code)
            was_early = monotonic_ms() - worker.started < EARLY_MS
            early_deaths = early_deaths + 1 if was_early else 0
            self._check_that_it_makes_sense(worker, early_deaths)
            await asyncio.sleep(min(2 ** (early_deaths - 1), LONGEST_PAUSE_S) if was_early else 0)

    def _tell(self, worker: Worker) -> None:
        if worker.serves:
            log.info("worker.serves", pid=worker.pid)
        if not self._have_served and self._serving == self._count:
            self._have_served = True
            self._on_serving()

    @property
    def _serving(self) -> int:
        return sum(worker.serves for worker in self._alive)

    def _check_that_it_makes_sense(self, dead: Worker, early_deaths: int) -> None:
        if not self._have_served and not dead.serves:
            raise CannotStart("a worker ended before it served; what it wrote above says why")
        if early_deaths >= MOST_EARLY_DEATHS and self._serving == 0:
            raise CannotStart(
                f"{early_deaths} workers in a row have died early, and none serves; what they "
                "wrote above says why"
            )

    async def _stop(self) -> None:
        """Have every worker end, in good order if it can."""
        self._on_stop()
        for worker in self._alive:
            worker.stop()
        with suppress(TimeoutError):
            async with asyncio.timeout(STOP_WITHIN_S):
                for worker in self._alive:
                    await worker.ended.wait()
        for worker in self._alive:
            if not worker.ended.is_set():
                log.error("worker.did_not_stop", pid=worker.pid, within_s=STOP_WITHIN_S)
                worker.kill()
                await worker.ended.wait()
            elif worker.exit_code:
                log.warning("worker.stopped_badly", pid=worker.pid, exit_code=worker.exit_code)


def serve_in_worker(settings: Settings, listener: socket.socket, parent: Connection) -> None:
    """Serve until told to stop, or until the parent is gone."""

    def on_started() -> None:
        parent.send_bytes(b"serving")
        loop = asyncio.get_running_loop()
        loop.add_reader(parent.fileno(), stop_without_parent)

    def stop_without_parent() -> None:
        asyncio.get_running_loop().remove_reader(parent.fileno())
        os.kill(os.getpid(), signal.SIGTERM)

    process.run(settings, listener, on_started=on_started)


def work_of(settings: Settings, listener: socket.socket) -> Work:
    """Give what each worker of a server does."""
    return partial(serve_in_worker, settings, listener)
