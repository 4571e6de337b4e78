"""Who I am on which server: a file in the user's config directory that nobody else may read."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import platformdirs

from canfield_race_client.errors import CanfieldError

DEFAULT_URL = "http://127.0.0.1:8000"


class BadCredentials(CanfieldError):
    """The credentials file cannot be read, or there is no token for a server."""


class Identity(msgspec.Struct, frozen=True):
    """A player's name and token on one server."""

    name: str
    token: str


class _Contents(msgspec.Struct, frozen=True):
    current_url: str = DEFAULT_URL
    identities: dict[str, Identity] = {}


class Credentials:
    """The identities kept in a file, one per server: a token is never shown to another server."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def of_user(cls) -> Credentials:
        """Those in the config directory of whoever runs this."""
        return cls(platformdirs.user_config_path("canfield-race") / "credentials.json")

    @property
    def current_url(self) -> str:
        """The server that was registered with last."""
        return self._read().current_url

    def token_for(self, url: str) -> str:
        """My token on a server.

        Raises:
            BadCredentials: if there is none.
        """
        identity = self._read().identities.get(url)
        if identity is None:
            raise BadCredentials(f"no player of yours on {url}: `canfield register NAME` makes one")
        return identity.token

    def keep(self, url: str, identity: Identity) -> None:
        """Remember who I am on a server; it becomes the current one."""
        contents = self._read()
        kept = _Contents(url, {**contents.identities, url: identity})
        self._path.parent.mkdir(parents=True, exist_ok=True)
        draft = self._path.with_suffix(".new")
        draft.unlink(missing_ok=True)  # whose mode might be wider
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(kept)))
        draft.replace(self._path)

    def _read(self) -> _Contents:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=_Contents)
        except FileNotFoundError:
            return _Contents()
        except (OSError, msgspec.DecodeError) as error:
            raise BadCredentials(f"cannot read {self._path}: {error}; mend or remove it") from error
