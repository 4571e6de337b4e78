import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from server import metrics
from server.game import errors as game_errors
from server.live import conversation, outbox, repeats
from server.race import events
from tests.counting import counted

PATIENCE_S = 30

SAMPLES_OF_A_CHILD = """
from server import metrics
metrics.MOVES_ACKNOWLEDGED.inc(3)
metrics.ACK_SECONDS.observe(0.004)
metrics.JOURNAL_QUEUE.set(5)
metrics.show_sockets(players=2, spectators=1, greeting=0)
metrics.show_bus(ready={ready})
print("counted", flush=True)
input()
"""

SUMS = """
from prometheus_client import generate_latest
from server import metrics
for pid in {ended}:
    metrics.forget_process(pid)
class All:
    def collect(self):
        return metrics.collect()
print(generate_latest(All()).decode())
"""


def names_of(label: str, sample: str) -> set[str]:
    return {
        one.labels[label]
        for metric in metrics.collect()
        for one in metric.samples
        if one.name == sample
    }


def test_every_code_that_rejects_a_move_is_counted_under_its_name() -> None:
    codes = {kind.code for kind in vars(game_errors).values() if hasattr(kind, "code")}
    codes |= {repeats.PlyConflict.code, "ply_gap", "not_racing", "unavailable"}

    of_moves = codes - {game_errors.BadCode.code}

    assert of_moves == set(metrics.REJECTS) - {metrics.OTHER}


def test_every_code_that_closes_a_socket_is_counted_under_its_name() -> None:
    ours = {
        code
        for module in (conversation, outbox)
        for name, code in vars(module).items()
        if name.isupper() and isinstance(code, int) and 1000 <= code < 5000
    }

    assert ours <= set(metrics.CLOSE_CODES)


def test_every_event_of_a_room_is_counted_under_its_name() -> None:
    tags = {kind.__struct_config__.tag for kind in events.RoomEvent.__subclasses__()}

    assert {tag for tag in tags if tag != "standings"} == set(metrics.ROOM_EVENTS)


@pytest.mark.parametrize(
    ("count", "sample", "label", "known", "unknown"),
    [
        (metrics.count_reject, "canfield_moves_total", "outcome", "ply_gap", "a room's id"),
        (metrics.count_close, "canfield_sockets_closed_total", "code", 4413, 4999),
        (metrics.count_close, "canfield_sockets_closed_total", "code", 1006, None),
        (metrics.count_room_event, "canfield_room_events_total", "event", "finished", "Ana"),
        (metrics.count_made_up, "canfield_made_up_total", "what", "token", "cr_w8Q7Gc8e"),
    ],
)
def test_what_is_not_of_a_set_is_counted_and_makes_no_name(
    count: object, sample: str, label: str, known: object, unknown: object
) -> None:
    assert callable(count)
    names = names_of(label, sample)
    before = counted(sample, **{label: str(known)}), counted(sample, **{label: "other"})

    count(known)
    count(unknown)

    after = counted(sample, **{label: str(known)}), counted(sample, **{label: "other"})
    assert after == (before[0] + 1, before[1] + 1)
    assert names_of(label, sample) == names


def test_a_resume_is_counted_by_how_it_went() -> None:
    before = [counted("canfield_resumes_total", recovered=how) for how in ("yes", "no")]

    metrics.count_resume(recovered=True)
    metrics.count_resume(recovered=False)
    metrics.count_resume(recovered=False)

    after = [counted("canfield_resumes_total", recovered=how) for how in ("yes", "no")]
    assert after == [before[0] + 1, before[1] + 2]


def test_a_call_is_counted_by_route_method_and_class_of_status_and_timed() -> None:
    route = "/api/v1/counted/{here}"

    for status, took_s in ((200, 0.003), (204, 0.02), (404, 0.001)):
        metrics.count_call(route=route, method="GET", status=status, took_s=took_s)

    calls = {"route": route, "method": "GET"}
    assert counted("canfield_http_requests_total", **calls, status="2xx") == 2
    assert counted("canfield_http_requests_total", **calls, status="4xx") == 1
    assert counted("canfield_http_request_seconds_count", **calls) == 3
    assert counted("canfield_http_request_seconds_bucket", **calls, le="0.005") == 2


async def test_states_are_sampled_until_it_is_cancelled_and_a_fault_stops_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(metrics, "SAMPLE_EVERY_S", 0.01)
    looks = 0
    shown: list[tuple[float, float]] = []
    enough = asyncio.Event()
    late_before = counted("canfield_event_loop_lag_seconds_count")

    def broken() -> None:
        raise LookupError("a fault")

    def look() -> None:
        nonlocal looks
        looks += 1
        metrics.show_sockets(players=looks, spectators=7, greeting=0)
        roles = (counted("canfield_sockets", role=role) for role in ("player", "spectator"))
        shown.append((next(roles), next(roles)))
        if looks == 3:
            enough.set()

    sampling = asyncio.create_task(metrics.keep_sampling(broken, look))
    async with asyncio.timeout(PATIENCE_S):
        await enough.wait()
    sampling.cancel()
    await asyncio.gather(sampling, return_exceptions=True)

    assert shown[:3] == [(1, 7), (2, 7), (3, 7)]
    assert counted("canfield_event_loop_lag_seconds_count") - late_before >= 2
    metrics.show_sockets(players=0, spectators=0, greeting=0)


def test_processes_that_share_a_folder_tell_one_sum_and_the_dead_keep_only_their_counts(
    tmp_path: Path,
) -> None:
    shared = os.environ | {metrics.SHARED_FOLDER: str(tmp_path)}

    def python(code: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(  # noqa: S603 — this test's own code
            [sys.executable, "-c", code],
            env=shared,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def sums(*, ended: list[int]) -> dict[tuple[str, str], float]:
        told, _ = python(SUMS.format(ended=ended)).communicate(timeout=PATIENCE_S)
        return {
            (one.name, "".join(one.labels.values())): one.value
            for family in text_string_to_metric_families(told)
            for one in family.samples
        }

    children = [python(SAMPLES_OF_A_CHILD.format(ready=ready)) for ready in (True, False)]
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline() == "counted\n"

    together = sums(ended=[])
    children[1].communicate("\n", timeout=PATIENCE_S)
    afterwards = sums(ended=[children[1].pid])
    children[0].communicate("\n", timeout=PATIENCE_S)

    counts = [("canfield_moves_total", "ack"), ("canfield_move_ack_seconds_bucket", "0.005")]
    states = [("canfield_journal_queue_plays", ""), ("canfield_sockets", "player")]
    up = ("canfield_bus_up", "")
    assert [together[one] for one in (*counts, *states, up)] == [6, 2, 10, 4, 0]
    assert [afterwards[one] for one in (*counts, *states, up)] == [6, 2, 5, 2, 1]
