from sqlalchemy import String

from server.live.claims import claim_at
from server.store.tables import games


def test_of_two_claims_the_later_one_is_greater_whatever_chance_says() -> None:
    now_ms = 1_795_978_800_000
    for later_ms in (now_ms + 1, now_ms + 10**6, 10**14):
        assert all(claim_at(now_ms) < claim_at(later_ms) for _ in range(100))


def test_of_one_node_the_later_claim_is_greater_within_a_millisecond_too() -> None:
    claims = [claim_at(1_795_978_800_000) for _ in range(1000)]

    assert claims == sorted(set(claims))


def test_a_claim_fits_the_column_it_is_written_in() -> None:
    column = games.c.claim.type
    assert isinstance(column, String)
    assert column.length is not None
    assert len(claim_at(10**15 - 1)) <= column.length
