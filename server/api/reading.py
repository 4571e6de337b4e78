"""Reading requests: what cannot be read is refused with a pointer to the field at fault."""

import asyncio
from collections.abc import Mapping

import msgspec
from msgspec import Struct
from starlette.datastructures import QueryParams
from starlette.requests import Request

from server.race.errors import Invalid, NotFound
from server.race.faults import invalid, pointer_to

MOST_BODY_BYTES = 64 * 1024
BODY_WITHIN_S = 10  # a body that trickles in is not waited for
LONGEST_KEY = 200


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
        Invalid: it is too long, or did not come.
    """
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_WITHIN_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MOST_BODY_BYTES:
                    raise Invalid(f"the body is longer than {MOST_BODY_BYTES} bytes; send less")
    except TimeoutError as error:
        raise Invalid(f"the body did not come within {BODY_WITHIN_S} s; send it again") from error
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
