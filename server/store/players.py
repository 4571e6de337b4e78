"""Players, their tokens (digests only) and their profiles."""

import hashlib
from datetime import datetime
from typing import Any

from msgspec import Struct
from sqlalchemy import and_, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from server.race.errors import NameTaken, NotFound
from server.race.instants import instant
from server.race.names import name_key
from server.race.player import Player
from server.race.profile import Profile, TokenInfo
from server.store.database import Database
from server.store.profiles import read_profile
from server.store.tables import players, tokens


class Identity(Struct, frozen=True):
    """Who holds a token, and which token it is."""

    player: Player
    token_id: str


def digest(token: str) -> str:
    """Give what is kept of a token: its SHA-256 in hex."""
    return hashlib.sha256(token.encode()).hexdigest()


class Players:
    """The players of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(
        self, player: Player, *, token: str, token_id: str, label: str, at: datetime
    ) -> None:
        """Keep a new player with a first token.

        Raises:
            NameTaken: somebody has the name, or one that looks like it.
        """
        row = {
            "id": player.id,
            "name": player.name,
            "name_key": name_key(player.name),
            "kind": player.kind,
            "created_at": at,
        }
        try:
            async with self._database.write() as connection:
                await connection.execute(insert(players).values(row))
                await connection.execute(
                    insert(tokens).values(_token_row(player.id, token, token_id, label, at))
                )
        except IntegrityError as error:
            raise _name_taken(player.name) from error

    async def identify(self, token: str) -> Identity | None:
        """Tell who holds a token; None when nobody does (any more)."""
        query = (
            select(players.c.id, players.c.name, players.c.kind, tokens.c.id.label("token_id"))
            .join(tokens, tokens.c.player_id == players.c.id)
            .where(tokens.c.digest == digest(token), players.c.left_at.is_(None))
        )
        async with self._database.glance() as connection:
            row = (await connection.execute(query)).one_or_none()
        return None if row is None else Identity(player=_player(row), token_id=row.token_id)

    async def find(self, player_id: str) -> Player:
        """Give a player by id.

        Raises:
            NotFound: no such player.
        """
        return await self._find(players.c.id == player_id, f"no player with the id {player_id!r}")

    async def find_by_name(self, name: str) -> Player:
        """Give a player by name, or by one that looks like it.

        Raises:
            NotFound: no such player.
        """
        return await self._find(
            players.c.name_key == name_key(name), f"no player with the name {name!r}"
        )

    async def rename(self, player: Player, name: str) -> Player:
        """Give a player another name.

        Raises:
            NameTaken: somebody has the name, or one that looks like it.
            NotFound: the player has left for good.
        """
        new = {"name": name, "name_key": name_key(name)}
        present = and_(players.c.id == player.id, players.c.left_at.is_(None))
        try:
            async with self._database.write() as connection:
                renamed = await connection.execute(update(players).where(present).values(new))
        except IntegrityError as error:
            raise _name_taken(name) from error
        if renamed.rowcount == 0:
            raise NotFound(f"no player with the id {player.id!r}")
        return Player(id=player.id, name=name, kind=player.kind)

    async def leave(self, player: Player, *, at: datetime) -> None:
        """Free the name and revoke every token; the player's results stay, nameless."""
        gone: dict[str, Any] = {"name": "", "name_key": None, "left_at": at}
        async with self._database.write() as connection:
            await connection.execute(delete(tokens).where(tokens.c.player_id == player.id))
            await connection.execute(update(players).where(players.c.id == player.id).values(gone))

    async def add_token(
        self, player: Player, *, token: str, token_id: str, label: str, at: datetime
    ) -> None:
        """Keep one more token of a player."""
        async with self._database.write() as connection:
            await connection.execute(
                insert(tokens).values(_token_row(player.id, token, token_id, label, at))
            )

    async def tokens_of(self, identity: Identity) -> list[TokenInfo]:
        """List a player's tokens, oldest first."""
        query = (
            select(tokens)
            .where(tokens.c.player_id == identity.player.id)
            .order_by(tokens.c.created_at, tokens.c.id)
        )
        async with self._database.read() as connection:
            rows = (await connection.execute(query)).all()
        return [
            TokenInfo(
                id=row.id,
                label=row.label,
                created_at=instant(row.created_at),
                current=row.id == identity.token_id,
            )
            for row in rows
        ]

    async def revoke_token(self, player: Player, token_id: str) -> None:
        """Make a token worthless.

        Raises:
            NotFound: the player has no such token.
        """
        mine = and_(tokens.c.player_id == player.id, tokens.c.id == token_id)
        async with self._database.write() as connection:
            revoked = await connection.execute(delete(tokens).where(mine))
        if revoked.rowcount == 0:
            raise NotFound(f"you have no token {token_id!r}; GET /api/v1/players/me/tokens lists")

    async def profile(self, player: Player, *, at: datetime) -> Profile:
        """Sum up a player's games in finished rooms, as it is at an instant."""
        async with self._database.read() as connection:
            return await read_profile(connection, player, at=at)

    async def _find(self, which: Any, missing: str) -> Player:
        async with self._database.read() as connection:
            row = (await connection.execute(select(players).where(which))).one_or_none()
        if row is None or row.left_at is not None:
            raise NotFound(missing)
        return _player(row)


def _player(row: Any) -> Player:
    return Player(id=row.id, name=row.name, kind=row.kind)


def _token_row(
    player_id: str, token: str, token_id: str, label: str, at: datetime
) -> dict[str, Any]:
    return {
        "id": token_id,
        "player_id": player_id,
        "digest": digest(token),
        "label": label,
        "created_at": at,
    }


def _name_taken(name: str) -> NameTaken:
    return NameTaken(f"the name {name!r}, or one that looks like it, is taken; choose another")
