import asyncio

from server.live.outbox import REPLACED, TOO_SLOW, Outbox
from tests.counting import counted


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
