"""Players: registering, names, tokens, profiles."""

from contextlib import suppress
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct

from server.api.cursors import Page, PageQuery, cut_page
from server.api.endpoint import Call, Endpoint, Nothing
from server.clock import now
from server.race.errors import NotAPlayer, NotInADaily, WrongState
from server.race.instants import Instant, instant
from server.race.names import check_name
from server.race.player import Kind, Player
from server.race.profile import Profile, TokenInfo

Name = Annotated[
    str,
    Meta(
        max_length=200,
        description="2-20 letters of one script, digits, `_`, `-`",
        extra_json_schema={"maxLength": 20, "minLength": 2},
    ),
]


PRINTABLE = r"^[^\x00-\x1f\x7f]*$"
"""No control characters."""


class Age(NamedTuple):
    """A token's place in its owner's list."""

    created_at: str
    token_id: str


class NewPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """Who wants to play."""

    name: Name
    kind: Kind = "human"


class Registered(Struct, frozen=True):
    """A new player, with a token that is shown this once."""

    player: Player
    token: str


class NewName(Struct, frozen=True, forbid_unknown_fields=True):
    """Another name."""

    name: Name


class NewToken(Struct, frozen=True, forbid_unknown_fields=True):
    """What a further token is for, as its owner calls it."""

    label: Annotated[
        str,
        Meta(min_length=1, max_length=40, pattern=PRINTABLE, examples=["my phone"]),
    ]


class IssuedToken(Struct, frozen=True):
    """A further token, shown this once."""

    id: str
    label: str
    created_at: Instant
    token: str


class ByName(Struct, frozen=True, forbid_unknown_fields=True):
    """Which player."""

    name: Name


async def register(call: Call[NewPlayer, Nothing]) -> Registered:
    """Register a player. The token is shown this once: keep it."""
    services = call.services
    name = check_name(call.body.name)
    player = Player(id=f"p_{services.chance.identifier()}", name=name, kind=call.body.kind)
    token = services.chance.token()
    await services.players.create(
        player,
        token=token,
        token_id=f"t_{services.chance.identifier()}",
        label="first",
        at=now(services.clock),
    )
    return Registered(player=player, token=token)


async def who_am_i(call: Call[Nothing, Nothing]) -> Player:
    """Tell whose token this is."""
    return call.player


async def rename(call: Call[NewName, Nothing]) -> Player:
    """Take another name; rooms that one sits in are told."""
    services = call.services
    renamed = await services.players.rename(call.player, check_name(call.body.name))
    for room_id in await services.rooms.of_player(renamed.id):
        await services.referee.change(room_id, lambda room, at: room.rename(renamed, at=at))
    return renamed


async def leave_for_good(call: Call[Nothing, Nothing]) -> None:
    """Leave for good: the name is free again, results stay under a nameless player.

    Rooms that wait are left, a game in play is resigned, every token is worthless at once.
    """
    services, player = call.services, call.player
    room_ids = await services.rooms.of_player(player.id)
    for room_id in room_ids:
        await _give_up(call, room_id)
    tokens = await services.players.tokens_of(call.me)
    await services.players.leave(player, at=now(services.clock))
    for token in tokens:
        services.hub.revoke(token.id)
    nameless = Player(id=player.id, name="", kind=player.kind)
    for room_id in room_ids:
        await services.referee.change(room_id, lambda room, at: room.rename(nameless, at=at))


async def _give_up(call: Call[Nothing, Nothing], room_id: str) -> None:
    """Leave a room that waits, resign in one that races."""
    referee, player = call.services.referee, call.player
    try:
        await referee.change(room_id, lambda room, at: room.leave(player, at=at))
    except (WrongState, NotInADaily):  # it has started
        with suppress(WrongState, NotAPlayer):  # the game, or the room, has ended by itself
            await referee.resign(room_id, player=player)


async def issue_token(call: Call[NewToken, Nothing]) -> IssuedToken:
    """Make a further token, for another device or program. It is shown this once."""
    services = call.services
    token, at = services.chance.token(), now(services.clock)
    token_id = f"t_{services.chance.identifier()}"
    await services.players.add_token(
        call.player, token=token, token_id=token_id, label=call.body.label, at=at
    )
    return IssuedToken(id=token_id, label=call.body.label, created_at=instant(at), token=token)


async def list_tokens(call: Call[Nothing, PageQuery]) -> Page[TokenInfo]:
    """List one's tokens, oldest first, without the tokens themselves."""
    tokens = await call.services.players.tokens_of(call.me)
    query = call.query
    return cut_page(tokens, key=_age, shape=Age, limit=query.limit, after=query.after)


async def revoke_token(call: Call[Nothing, Nothing]) -> None:
    """Revoke a token: it is worthless at once, and its sockets are closed."""
    token_id = call.path["token"]
    await call.services.players.revoke_token(call.player, token_id)
    call.services.hub.revoke(token_id)


async def find_profile(call: Call[Nothing, ByName]) -> Profile:
    """Find a player's public page by name, in any spelling that looks like it."""
    player = await call.services.players.find_by_name(call.query.name)
    return await call.services.players.profile(player, at=now(call.services.clock))


async def show_profile(call: Call[Nothing, Nothing]) -> Profile:
    """Show a player's public page."""
    player = await call.services.players.find(call.path["player"])
    return await call.services.players.profile(player, at=now(call.services.clock))


def _age(token: TokenInfo) -> Age:
    return Age(token.created_at, token.id)


ENDPOINTS = [
    Endpoint(
        "POST",
        "/players",
        register,
        Registered,
        "Players",
        body=NewPlayer,
        status=201,
        rate="players",
        refuses=("name_taken",),
    ),
    Endpoint(
        "GET", "/players", find_profile, Profile, "Players", query=ByName, refuses=("not_found",)
    ),
    Endpoint("GET", "/players/me", who_am_i, Player, "Players", auth="required"),
    Endpoint(
        "PATCH",
        "/players/me",
        rename,
        Player,
        "Players",
        body=NewName,
        auth="required",
        refuses=("name_taken",),
    ),
    Endpoint("DELETE", "/players/me", leave_for_good, None, "Players", status=204, auth="required"),
    Endpoint(
        "POST",
        "/players/me/tokens",
        issue_token,
        IssuedToken,
        "Players",
        body=NewToken,
        status=201,
        auth="required",
        rate="rooms",
    ),
    Endpoint(
        "GET",
        "/players/me/tokens",
        list_tokens,
        Page[TokenInfo],
        "Players",
        query=PageQuery,
        auth="required",
    ),
    Endpoint(
        "DELETE",
        "/players/me/tokens/{token}",
        revoke_token,
        None,
        "Players",
        status=204,
        auth="required",
        refuses=("not_found",),
    ),
    Endpoint("GET", "/players/{player}", show_profile, Profile, "Players", refuses=("not_found",)),
]
