from server.api.docstrings import attributes, describe, summarize

WRITTEN = """Give a page. It is short.

    A paragraph that
    goes on.

    Attributes:
        first, second: what both
            are.
        third: see: there.

    Raises:
        Invalid: never.
    """


def test_prose_is_unwrapped_and_free_of_sections() -> None:
    assert describe(WRITTEN) == "Give a page. It is short.\n\nA paragraph that goes on."
    assert summarize(WRITTEN) == "Give a page"


def test_attributes_are_told_one_by_one_and_raises_are_none() -> None:
    assert attributes(WRITTEN) == {
        "first": "what both are.",
        "second": "what both are.",
        "third": "see: there.",
    }


def test_nothing_is_told_where_nothing_is_written() -> None:
    assert (describe(None), summarize(None), attributes(None)) == ("", "", {})
