"""The page that people play on: served to browsers beside the API, and no part of it.

`/` and the other paths of the page answer with one document, which asks for everything else at
`/web/<hash>/…`, to be kept for ever. While servers are renewed one by one, a page of one may ask
another, which has the files of another hash: it gives those that it has, not to be kept. The page
is then mixed for a moment, at worst has to be loaded again, and is whole once all are renewed.
"""

import asyncio
from collections.abc import Callable
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from server.api.assets import APP, Asset, Assets, read_assets, takes_gzip
from server.api.problems import respond
from server.api.watched import watched

PATHS = {
    "/": "pages/home.js",
    "/daily": "pages/daily.js",
    "/daily/{day}": "pages/day.js",
    "/new": "pages/new_race.js",
    "/rooms/{room}": "pages/room.js",
    "/games/{game}": "pages/game.js",
    "/boards": "pages/boards.js",
    "/boards/{board}": "pages/boards.js",
    "/players/{player}": "pages/player.js",
    "/settings": "pages/settings.js",
    "/help": "pages/help.js",
}
"""Where the document is, and the module that shows something there, as `app.js` has it."""

FILES = "/web/{hash}/{path:path}"

OK, NOT_MODIFIED = 200, 304

FOR_EVER = "public, max-age=31536000, immutable"

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",  # the live socket too
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)

UNUSED = (
    *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope"),
    *("hid", "magnetometer", "microphone", "midi", "payment", "serial", "usb"),
)
"""What a browser could do and the page never asks for."""

FILE_HEADERS = {"X-Content-Type-Options": "nosniff", "Vary": "Accept-Encoding"}

HEADERS = FILE_HEADERS | {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in UNUSED),
}


class Page:
    """The page's files, and the answers that are made of them."""

    def __init__(self) -> None:
        self._assets: Assets | None = None

    async def open(self) -> None:
        """Read the files.

        Raises:
            NoPage: they are not there.
        """
        self._assets = await asyncio.to_thread(read_assets, modules={APP, *PATHS.values()})

    def show(self, request: Request, *, module: str = APP, status: int = OK) -> Response:
        """Answer with the document of a module; a browser that has it is told to keep it."""
        tag = f'W/"{self._opened.hash}"'
        headers = HEADERS | {"Cache-Control": "no-cache", "ETag": tag}
        if status == OK and _knows(request, tag):
            return Response(status_code=NOT_MODIFIED, headers=headers)
        return _send(self._opened.documents[module], request, status=status, headers=headers)

    def send_file(self, request: Request) -> Response:
        """Answer with a file, whichever hash it is asked by."""
        wanted, path = request.path_params["hash"], request.path_params["path"]
        asset = self._opened.files.get(path)
        if asset is None:
            return respond("not_found", detail=f"the page has no file {path}")
        kept = FOR_EVER if wanted == self._opened.hash else "no-store"
        return _send(asset, request, headers=FILE_HEADERS | {"Cache-Control": kept})

    def routes(self) -> list[Route]:
        """Give the routes; like those that watch the server, they are counted by no rate."""
        pages = (_route(path, partial(self.show, module=module)) for path, module in PATHS.items())
        return [*pages, _route(FILES, self.send_file)]

    @property
    def _opened(self) -> Assets:
        if self._assets is None:
            raise RuntimeError("the page is not open")
        return self._assets


def is_for_people(request: Request) -> bool:
    """Tell whether a browser asks for a document where neither the API nor a file would be."""
    return (
        request.method in {"GET", "HEAD"}
        and "text/html" in request.headers.get("accept", "")
        and not request.url.path.startswith(("/api/", "/web/"))
    )


def _route(path: str, answer: Callable[[Request], Response]) -> Route:
    async def serve(request: Request) -> Response:
        async def answered(_request_id: str) -> Response:
            return answer(request)

        return await watched(request, answered, method="GET", path=path)

    return Route(path, serve)


def _send(asset: Asset, request: Request, *, headers: dict[str, str], status: int = OK) -> Response:
    body, coded = asset.plain, {}
    if asset.packed is not None and takes_gzip(request.headers.get("accept-encoding", "")):
        body, coded = asset.packed, {"Content-Encoding": "gzip"}
    return Response(body, status, headers | coded, media_type=asset.media_type)


def _knows(request: Request, tag: str) -> bool:
    """Tell whether the browser has the document of this tag, or any where it says `*`."""
    known = request.headers.get("if-none-match", "").split(",")
    return any(one.strip() in {"*", tag, tag.removeprefix("W/")} for one in known)
