"""The page's files as they are sent: read once, packed once, under one address for all of them."""

from __future__ import annotations

import gzip
import hashlib
import posixpath
import re
from collections.abc import Iterable, Mapping
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

APP = "app.js"
"""The module that every document begins with."""

DOC_COMMENT = re.compile(rb"^[ \t]*/\*\*(?:(?!\*/).)*\*/\n", re.DOTALL | re.MULTILINE)
IMPORT = re.compile(r'^(?:import|export) [^";]*?from "(\.[^"]+)"', re.MULTILINE)


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
        documents: the document of each module that shows something; it names the hash in its
            addresses, and whatever that module will ask for, so that all comes at once.
        files: the others, by path.
    """

    hash: str
    documents: Mapping[str, Asset]
    files: Mapping[str, Asset]


def read_assets(folder: Path = FOLDER, *, modules: Iterable[str] = (APP,)) -> Assets:
    """Read the page; there is a document for each of these modules.

    What comments say to who works on the page is left out of what browsers get.

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
        path.relative_to(folder).as_posix(): _without_comments(path)
        for path in sorted(folder.rglob("*"))
        if path.suffix in MEDIA_TYPES
    }
    index = (folder / INDEX).read_bytes()
    name = _hash({INDEX: index, **contents})
    return Assets(
        hash=name,
        documents={
            module: Asset.made(
                _document(index, name, needs(contents, APP, module)), "text/html; charset=utf-8"
            )
            for module in modules
        },
        files={
            path: Asset.made(content, MEDIA_TYPES[Path(path).suffix])
            for path, content in contents.items()
        },
    )


def needs(contents: Mapping[str, bytes], *entries: str) -> list[str]:
    """List the modules that these import, directly or not, and themselves; at run time aside.

    >>> files = {"a.js": b'import { b } from "./p/b.js"', "p/b.js": b'export { c } from "../c.js"'}
    >>> needs(files | {"c.js": b""}, "a.js")
    ['a.js', 'p/b.js', 'c.js']
    """
    found: dict[str, None] = {}
    waiting = [*reversed(entries)]
    while waiting:
        path = waiting.pop()
        if path in found or path not in contents:
            continue
        found[path] = None
        imports = IMPORT.findall(contents[path].decode())
        here = posixpath.dirname(path)
        waiting += [posixpath.normpath(posixpath.join(here, name)) for name in reversed(imports)]
    return [*found]


def _without_comments(path: Path) -> bytes:
    content = path.read_bytes()
    return DOC_COMMENT.sub(b"", content) if path.suffix == ".js" else content


def _document(index: bytes, name: str, modules: Iterable[str]) -> bytes:
    links = (f'<link rel="modulepreload" href="{BASE}{module}" />' for module in modules)
    whole = index.replace(b"</head>", "".join([*links, "</head>"]).encode())
    return whole.replace(BASE.encode(), f"/web/{name}/".encode())


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
