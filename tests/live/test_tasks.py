import asyncio

import pytest
from structlog.contextvars import bound_contextvars, get_contextvars
from structlog.testing import capture_logs

from server.live.tasks import Tasks
from tests.counting import counted
from tests.live.builders import until


async def test_what_is_started_is_done() -> None:
    tasks, done = Tasks(), asyncio.Event()

    async def work() -> None:
        done.set()

    tasks.start(work(), name="work")

    async with asyncio.timeout(5):
        await done.wait()


async def test_what_fails_is_logged_and_ends_alone() -> None:
    tasks, may_end = Tasks(), asyncio.Event()
    ended: list[str] = []
    failures = counted("canfield_task_failures_total")

    async def fail() -> None:
        raise RuntimeError("a fault")

    async def work() -> None:
        await may_end.wait()
        ended.append("work")

    with capture_logs() as logs:
        tasks.start(fail(), name="fail")
        tasks.start(work(), name="work")
        await until(lambda: logs)
        may_end.set()
        await until(lambda: ended)

    assert [(entry["event"], entry["task"]) for entry in logs] == [("task.failed", "fail")]
    assert isinstance(logs[0]["exc_info"], RuntimeError)
    assert counted("canfield_task_failures_total") == failures + 1


async def test_what_is_started_tells_its_room_and_nothing_of_who_started_it() -> None:
    tasks, told = Tasks(), list[dict[str, str]]()

    async def work() -> None:
        told.append(get_contextvars())

    with bound_contextvars(request_id="r1", room="other"):
        tasks.start(work(), name="of a room", room="k3x9")
        tasks.start(work(), name="of none")
        await tasks.whole(work(), name="for the caller")
    await until(lambda: len(told) == 3)

    assert sorted(told, key=len) == [{}, {"room": "k3x9"}, {"request_id": "r1", "room": "other"}]


async def test_closing_ends_everything_even_what_has_not_begun() -> None:
    tasks = Tasks()
    ended: list[str] = []

    async def work(name: str) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(name)

    tasks.start(work("begun"), name="begun")
    await asyncio.sleep(0)
    tasks.start(work("not begun"), name="not begun")

    before = tasks.closed
    await tasks.close()

    assert ended == ["begun"]
    assert (before, tasks.closed) == (False, True)


async def test_what_comes_after_closing_is_not_done() -> None:
    tasks = Tasks()
    await tasks.close()

    async def work() -> None:
        raise AssertionError("too late")

    with capture_logs() as logs:
        tasks.start(work(), name="late")
        await asyncio.sleep(0)

    assert logs == []


async def test_work_as_a_whole_is_done_even_if_whoever_asked_has_gone() -> None:
    tasks, may_end = Tasks(), asyncio.Event()
    ended: list[str] = []

    async def work() -> str:
        await may_end.wait()
        ended.append("work")
        return "done"

    asking = asyncio.create_task(tasks.whole(work(), name="work"))
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    may_end.set()
    await until(lambda: ended)


async def test_work_as_a_whole_gives_its_result_or_its_fault_to_whoever_asked() -> None:
    tasks = Tasks()

    async def work(*, fails: bool) -> str:
        if fails:
            raise LookupError("a fault")
        return "done"

    assert await tasks.whole(work(fails=False), name="work") == "done"
    with capture_logs() as logs, pytest.raises(LookupError):
        await tasks.whole(work(fails=True), name="work")
    assert logs == []
