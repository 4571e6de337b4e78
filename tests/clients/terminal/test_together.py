from __future__ import annotations

import asyncio

import pytest
from canfield_race_client.errors import NoGame
from canfield_race_client.terminal.together import together, while_running


async def test_all_jobs_are_done_at_the_end() -> None:
    done: list[int] = []

    async def job(number: int) -> None:
        done.append(number)

    await together(job(1), job(2))
    assert sorted(done) == [1, 2]


async def test_the_first_error_stops_the_others_and_is_raised_as_itself() -> None:
    stopped = asyncio.Event()

    async def endless() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    async def failing() -> None:
        raise NoGame("none")

    with pytest.raises(NoGame):
        await together(endless(), failing())
    assert stopped.is_set()


async def test_what_runs_aside_ends_with_the_job() -> None:
    stopped = asyncio.Event()

    async def aside() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    await while_running(asyncio.sleep(0), aside())
    assert stopped.is_set()


@pytest.mark.parametrize("fails_aside", [True, False])
async def test_an_error_of_the_job_or_aside_ends_both(*, fails_aside: bool) -> None:
    stopped = asyncio.Event()

    async def endless() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    async def failing() -> None:
        await asyncio.sleep(0)
        raise NoGame("none")

    jobs = (endless(), failing()) if fails_aside else (failing(), endless())
    with pytest.raises(NoGame):
        await while_running(*jobs)
    assert stopped.is_set()
