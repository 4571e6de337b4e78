from hypothesis import given
from hypothesis import strategies as st

from server.live.credit import Credit


def spent(credit: Credit, cost: int, *, now_ms: int) -> int:
    """How often a cost can be spent at once."""
    times = 0
    while credit.spend(cost, now_ms=now_ms):
        times += 1
    return times


def test_a_burst_may_be_spent_at_once_and_no_more() -> None:
    assert spent(Credit(per_s=10, burst=5, now_ms=0), 1, now_ms=0) == 5


def test_credit_comes_back_with_time() -> None:
    credit = Credit(per_s=10, burst=5, now_ms=0)
    spent(credit, 1, now_ms=0)

    assert spent(credit, 1, now_ms=99) == 0
    assert spent(credit, 1, now_ms=200) == 2


def test_a_long_pause_gives_a_burst_and_no_more() -> None:
    credit = Credit(per_s=10, burst=5, now_ms=0)

    assert spent(credit, 1, now_ms=10**9) == 5


def test_what_costs_more_than_is_left_takes_nothing() -> None:
    credit = Credit(per_s=10, burst=5, now_ms=0)
    assert credit.spend(3, now_ms=0)

    assert not credit.spend(3, now_ms=0)
    assert credit.spend(2, now_ms=0)


@given(
    per_s=st.floats(0.1, 1000),
    burst=st.integers(10, 300),
    cost=st.integers(1, 10),
    pause_ms=st.integers(0, 5000),
)
def test_after_the_wait_that_is_told_there_is_enough(
    per_s: float, burst: int, cost: int, pause_ms: int
) -> None:
    credit = Credit(per_s=per_s, burst=burst, now_ms=0)
    spent(credit, cost, now_ms=0)
    if spent(credit, cost, now_ms=pause_ms):
        assert credit.wait_ms(cost) > 0

    wait_ms = credit.wait_ms(cost)

    assert credit.spend(cost, now_ms=pause_ms + wait_ms + 1)


def test_the_wait_is_not_longer_than_needed() -> None:
    credit = Credit(per_s=10, burst=5, now_ms=0)
    spent(credit, 1, now_ms=0)

    assert credit.wait_ms(1) == 100
    assert credit.spend(1, now_ms=100)
    assert Credit(per_s=10, burst=5, now_ms=0).wait_ms(1) == 0
