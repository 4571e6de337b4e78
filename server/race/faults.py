"""Saying what is wrong with something that was sent, and where: for bodies and frames alike."""

import re

import msgspec
from msgspec import Struct

from server.race.errors import Invalid

WHERE = re.compile(r"(?P<reason>.*) - at `\$(?P<path>[^`]*)`", re.DOTALL)
NAMED = re.compile(r"Object (?P<what>contains unknown|missing required) field `(?P<name>.*)`", re.S)


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
