import msgspec
import pytest

from server.api.problems import MEDIA_TYPE, STATUS, TITLE, make_problem, problem_response
from server.race import errors
from server.race.errors import (
    Invalid,
    RaceError,
    TooManyRequests,
    Unauthorized,
    Unavailable,
    WrongState,
)


def every_refusal(kind: type[RaceError] = RaceError) -> list[type[RaceError]]:
    below = [refusal for child in kind.__subclasses__() for refusal in every_refusal(child)]
    return [kind, *below]


@pytest.mark.parametrize("kind", every_refusal(), ids=lambda kind: kind.__name__)
def test_every_refusal_of_the_race_has_a_status_and_a_title(kind: type[RaceError]) -> None:
    assert kind.__module__ == errors.__name__
    assert kind.code in STATUS
    assert kind.code in TITLE


def test_statuses_and_titles_are_of_the_same_codes() -> None:
    assert STATUS.keys() == TITLE.keys()


def test_a_problem_has_the_shape_of_rfc_9457_and_leaves_out_what_does_not_apply() -> None:
    problem = msgspec.to_builtins(make_problem("not_found", detail="no room 'x'"))

    assert problem == {
        "type": "urn:canfield-race:problem:not_found",
        "title": "There is no such thing",
        "status": 404,
        "detail": "no room 'x'",
        "code": "not_found",
    }


def test_what_a_refusal_knows_reaches_the_wire() -> None:
    invalid = problem_response(Invalid("too few", pointer="/seats"))
    wrong = problem_response(WrongState("too late", state="racing"))
    rate = problem_response(TooManyRequests("too many", retry_after_s=7))
    unauthorized = problem_response(Unauthorized("who"))

    assert msgspec.json.decode(invalid.body)["pointer"] == "/seats"
    assert msgspec.json.decode(wrong.body)["state"] == "racing"
    assert (rate.status_code, rate.headers["retry-after"]) == (429, "7")
    assert (unauthorized.status_code, unauthorized.headers["www-authenticate"]) == (401, "Bearer")
    assert {invalid.media_type, rate.media_type} == {MEDIA_TYPE}


@pytest.mark.parametrize("kind", [Unavailable, TooManyRequests, Unauthorized, Invalid])
def test_only_what_the_caller_did_not_cause_names_the_log_lines_that_tell_more(
    kind: type[RaceError],
) -> None:
    response = problem_response(kind("away"), request_id="r-1")

    named = msgspec.json.decode(response.body).get("request_id")
    assert named == ("r-1" if response.status_code >= 500 else None)
