"""JSON Schemas of the shapes that validate and answer, with their docstrings as descriptions."""

from collections.abc import Iterable
from typing import Any

import msgspec

from server.api.docstrings import attributes, describe

Schema = dict[str, Any]

REF = "#/components/schemas/{name}"


def components(types: Iterable[Any]) -> tuple[list[Schema], dict[str, Schema]]:
    """Give a schema that refers to each type, and the named schemas behind those, by name."""
    references, named = msgspec.json.schema_components(types, ref_template=REF)
    return list(references), {name: _tidy(schema) for name, schema in sorted(named.items())}


def fields_of(shape: type[msgspec.Struct]) -> dict[str, tuple[Schema, bool]]:
    """Give the schema of every field of a flat struct, and whether the field must be there."""
    _, named = components([shape])
    schema = named[shape.__name__]
    required = schema.get("required", ())
    return {name: (part, name in required) for name, part in schema["properties"].items()}


def _tidy(schema: Schema) -> Schema:
    """Move what the docstring says of fields to the fields; say which an answer always has."""
    docstring = schema.get("description", "")
    tidy = schema | {"description": describe(docstring)}
    if "properties" not in schema:
        return tidy
    told = attributes(docstring)
    tidy["properties"] = {
        name: part | ({"description": told[name]} if name in told else {})
        for name, part in schema["properties"].items()
    }
    return tidy if _is_asked_for(schema) else _always_whole(tidy)


def _is_asked_for(schema: Schema) -> bool:
    """Whether clients send it: those shapes refuse fields that they do not know."""
    return schema.get("additionalProperties") is False


def _always_whole(schema: Schema) -> Schema:
    """Require the fields with defaults too: the server leaves none of them out."""
    required = set(schema.get("required", ()))
    properties = {}
    for name, part in schema["properties"].items():
        if "default" in part:
            required.add(name)
        properties[name] = {key: value for key, value in part.items() if key != "default"}
    present = [name for name in properties if name in required]
    return schema | {"properties": properties, "required": present}
