import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from hypothesis import given
from hypothesis import strategies as st

from server.live.outbox import REPLACED, TOO_SLOW, Outbox
from tests.counting import counted

PATIENCE_S = 10
MOST = 3


class Line:
    """A socket that can be full, with the task that sends; keeps what was sent, the close last.

    A frame that the task has taken out while the line is full stays in its hands, as in uvicorn.
    """

    def __init__(self, outbox: Outbox) -> None:
        self.sent: list[bytes | int | None] = []
        self.has_room = asyncio.Event()
        self.has_room.set()
        self._outbox = outbox
        outbox.write_now = self.write_now

    def write_now(self, frame: bytes) -> bool:
        if self.has_room.is_set():
            self.sent.append(frame)
        return self.has_room.is_set()

    async def serve(self) -> None:
        while (frame := await self._outbox.next_frame()) is not None:
            await self.has_room.wait()
            self.sent.append(frame)
        self.sent.append(self._outbox.close_code)


@asynccontextmanager
async def a_line(*, most_frames: int = MOST) -> AsyncIterator[tuple[Outbox, Line]]:
    """An outbox whose task waits for something to send; at the end everything has been sent."""
    outbox = Outbox(most_frames=most_frames)
    line = Line(outbox)
    serving = asyncio.create_task(line.serve())
    await asyncio.sleep(0)
    yield outbox, line
    line.has_room.set()
    outbox.close(REPLACED, "the end")
    await asyncio.wait_for(serving, PATIENCE_S)


async def test_frames_come_out_in_the_order_they_went_in() -> None:
    outbox = Outbox(most_frames=10)
    for number in range(5):
        outbox.push(b"%d" % number)

    assert [await outbox.next_frame() for _ in range(5)] == [b"0", b"1", b"2", b"3", b"4"]


async def test_whoever_waits_gets_the_next_frame() -> None:
    outbox = Outbox(most_frames=10)
    waiting = asyncio.create_task(outbox.next_frame())
    await asyncio.sleep(0)
    assert not waiting.done()

    outbox.push(b"one")
    outbox.push(b"two")

    assert await waiting == b"one"
    assert await outbox.next_frame() == b"two"


async def test_what_waits_is_sent_before_the_close_and_nothing_after_it() -> None:
    outbox = Outbox(most_frames=10)
    outbox.push(b"before")
    outbox.close(REPLACED, "elsewhere")
    outbox.push(b"after")

    assert await outbox.next_frame() == b"before"
    assert await outbox.next_frame() is None
    assert (outbox.close_code, outbox.close_reason) == (REPLACED, "elsewhere")


async def test_a_close_wakes_whoever_waits() -> None:
    outbox = Outbox(most_frames=10)
    waiting = asyncio.create_task(outbox.next_frame())
    await asyncio.sleep(0)

    outbox.close(REPLACED, "elsewhere")

    assert await waiting is None


async def test_the_first_close_code_holds() -> None:
    outbox = Outbox(most_frames=10)
    outbox.close(REPLACED, "elsewhere")
    outbox.close(1006, "gone")

    assert (outbox.close_code, outbox.close_reason) == (REPLACED, "elsewhere")


async def test_a_full_outbox_closes_its_socket_and_forgets_what_waited() -> None:
    outbox = Outbox(most_frames=3)
    for _ in range(3):
        outbox.push(b"frame")
    codes = [outbox.close_code]

    outbox.push(b"one too many")

    assert [*codes, outbox.close_code, TOO_SLOW] == [None, 4413, 4413]
    assert await outbox.next_frame() is None


async def test_a_reader_too_slow_is_counted_once_whatever_else_comes() -> None:
    outbox = Outbox(most_frames=2)
    before = counted("canfield_outbox_overflows_total")

    for _ in range(5):
        outbox.push(b"frame")

    assert counted("canfield_outbox_overflows_total") == before + 1


async def test_who_reads_fast_enough_may_read_for_ever() -> None:
    outbox = Outbox(most_frames=3)

    for _ in range(100):
        outbox.push(b"frame")
        assert await outbox.next_frame() == b"frame"

    assert outbox.close_code is None


async def test_a_reader_that_was_cancelled_leaves_the_frame_to_the_next() -> None:
    outbox = Outbox(most_frames=3)
    waiting = asyncio.create_task(outbox.next_frame())
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)

    outbox.push(b"frame")

    assert await outbox.next_frame() == b"frame"


# The short way


async def test_a_frame_with_nothing_before_it_is_sent_at_once() -> None:
    async with a_line() as (outbox, line):
        outbox.push(b"one")
        outbox.push(b"two")

        assert line.sent == [b"one", b"two"]


async def test_before_anyone_takes_frames_out_they_wait() -> None:
    outbox = Outbox(most_frames=MOST)
    line = Line(outbox)
    outbox.push(b"early")

    assert line.sent == []
    assert await outbox.next_frame() == b"early"


async def test_a_frame_does_not_overtake_those_that_wait() -> None:
    async with a_line() as (outbox, line):
        line.has_room.clear()
        outbox.push(b"waits")
        line.has_room.set()
        outbox.push(b"comes after")
        assert line.sent == []

    assert line.sent == [b"waits", b"comes after", REPLACED]


async def test_a_frame_does_not_overtake_the_one_in_the_hands_of_the_task() -> None:
    async with a_line() as (outbox, line):
        line.has_room.clear()
        outbox.push(b"taken out")
        await asyncio.sleep(0)  # now it is
        line.has_room.set()
        outbox.push(b"comes after")
        assert line.sent == []

    assert line.sent == [b"taken out", b"comes after", REPLACED]


async def test_after_having_had_to_wait_frames_are_sent_at_once_again() -> None:
    async with a_line() as (outbox, line):
        line.has_room.clear()
        outbox.push(b"waits")
        line.has_room.set()
        async with asyncio.timeout(PATIENCE_S):
            while not line.sent:  # noqa: ASYNC110 — the line tells nobody
                await asyncio.sleep(0)

        outbox.push(b"at once")
        assert line.sent == [b"waits", b"at once"]


async def test_nothing_is_sent_on_the_short_way_after_the_close() -> None:
    async with a_line() as (outbox, line):
        outbox.push(b"before")
        outbox.close(TOO_SLOW, "")
        outbox.push(b"after")

    assert line.sent == [b"before", TOO_SLOW]


STEPS = st.lists(st.sampled_from(["push", "push", "fill", "drain", "turn", "close"]), max_size=60)


@given(steps=STEPS)
async def test_whatever_comes_between_frames_are_sent_once_in_order_and_the_close_last(
    steps: list[str],
) -> None:
    told: list[bytes | int | None] = []
    async with a_line() as (outbox, line):
        for number, step in enumerate(steps):
            match step:
                case "push":
                    told += [b"%d" % number] if outbox.close_code is None else []
                    outbox.push(b"%d" % number)
                case "fill":
                    line.has_room.clear()
                case "drain":
                    line.has_room.set()
                case "turn":
                    await asyncio.sleep(0)
                case _:
                    outbox.close(REPLACED, "elsewhere")
            assert len(outbox._frames) <= MOST

    if outbox.close_code == TOO_SLOW:
        told = told[: -MOST - 1]  # what waited is forgotten, and the one too many
    assert line.sent == [*told, outbox.close_code]
