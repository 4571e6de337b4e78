"""What is measured of processes is theirs."""

import asyncio
import os
import resource
import sys

import pytest

from tests.bench.machine import allow_sockets, cpu_seconds, family, memory_kb

WAIT = "import sys; sys.stdin.read()"
PARENT = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {WAIT!r}])"


async def test_a_family_is_a_process_and_all_that_come_from_it() -> None:
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PARENT, stdin=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(30):
            while len(found := family(parent.pid)) < 2:  # noqa: ASYNC110 — a process has no event
                await asyncio.sleep(0.02)
        own = family(os.getpid())
    finally:
        await parent.communicate(b"")  # the end of its input ends both

    assert found[0] == parent.pid
    assert own[0] == os.getpid()
    assert set(found) < set(own)


def test_a_process_is_charged_for_the_time_it_was_busy() -> None:
    before_s, own_s = cpu_seconds(os.getpid()), os.times()
    for _ in range(2_000_000):
        pass
    spent_s, own = cpu_seconds(os.getpid()) - before_s, os.times()

    assert spent_s > 0
    assert spent_s == pytest.approx(own.user + own.system - own_s.user - own_s.system, abs=0.05)


def test_memory_counts_what_a_process_holds() -> None:
    before_kb = memory_kb(os.getpid())
    held = b"x" * 64 * 1024 * 1024
    after_kb = memory_kb(os.getpid())

    assert len(held) == 64 * 1024 * 1024
    assert all(after - before > 50_000 for after, before in zip(after_kb, before_kb, strict=True))


def test_more_sockets_than_the_machine_allows_are_refused_in_words() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY:
        pytest.skip("this machine sets no limit")

    with pytest.raises(SystemExit, match=f"this machine allows {hard}"):
        allow_sockets(hard)
