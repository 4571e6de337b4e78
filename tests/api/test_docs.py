from typing import Any

import pytest

from tests.api.driver import ASYNCAPI, OPENAPI, Api


def references(node: Any) -> list[str]:
    """Every `$ref` in a document."""
    if isinstance(node, list):
        return [found for part in node for found in references(part)]
    if not isinstance(node, dict):
        return []
    own = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
    return own + [found for part in node.values() for found in references(part)]


def texts(node: Any) -> list[str]:
    """Every description and summary in a document."""
    if isinstance(node, list):
        return [text for part in node for text in texts(part)]
    if not isinstance(node, dict):
        return []
    own = [node[name] for name in ("description", "summary") if isinstance(node.get(name), str)]
    return own + [text for part in node.values() for text in texts(part)]


@pytest.mark.parametrize(
    ("path", "document"), [("/openapi.json", OPENAPI), ("/asyncapi.json", ASYNCAPI)]
)
async def test_the_documents_are_served(
    sqlite_api: Api, path: str, document: dict[str, Any]
) -> None:
    assert (await sqlite_api.send("GET", path)).json() == document


@pytest.mark.parametrize("document", [OPENAPI, ASYNCAPI], ids=["openapi", "asyncapi"])
def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    found = references(document)

    assert found
    for reference in found:
        node = document
        for part in reference.removeprefix("#/").split("/"):
            node = node[part]


@pytest.mark.parametrize("document", [OPENAPI, ASYNCAPI], ids=["openapi", "asyncapi"])
def test_no_text_shows_how_its_docstring_was_written(document: dict[str, Any]) -> None:
    for text in texts(document):
        assert text
        for trace in ("Attributes:", "Raises:", "Args:", "    ", "Struct"):
            assert trace not in text
