"""Reading requests: what cannot be read is refused with a pointer to the field at fault."""

import re
from collections.abc import Mapping

import msgspec
from msgspec import Struct
from starlette.datastructures import QueryParams
from starlette.requests import Request

from server.race.errors import Invalid, NotFound

MOST_BODY_BYTES = 64 * 1024
LONGEST_KEY = 200

WHERE = re.compile(r"(?P<reason>.*) - at `\$(?P<path>[^`]*)`", re.DOTALL)
NAMED = re.compile(r"Object (?P<what>contains unknown|missing required) field `(?P<name>.*)`", re.S)


def read_path(path: Mapping[str, str]) -> Mapping[str, str]:
    """Give the variables of the path.

    Raises:
        NotFound: one holds what no name of anything holds.
    """
    for name, value in path.items():
        if not value.isprintable():
            raise NotFound(f"no {name} {value!r}: it has characters that cannot stand in one")
    return path


async def read_bytes(request: Request) -> bytes:
    """Give the whole body.

    Raises:
        Invalid: it is too long.
    """
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BODY_BYTES:
            raise Invalid(f"the body is longer than {MOST_BODY_BYTES} bytes; send less at once")
    return bytes(body)


def read_body(body: bytes, shape: type[Struct]) -> Struct:
    """Read a JSON body; an empty one is an object without fields.

    Raises:
        Invalid: it is not JSON, or not of this shape.
    """
    try:
        return msgspec.json.decode(body or b"{}", type=shape)
    except msgspec.ValidationError as error:
        raise invalid(error, shape) from error
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Invalid(f"the body is not JSON in UTF-8: {error}") from error


def read_query(query: QueryParams, shape: type[Struct]) -> Struct:
    """Read the query; a parameter without a value counts as not given.

    Raises:
        Invalid: a parameter is unknown, given twice, or cannot be read.
    """
    given: dict[str, str] = {}
    for name, value in query.multi_items():
        if name in given:
            raise Invalid(f"{name} is given twice; give it once", pointer=pointer_to(name))
        if "\0" in value:
            raise Invalid(f"{name} holds a NUL character; leave it out", pointer=pointer_to(name))
        given[name] = value
    known = shape.__struct_encode_fields__
    given = {name: value for name, value in given.items() if value or name not in known}
    try:
        return msgspec.convert(given, shape, strict=False)
    except msgspec.ValidationError as error:
        raise invalid(error, shape) from error


def read_key(request: Request) -> str | None:
    """Give the `Idempotency-Key`, where one was sent.

    Raises:
        Invalid: it is empty, too long, or not of printable ASCII.
    """
    key = request.headers.get("idempotency-key")
    if key is None:
        return None
    if not (0 < len(key) <= LONGEST_KEY and key.isascii() and key.isprintable()):
        raise Invalid(f"an Idempotency-Key has 1 to {LONGEST_KEY} printable ASCII characters")
    return key


def invalid(error: msgspec.ValidationError, shape: type[Struct]) -> Invalid:
    """Turn msgspec's word on a shape into a refusal that points at the field.

    >>> from server.race.settings import RoomWish
    >>> def why(text: str) -> tuple[str, str]:
    ...     refusal = invalid(msgspec.ValidationError(text), RoomWish)
    ...     return refusal.pointer, refusal.detail
    >>> why("Expected `int` <= 100 - at `$.seats`")
    ('/seats', 'seats: expected `int` <= 100')
    >>> why("Invalid enum value 'now' - at `$.start`")
    ('/start', "start: invalid enum value 'now'; choose one of: at, host, ready")
    """
    located = WHERE.fullmatch(str(error))
    reason = located["reason"] if located else str(error)
    parts = re.findall(r"[^.\[\]]+", located["path"]) if located else []
    if named := NAMED.fullmatch(reason):
        parts = [*parts, named["name"]]
        missing = named["what"] == "missing required"
        detail = f"the field {named['name']!r} is missing" if missing else _unknown(parts, shape)
    else:
        field = ".".join(parts) or "the whole"
        detail = f"{field}: {reason[:1].lower()}{reason[1:]}{_mend(reason, parts, shape)}"
    return Invalid(detail, pointer=pointer_to(*parts))


def pointer_to(*parts: str) -> str:
    """Write a JSON pointer (RFC 6901).

    >>> pointer_to("moves", "3"), pointer_to("a/b")
    ('/moves/3', '/a~1b')
    """
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in parts)


def _unknown(parts: list[str], shape: type[Struct]) -> str:
    detail = f"there is no field {parts[-1]!r}"
    if len(parts) > 1:
        return detail
    known = ", ".join(sorted(shape.__struct_encode_fields__))
    return f"{detail}; there are: {known}" if known else f"{detail}; this call takes none"


def _mend(reason: str, parts: list[str], shape: type[Struct]) -> str:
    if not reason.startswith("Invalid enum value") or len(parts) != 1:
        return ""
    return "; choose one of: " + ", ".join(_choices(shape, parts[0]))


def _choices(shape: type[Struct], name: str) -> list[str]:
    annotation = next(f.type for f in msgspec.structs.fields(shape) if f.encode_name == name)
    info = msgspec.inspect.type_info(annotation)
    kinds = info.types if isinstance(info, msgspec.inspect.UnionType) else (info,)
    literals = [kind for kind in kinds if isinstance(kind, msgspec.inspect.LiteralType)]
    return sorted(str(value) for literal in literals for value in literal.values)
