from __future__ import annotations

import pytest
from canfield_race_client.credit import FRAMES_BURST, FRAMES_PER_S, Credit, cost_of


def test_a_burst_goes_out_at_once_and_what_follows_at_the_rate() -> None:
    credit = Credit(now_s=100.0, per_s=4.0, burst=2.0)
    assert [credit.spend(1, now_s=100.0) for _ in range(4)] == [0.0, 0.0, 0.25, 0.5]


def test_a_pause_gives_back_the_burst_and_not_more() -> None:
    credit = Credit(now_s=0.0, per_s=4.0, burst=2.0)
    credit.spend(2, now_s=0.0)
    assert [credit.spend(1, now_s=60.0) for _ in range(3)] == [0.0, 0.0, 0.25]


@pytest.mark.parametrize(
    ("kind", "cost"),
    [("hello", 1), ("move", 1), ("ping", 1), ("sync", 2), ("ready", 5), ("start", 5)],
)
def test_a_frame_costs_what_the_contract_says(kind: str, cost: int) -> None:
    assert cost_of(kind) == cost


def test_the_defaults_stay_below_the_servers_even_when_frames_arrive_two_seconds_late() -> None:
    server_per_s, server_burst, late_s = 50, 200, 2
    assert FRAMES_BURST + FRAMES_PER_S * late_s < server_burst
    assert server_per_s > FRAMES_PER_S
