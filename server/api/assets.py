"""The page's files as they are sent: read once, packed once, under one address for all of them."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from server.settings import CannotRun

FOLDER = Path(__file__).parents[1] / "page"

INDEX = "index.html"

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""What of the folder is sent besides the index; other files are for who works on the page."""

BASE = "/web/-/"
"""How the index names its assets; each server writes its own hash for the dash."""

HASH_LETTERS = 16


class NoPage(CannotRun):
    """The page's files are not there; the message says how to mend it."""


@dataclass(frozen=True, slots=True)
class Asset:
    """A file ready to be sent.

    Attributes:
        plain: its bytes.
        packed: the same by gzip; None where that saves nothing.
    """

    plain: bytes
    packed: bytes | None
    media_type: str

    @classmethod
    def made(cls, content: bytes, media_type: str) -> Asset:
        """Pack a file's content."""
        packed = gzip.compress(content, compresslevel=9, mtime=0)
        return cls(content, packed if len(packed) < len(content) else None, media_type)


@dataclass(frozen=True, slots=True)
class Assets:
    """Every file of the page.

    Attributes:
        hash: of all paths and contents: the same on every server with the same page.
        index: the document, with the hash in its addresses.
        files: the others, by path.
    """

    hash: str
    index: Asset
    files: Mapping[str, Asset]


def read_assets(folder: Path = FOLDER) -> Assets:
    """Read the page.

    Raises:
        NoPage: there is none in the folder.
    """
    if not (folder / INDEX).is_file():
        raise NoPage(
            f"{folder / INDEX} is not there. In a checkout, server/page is a link to clients/web, "
            "which git makes where it may (`git config core.symlinks true`, then "
            "`git checkout -- server/page`); a package carries the files"
        )
    contents = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.suffix in MEDIA_TYPES
    }
    index = (folder / INDEX).read_bytes()
    name = _hash({INDEX: index, **contents})
    index = index.replace(BASE.encode(), f"/web/{name}/".encode())
    return Assets(
        hash=name,
        index=Asset.made(index, "text/html; charset=utf-8"),
        files={
            path: Asset.made(content, MEDIA_TYPES[Path(path).suffix])
            for path, content in contents.items()
        },
    )


def _hash(contents: Mapping[str, bytes]) -> str:
    """Name a set of files: by its bytes, and by where one ends and the next begins."""
    found = hashlib.sha256()
    for path, content in contents.items():
        found.update(f"{path}\n{len(content)}\n".encode())
        found.update(content)
    return found.hexdigest()[:HASH_LETTERS]


def takes_gzip(accept_encoding: str) -> bool:
    """Tell whether a header `Accept-Encoding` allows gzip.

    >>> takes_gzip("gzip, deflate, br"), takes_gzip("br, gzip;q=0.5"), takes_gzip("")
    (True, True, False)
    >>> takes_gzip("gzip;q=0, identity"), takes_gzip("gzip; q=0.000")
    (False, False)
    """
    for offer in accept_encoding.lower().split(","):
        coding, _, weight = offer.replace(" ", "").partition(";q=")
        if coding == "gzip":
            return weight.rstrip("0.") != "" or not weight
    return False
