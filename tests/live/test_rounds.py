import asyncio

from server.live.rounds import go_on
from server.race.errors import Unavailable
from tests.live.conftest import Logs


async def test_a_round_that_fails_is_logged_and_the_next_one_comes(logs: Logs) -> None:
    ends: list[Exception | None] = [Unavailable("away"), LookupError("a fault"), None]
    done = asyncio.Event()

    async def work() -> None:
        end = ends.pop(0)
        if not ends:
            done.set()
            await asyncio.Event().wait()
        if end is not None:
            raise end

    going_on = asyncio.create_task(go_on(work, name="sweep", every_s=0))
    async with asyncio.timeout(20):
        await done.wait()
    going_on.cancel()
    await asyncio.gather(going_on, return_exceptions=True)

    assert [entry["event"] for entry in logs] == ["sweep.skipped", "sweep.failed"]
