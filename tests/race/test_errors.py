import pytest

from server.race import errors
from server.race.errors import (
    Invalid,
    NotAvailable,
    RaceError,
    TooManyRequests,
    Unavailable,
    WrongState,
)

CONTRACT = {
    "invalid",
    "unauthorized",
    "forbidden",
    "not_found",
    "name_taken",
    "room_full",
    "daily_over",
    "not_in_a_daily",
    "wrong_state",
    "not_host",
    "not_a_player",
    "kicked",
    "not_available",
    "too_many_requests",
    "unavailable",
}

REFUSALS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, RaceError) and kind is not RaceError
]


def test_every_refusal_has_a_code_of_the_contract_to_itself() -> None:
    codes = [kind.code for kind in REFUSALS]

    assert sorted(codes) == sorted(CONTRACT)


@pytest.mark.parametrize("kind", [k for k in REFUSALS if k is not WrongState])
def test_a_refusal_tells_its_detail(kind: type[RaceError]) -> None:
    error = kind("this is why")

    assert error.detail == str(error) == "this is why"


def test_what_handlers_need_to_know_is_in_attributes() -> None:
    assert WrongState("it is over", state="finished").state == "finished"
    assert Invalid("too many", pointer="/seats").pointer == "/seats"
    assert NotAvailable("no solver", pointer="/winnable").pointer == "/winnable"
    assert Unavailable("away", retry_after_s=7).retry_after_s == 7


def test_a_refusal_for_rate_says_when_to_ask_again() -> None:
    assert TooManyRequests("slower", retry_after_s=3).retry_after_s == 3
