"""Statements are counted as the server of the database counts them."""

from tests.bench.databases import sum_up


def test_framing_a_transaction_is_told_from_asking() -> None:
    calls = [
        ("SELECT 1", 2),
        ("UPDATE x", 3),
        ("BEGIN ISOLATION LEVEL REPEATABLE READ", 3),
        ("COMMIT", 2),
    ]

    assert sum_up(calls) == (5, 5)
