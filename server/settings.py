"""Every setting of the server, from the environment, with its unit, default and reason."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, Self

import msgspec
from msgspec import Meta, Struct


class CannotRun(Exception):
    """The server cannot run as things are; the message says in one line how to mend that."""


class BadSettings(CannotRun):
    """A setting that makes no sense; the message names it."""


class Described(NamedTuple):
    """A setting as it is told to who runs a server; the description names the unit."""

    variable: str
    default: str
    description: str


URLS = ("DATABASE_URL", "REDIS_URL")
"""The settings that are called what they are called everywhere, without `RACE_`."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """What who runs a server may choose.

    `DATABASE_URL` and `REDIS_URL` stand by themselves; everything else is `RACE_` and the field's
    name in capitals, `RACE_FRAMES_PER_S=50` for `frames_per_s`.
    """

    database_url: Annotated[str, Meta(description="where everything is kept")] = (
        "sqlite+aiosqlite:///./race.db"
    )
    redis_url: Annotated[
        str,
        Meta(
            pattern="^(rediss?|unix)://|^$",
            description="the bus between server processes, redis://host:port; none when empty, "
            "and one process hears of another's changes a second later",
        ),
    ] = ""
    frames_per_s: Annotated[
        float,
        Meta(gt=0, le=100_000, description="frames a socket may send per second, in the long run"),
    ] = 50
    frames_burst: Annotated[
        int, Meta(ge=10, description="frames a socket may send at once, after a pause")
    ] = 200
    outbox_frames: Annotated[
        int, Meta(ge=16, description="frames kept for a slow reader before its socket is closed")
    ] = 256
    hello_within_s: Annotated[
        float, Meta(gt=0, le=60, description="seconds a socket has to say hello")
    ] = 5
    players_per_hour: Annotated[
        int, Meta(ge=1, description="players registered per address and hour")
    ] = 60
    rooms_per_minute: Annotated[
        int, Meta(ge=1, description="rooms opened per player and minute")
    ] = 20
    calls_per_minute: Annotated[
        int, Meta(ge=60, description="REST calls per player, or address without one, and minute")
    ] = 1200
    analyses_per_minute: Annotated[
        int, Meta(ge=1, description="outlooks searched for per player and minute")
    ] = 20
    solver_processes: Annotated[
        int,
        Meta(
            ge=0,
            le=64,
            description="processes beside each server process that prove deals winnable; with 0 "
            "there are no winnable rooms, and only the dailies that `canfield-race daily plan` has "
            "planned",
        ),
    ] = 1
    winnable_stock: Annotated[
        int, Meta(ge=0, le=1000, description="deals proven winnable kept ready, of each kind")
    ] = 3
    log_level: Annotated[
        str, Meta(pattern="^(debug|info|warning|error)$", description="debug, info, warning, error")
    ] = "info"
    log_format: Annotated[
        Literal["text", "json"],
        Meta(description="text for people, or json, an object on each line"),
    ] = "text"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """Read the settings.

        Raises:
            BadSettings: a `RACE_` variable that is no setting, or a value that cannot be.
        """
        names = {variable_of(field): field for field in cls.__struct_fields__}
        values: dict[str, str] = {}
        for variable, text in environment.items():
            if variable in names:
                values[names[variable]] = text
            elif variable.startswith("RACE_"):
                known = ", ".join(sorted(names))
                raise BadSettings(f"{variable} is no setting; there are: {known}")
        try:
            return msgspec.convert(values, cls, strict=False)
        except msgspec.ValidationError as error:
            reason, _, path = str(error).partition(" - at `$.")
            variable = variable_of(path.rstrip("`"))
            meant = next(row.description for row in describe_settings() if row.variable == variable)
            value = (
                "" if variable in URLS else f"={environment[variable]!r}"
            )  # passwords are in URLs
            raise BadSettings(f"{variable}{value} will not do: {reason} ({meant})") from error


def variable_of(field: str) -> str:
    """Name the environment variable of a setting.

    >>> variable_of("frames_per_s")
    'RACE_FRAMES_PER_S'
    """
    name = field.upper()
    return name if name in URLS else f"RACE_{name}"


def describe_settings() -> list[Described]:
    """List every setting, in the order in which they are declared."""
    return [
        Described(variable_of(field.name), str(field.default), _description_of(field.type))
        for field in msgspec.structs.fields(Settings)
    ]


def _description_of(annotated: Any) -> str:
    info = msgspec.inspect.type_info(annotated)
    schema = info.extra_json_schema if isinstance(info, msgspec.inspect.Metadata) else None
    return str((schema or {}).get("description", ""))
