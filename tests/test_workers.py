import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator, Callable
from operator import methodcaller
from pathlib import Path

import httpx2
import pytest

from server import workers as workers_module
from server.workers import CannotStart, Work, Workers
from tests.clients.server_process import ServerProcess
from tests.store.builders import ON_POSTGRESQL

PATIENCE_S = 60

ENDS_AT_ONCE: Work = methodcaller("close")
SERVES_AND_DIES: Work = methodcaller("send_bytes", b"serving")


class Seen:
    """What is told of workers."""

    def __init__(self) -> None:
        self.served = 0
        self.dead: list[int] = []
        self.stopped = 0

    def serving(self) -> None:
        self.served += 1

    def stop(self) -> None:
        self.stopped += 1

    def workers(self, count: int, work: Work) -> Workers:
        return Workers(
            count,
            work,
            on_serving=self.serving,
            on_death=self.dead.append,
            on_stop=self.stop,
        )


async def test_workers_that_cannot_begin_are_not_tried_again() -> None:
    seen = Seen()

    with pytest.raises(CannotStart, match="ended before it served"):
        await asyncio.wait_for(seen.workers(2, ENDS_AT_ONCE).run(), PATIENCE_S)

    assert (seen.served, seen.stopped) == (0, 1)


async def test_workers_that_go_on_dying_are_replaced_only_so_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers_module, "LONGEST_PAUSE_S", 0)
    seen = Seen()

    with pytest.raises(CannotStart, match="5 workers in a row"):
        await asyncio.wait_for(seen.workers(1, SERVES_AND_DIES).run(), PATIENCE_S)

    assert len(set(seen.dead)) == len(seen.dead) == 5
    assert (seen.served, seen.stopped) == (1, 1)


@pytest.fixture
async def two_workers(
    tmp_path: Path, database_url: str, redis_url: str
) -> AsyncIterator[ServerProcess]:
    server = ServerProcess(tmp_path, database_url, workers=2, REDIS_URL=redis_url)
    await server.start()
    yield server
    await server.kill()


def serving(server: ServerProcess) -> list[int]:
    """The process ids of all workers that have ever served, the newest last."""
    return [int(pid) for pid in re.findall(r"worker\.serves +pid=(\d+)", server.log)]


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def until(fact: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not fact():  # noqa: ASYNC110 — the fact is in other processes
            await asyncio.sleep(0.02)


async def is_served(server: ServerProcess) -> bool:
    async with httpx2.AsyncClient(trust_env=False) as http:
        try:
            return (await http.get(f"{server.url}/readyz")).is_success
        except httpx2.TransportError:
            return False


@ON_POSTGRESQL
async def test_a_worker_that_was_killed_is_replaced_and_all_stop_together(
    two_workers: ServerProcess,
) -> None:
    killed, other = serving(two_workers)

    os.kill(killed, signal.SIGKILL)
    await until(lambda: not is_alive(killed))
    assert await is_served(two_workers)
    await until(lambda: len(serving(two_workers)) == 3)
    newest = serving(two_workers)[-1]
    assert is_alive(other)
    assert is_alive(newest)

    assert await two_workers.stop() == 0
    assert not is_alive(other)
    assert not is_alive(newest)
    assert not await is_served(two_workers)
    assert two_workers.log.count("listens on") == 1  # when all served, and once
    assert "Traceback" not in two_workers.log


@ON_POSTGRESQL
async def test_workers_do_not_outlive_a_killed_parent(two_workers: ServerProcess) -> None:
    pids = serving(two_workers)

    await two_workers.kill()

    await until(lambda: not any(is_alive(pid) for pid in pids))
    assert not await is_served(two_workers)


@ON_POSTGRESQL
async def test_a_worker_that_hangs_is_ended_in_time(two_workers: ServerProcess) -> None:
    hanging, other = serving(two_workers)
    os.kill(hanging, signal.SIGSTOP)

    assert await two_workers.stop() == 0

    assert not is_alive(hanging)
    assert not is_alive(other)
    assert "worker.did_not_stop" in two_workers.log
