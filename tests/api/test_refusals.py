from server.api.problems import STATUS
from server.api.refusals import answers_of, refusals


def test_codes_of_one_status_share_a_response() -> None:
    responses = refusals(["wrong_state", "room_full", "invalid"])

    assert responses == {
        "409": {"$ref": "#/components/responses/room_full.wrong_state"},
        "422": {"$ref": "#/components/responses/invalid"},
    }


def test_a_response_narrows_the_code_and_promises_its_header() -> None:
    paths = {"/x": {"get": {"responses": refusals(["unavailable", "unauthorized"])}}}

    answers = answers_of(paths)

    assert answers.keys() == {"unavailable", "unauthorized"}
    assert answers["unavailable"]["headers"].keys() == {"Retry-After"}
    assert answers["unauthorized"]["headers"].keys() == {"WWW-Authenticate"}
    narrowed = answers["unavailable"]["content"]["application/problem+json"]["schema"]["allOf"][1]
    assert narrowed == {"properties": {"code": {"enum": ["unavailable"]}}}


def test_every_code_can_be_described() -> None:
    for code in STATUS:
        answers = answers_of({"/x": {"get": {"responses": refusals([code])}}})

        assert f"`{code}`" in answers[code]["description"]
